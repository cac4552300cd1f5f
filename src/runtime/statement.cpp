#include "runtime/statement.hpp"

#include <algorithm>
#include <numwarp/error.hpp>
#include <utility>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/capture.hpp"

namespace numwarp::detail {

statement::statement(const char* name, const numwarp::shape& shape, device where, int own_ops,
                     bool plain)
    : name_(name), shape_(shape), where_(where), own_ops_(std::size_t(own_ops)), plain_(plain) {}

statement::~statement() {
  // Written, or thrown out of: what was absorbed were temporaries, and they are gone.
  if (!released_ && node_) node_->finish();
}

node& statement::node() {
  if (!node_) {
    node_ = std::make_shared<detail::node>(name_, shape_, where_);
  }
  return *node_;
}

namespace {

// The handle is consumed: a later use of the name that was moved from says so.
void consume(any_array& a) {
  access::store(a).reset();
  access::chosen(a).reset();
}

}  // namespace

// Whether an operand of that shape is broadcast here, so that its elements are used several times.
bool statement::grows(const numwarp::shape& from) const {
  return !plain_ && plan::size(from) != plan::size(shape_);
}

// The node of a temporary that nobody else holds, held for this statement; null where the operand
// counts as named.
std::shared_ptr<node> statement::absorbable(const operand& o) const {
  if (!o.array || !o.temporary || access::chosen(*o.array)) return nullptr;
  const auto& store = access::store(*o.array);
  if (store->ready.load(std::memory_order_acquire) || !sole_owner(store)) return nullptr;
  auto n = std::static_pointer_cast<detail::node>(store->source());
  // What was made for another stream is computed there.
  if (!n || n->queue.get() != runtime::current_queue(where_) || !n->try_hold()) return nullptr;
  if (n->outputs.size() == 1 &&
      (!grows(n->shape) || (n->program.cheap() && !n->program.uses_index()))) {
    return n;
  }
  n->let_go();
  return nullptr;
}

// Computes the largest temporaries first where all together would be too large for one kernel.
void statement::limit(sources& list) const {
  // Mostly a bound will do, which needs no look at the steps.
  std::size_t most_inputs = list.size(), most_ops = own_ops_;
  for (const source& s : list) {
    if (!s.held) continue;
    most_inputs += s.held->inputs.size();
    most_ops += s.held->program.steps.size();
  }
  if (most_inputs <= plan::max_inputs && most_ops <= plan::max_ops) return;
  for (;;) {
    std::size_t inputs = 0, ops = own_ops_;
    source* largest = nullptr;
    for (source& s : list) {
      inputs += s.held ? s.held->inputs.size() : s.from->array ? 1 : 0;
      if (!s.held) continue;
      ops += std::size_t(s.held->program.op_count());
      if (!largest || s.held->program.steps.size() > largest->held->program.steps.size())
        largest = &s;
    }
    if (!largest || (inputs <= plan::max_inputs && ops <= plan::max_ops)) return;
    const auto n = std::exchange(largest->held, nullptr);
    n->let_go();
    n->launch();
  }
}

// An absorbed node becomes this statement's own: its inputs already know it as a reader.
void statement::adopt(std::shared_ptr<detail::node>&& n, any_array& handle) {
  node_ = std::move(n);
  node_->name = name_;
  base_ = std::move(handle);
  // A failed launch may have left memory of the old size.
  if (access::store(base_)->data) consume(base_);
}

// The largest absorbed node is adopted.
const operand* statement::adopt_base(sources& list) {
  source* base = nullptr;
  for (source& s : list) {
    if (s.held && (!base || s.held->program.steps.size() > base->held->program.steps.size()))
      base = &s;
  }
  if (!base) return nullptr;
  adopt(std::move(base->held), *base->from->array);
  if (!(node_->shape == shape_)) {
    for (auto& i : node_->inputs)
      i.strides = plan::broadcast_strides(node_->shape, i.strides, shape_);
    node_->shape = shape_;
  }
  return base->from;
}

int statement::input_index(const std::shared_ptr<storage>& from, const dims& strides,
                           std::int64_t offset, dtype type) {
  auto& inputs = node().inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].from == from && inputs[i].offset == offset && inputs[i].type == type &&
        inputs[i].strides == strides) {
      return int(i);
    }
  }
  inputs.emplace_back(from, strides, offset, type);
  return int(inputs.size()) - 1;
}

// Over the statement's shape.
dims statement::strides_here(const any_array& a) const {
  const layout& l = access::lay(a, name_);
  return plan::broadcast_strides(l.shape, l.strides, shape_);
}

int statement::load(operand& o, const dims& strides) {
  const any_array& a = resolved(*o.array, name_);
  const layout& l = access::lay(a, name_);
  const dtype type = l.type;
  const int i = input_index(access::store(a), strides, l.offset, type);
  // Let go of a temporary's buffer, so that the node is its only owner and may lend it.
  if (o.temporary) consume(*o.array);
  return node_->program.load(i, type);
}

int statement::join(source& s) {
  auto& other = *s.held;
  const int root = other.outputs[0].step;
  plan::small_vector<int, 8> map;
  for (const auto& i : other.inputs) {
    map.push_back(input_index(i.from, plan::broadcast_strides(other.shape, i.strides, shape_),
                              i.offset, i.type));
  }
  const int at = node_->program.append(other.program, map)[std::size_t(root)];
  // What reads for it must be known as a reader before the other one is not any more.
  node_->watch_inputs();
  std::exchange(s.held, nullptr)->finish();
  consume(*s.from->array);
  return at;
}

// Launches what reads the target's elements, but for the operands that will be taken over or
// computed before the write anyway.
void statement::clear_way(std::span<operand> operands, const any_array& target) {
  const auto& store = access::store(resolved(target, name_));
  plan::small_vector<std::shared_ptr<pending>, 3> taken;
  plan::small_vector<const pending*, 3> except;
  for (const operand& o : operands) {
    if (!o.array || !o.temporary || access::chosen(*o.array)) continue;
    taken.push_back(access::store(*o.array)->source());
    except.push_back(taken.back().get());
  }
  store->compute();
  store->launch_readers(except);
  cleared_ = store.get();
}

// The usual small statement: one temporary at most to absorb, and named arrays that are computed.
std::optional<statement::values> statement::take_plain(std::span<operand> operands) {
  operand* base = nullptr;
  for (operand& o : operands) {
    if (!o.array) continue;
    const bool ready = access::store(*o.array)->ready.load(std::memory_order_acquire);
    if (ready ? o.temporary : base != nullptr) return std::nullopt;
    if (!ready) base = &o;
  }
  if (base) {
    auto held = absorbable(*base);
    if (!held) return std::nullopt;
    if (held->inputs.size() + operands.size() > plan::max_inputs ||
        held->program.steps.size() + own_ops_ > plan::max_ops) {
      held->let_go();
      return std::nullopt;
    }
    adopt(std::move(held), *base->array);
  }
  const int base_step = base ? node_->outputs[0].step : -1;
  values steps;
  for (operand& o : operands) {
    steps.push_back(&o == base ? base_step
                    : o.array  ? load(o, access::raw_layout(*o.array).strides)
                               : -1);
  }
  if (!access::store(base_) && base) node_->outputs.clear();
  return steps;
}

statement::values statement::take(std::span<operand> operands, const any_array* target) {
  if (plain_ && !target) {
    if (auto steps = take_plain(operands)) return *steps;
  }
  // One handle given twice (`std::move(y) * std::move(y)`) is named.
  for (operand& o : operands) {
    if (!o.temporary || !o.array) continue;
    for (operand& other : operands) {
      if (&o == &other || o.array != other.array) continue;
      o.temporary = other.temporary = false;
    }
    if (o.array == target) o.temporary = false;
  }
  if (!plain_) plan::checked_size(shape_, name_);
  if (target) clear_way(operands, *target);
  sources list;
  list.reserve(operands.size());
  if (!plain_) order_.reserve(operands.size());
  for (operand& o : operands) list.emplace_back(&o).held = absorbable(o);
  limit(list);
  for (source& s : list) {
    if (!s.from->array) continue;
    if (!plain_) order_.push_back(strides_here(*s.from->array));
    if (!s.held) access::store(resolved(*s.from->array, name_))->compute();
  }
  values steps;
  steps.reserve(list.size());
  // Nothing that can be refused comes after this line.
  const operand* base = adopt_base(list);
  const int base_step = base ? node_->outputs[0].step : -1;
  const dims* strides = order_.begin();
  for (source& s : list) {
    if (!s.from->array) {
      steps.push_back(-1);
      continue;
    }
    const dims& here = plain_ ? access::raw_layout(*s.from->array).strides : *strides++;
    steps.push_back(s.from == base ? base_step : s.held ? join(s) : load(*s.from, here));
  }
  if (node_ && !access::store(base_)) node_->outputs.clear();
  return steps;
}

namespace {

// In C order without axes of length one, and neither null nor a selection.
bool is_plain(const any_array& a) {
  if (access::chosen(a) || !access::store(a)) return false;
  const layout& l = access::raw_layout(a);
  std::int64_t step = itemsize(l.type);
  for (int d = l.shape.size() - 1; d >= 0; --d) {
    if (l.shape[d] < 2 || l.strides[d] != step) return false;
    step *= l.shape[d];
  }
  return true;
}

bool lie_alike(const any_array& a, const any_array& b) {
  return access::raw_layout(a).shape == access::raw_layout(b).shape &&
         access::store(a)->where == access::store(b)->where;
}

}  // namespace

const any_array* plain_operand(std::span<operand> operands, const any_array* out) {
  const any_array* first = out;
  if (out && !is_plain(*out)) return nullptr;
  for (const operand& o : operands) {
    if (!o.array) continue;
    if (!is_plain(*o.array) || (first && !lie_alike(*o.array, *first))) return nullptr;
    if (!first) first = o.array;
  }
  return first;
}

statement::values statement::load_named(std::span<operand> operands) {
  values steps;
  for (operand& o : operands) {
    access::store(resolved(*o.array, name_))->compute();
    steps.push_back(load(o, strides_here(*o.array)));
  }
  return steps;
}

int statement::constant(const scalar& s, dtype t) {
  return program().constant(t, to_bits(s, t, name_));
}

dims statement::result_strides(dtype type, order o) const {
  const int size = itemsize(type);
  if (o == order::c || (plain_ && o != order::f)) return plan::c_strides(shape_, size);
  if (o == order::f) return plan::f_strides(shape_, size);
  plan::small_vector<const dims*, 3> list;
  for (const dims& d : order_) list.push_back(&d);
  return plan::k_order_strides(shape_, list, size);
}

any_array statement::promise(int step, dtype type, dims strides) {
  const std::int64_t bytes = plan::checked_bytes(shape_, itemsize(type), name_);
  layout l{shape_, std::move(strides), 0, type};
  auto store = std::move(access::store(base_));
  if (store) {
    store->bytes = bytes;
    node::output& o = node_->outputs[0];
    o.strides = l.strides;
    o.type = type;
    o.step = step;
  } else {
    store = std::make_shared<storage>(where_, bytes);
    node().outputs.emplace_back(store, l.strides, type, step);
    store->set_source(node_);
  }
  return access::make(std::move(store), std::move(l));
}

void statement::release_pending() {
  // First known as a reader, then asked: who exposes a buffer marks it before it looks for readers.
  node_->watch_inputs();
  const bool exposed = std::any_of(node_->inputs.begin(), node_->inputs.end(),
                                   [](const auto& i) { return i.from->exposed > 0; });
  released_ = true;
  node_->let_go();
  if (exposed || debug_mode()) {
    node_->launch();
    if (debug_mode() && !runtime::capture::of_thread()) runtime::backend_for(where_).synchronize();
  } else {
    note_pending(node_);
  }
}

any_array statement::result(int step, dtype type, order o) {
  if (plain_ && o != order::f && access::store(base_) && base_.itemsize() == itemsize(type)) {
    // What the base promised lies as the result does: its handle becomes the result's.
    access::raw_layout(base_).type = type;
    node_->outputs[0].type = type;
    node_->outputs[0].step = step;
    release_pending();
    return std::move(base_);
  }
  return result(step, type, result_strides(type, o));
}

any_array statement::result(int step, dtype type, dims strides) {
  any_array a = promise(step, type, std::move(strides));
  release_pending();
  return a;
}

std::pair<any_array, any_array> statement::results(int step1, int step2, dtype type) {
  const dims strides = result_strides(type, order::k);
  std::pair<any_array, any_array> both{promise(step1, type, strides),
                                       promise(step2, type, strides)};
  release_pending();
  return both;
}

// Whether an input would be overwritten before it has been read. Addresses are compared, since two
// arrays may wrap the same foreign memory.
bool statement::clashes(const layout& l, const storage& store) const {
  const auto address = [](const storage& s, std::int64_t offset) {
    return std::int64_t(reinterpret_cast<std::intptr_t>(s.data)) + offset;
  };
  const plan::region target{&l.shape, &l.strides, address(store, l.offset), itemsize(l.type)};
  return std::any_of(node_->inputs.begin(), node_->inputs.end(), [&](const auto& i) {
    const plan::region read{&shape_, &i.strides, address(*i.from, i.offset), itemsize(i.type)};
    return plan::may_overlap(read, target) && !plan::same_elements(read, target);
  });
}

void statement::write(int step, const any_array& dst) {
  const any_array& r = resolved(dst, name_);
  const layout& l = access::lay(r, name_);
  const auto& store = access::store(r);
  if (cleared_ != store.get()) clear_way({}, r);
  if (clashes(l, *store)) {
    layout dense = l;
    dense.offset = 0;
    dense.strides = plan::c_strides(l.shape, itemsize(l.type));
    const auto temp = allocate_storage(where_, dense, name_);
    const destination to[] = {{temp.get(), dense.strides, 0, l.type, step}};
    node_->write(to);
    node_->finish();  // no longer a reader of what the copy is about to write
    any_array made = access::make(temp, layout(dense));
    operand from{&made, true, {}};
    statement copy(name_, shape_, where_);
    copy.write(copy.take({&from, 1}, &r)[0], r);
    return;
  }
  const destination to[] = {{store.get(), l.strides, l.offset, l.type, step}};
  node_->write(to);
}

void statement::write_new(std::span<const int> steps, std::span<const any_array> to) {
  plan::small_vector<destination, 2> list;
  for (std::size_t k = 0; k < to.size(); ++k) {
    const layout& l = access::lay(to[k], name_);
    list.emplace_back(access::store(to[k]).get(), l.strides, l.offset, l.type, steps[k]);
  }
  node().write({list.data(), list.size()});
}

bool share_bytes(const any_array& a, const any_array& b, const char* name) {
  const auto region = [&](const any_array& x) {
    const layout& l = access::lay(x, name);
    const auto at = std::int64_t(reinterpret_cast<std::intptr_t>(access::store(x)->data));
    return plan::region{&l.shape, &l.strides, at + l.offset, x.itemsize()};
  };
  return plan::may_overlap(region(a), region(b));
}

}  // namespace numwarp::detail
