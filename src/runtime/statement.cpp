#include "runtime/statement.hpp"

#include <algorithm>
#include <utility>

#include <numwarp/error.hpp>
#include "plan/layout.hpp"
#include "runtime/backend.hpp"

namespace numwarp::detail {

statement::statement(const char* name, const numwarp::shape& shape, device where)
    : node_(std::make_shared<detail::node>(name, shape, where)) {}

statement::~statement() {
  // Thrown out of before it was finished: what was absorbed was a temporary, and is gone.
  if (!taken_ && node_) node_->finish();
}

namespace {

bool uses_index(const plan::program& p) {
  return std::any_of(p.steps.begin(), p.steps.end(),
                     [](const plan::step& s) { return s.kind == plan::step_kind::index; });
}

}  // namespace

// The node of a temporary that nobody else holds, held for this statement; null where the operand
// counts as named.
std::shared_ptr<node> statement::absorbable(const operand& o) const {
  if (!o.array || !o.temporary || access::chosen(*o.array)) return nullptr;
  const auto& store = access::store(*o.array);
  if (store.use_count() != 1 || store->ready.load(std::memory_order_acquire)) return nullptr;
  auto n = std::static_pointer_cast<detail::node>(store->source());
  // What was made for another stream is computed there.
  if (!n || n->queue.get() != runtime::current_queue(node_->where) || !n->try_hold()) return nullptr;
  const bool widened = !(n->shape == node_->shape);
  if (n->outputs.size() == 1 &&
      (!widened || (n->program.cheap() && !uses_index(n->program)))) {
    return n;
  }
  n->let_go();
  return nullptr;
}

// Computes the largest temporaries first where all together would be too large for one kernel.
void statement::limit(std::vector<source>& list) const {
  for (;;) {
    std::size_t inputs = 0, ops = 1;
    source* largest = nullptr;
    for (source& s : list) {
      inputs += s.held ? s.held->inputs.size() : 1;
      if (!s.held) continue;
      ops += std::size_t(s.held->program.op_count());
      if (!largest || s.held->program.steps.size() > largest->held->program.steps.size()) largest = &s;
    }
    if (!largest || (inputs <= plan::max_inputs && ops <= plan::max_ops)) return;
    const auto n = std::exchange(largest->held, nullptr);
    n->let_go();
    n->launch();
  }
}

void statement::widen(detail::node& n) const {
  if (n.shape == node_->shape) return;
  for (auto& i : n.inputs) i.strides = plan::broadcast_strides(n.shape, i.strides, node_->shape);
  n.shape = node_->shape;
}

// The largest absorbed node becomes this statement's own: its inputs already know it as a reader.
void statement::adopt_base(std::vector<source>& list) {
  source* base = nullptr;
  for (source& s : list) {
    if (s.held && (!base || s.held->program.steps.size() > base->held->program.steps.size())) base = &s;
  }
  if (!base) return;
  widen(*base->held);
  base->held->name = node_->name;
  node_->finish();
  node_ = base->held;
}

int statement::input_index(const std::shared_ptr<storage>& from, const dims& strides,
                           std::int64_t offset, dtype type) {
  auto& inputs = node_->inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].from == from && inputs[i].offset == offset && inputs[i].type == type &&
        inputs[i].strides == strides) {
      return int(i);
    }
  }
  inputs.push_back({from, strides, offset, type});
  from->add_reader(node_);
  return int(inputs.size()) - 1;
}

void statement::remember_order(const any_array& a) {
  const layout& l = access::lay(a, node_->name);
  order_.push_back(plan::broadcast_strides(l.shape, l.strides, node_->shape));
}

int statement::load(operand& o) {
  const any_array& a = resolved(*o.array, node_->name);
  const layout& l = access::lay(a, node_->name);
  const auto& store = access::store(a);
  store->compute();
  const dims strides = plan::broadcast_strides(l.shape, l.strides, node_->shape);
  const dtype type = l.type;
  const int i = input_index(store, strides, l.offset, type);
  // Let go of a temporary's buffer, so that the node is its only owner and may lend it.
  if (o.temporary) *o.array = any_array();
  return node_->program.load(i, type);
}

int statement::join(source& s) {
  auto& other = *s.held;
  const int root = other.outputs[0].step;
  int at = root;
  if (s.held != node_) {
    widen(other);
    std::vector<int> map;
    for (const auto& i : other.inputs) map.push_back(input_index(i.from, i.strides, i.offset, i.type));
    at = node_->program.append(other.program, map)[std::size_t(root)];
    other.finish();
  }
  *s.from->array = any_array();
  return at;
}

std::vector<int> statement::take(std::span<operand> operands) {
  // One handle given twice (`std::move(y) * std::move(y)`) is named.
  for (operand& o : operands) {
    for (operand& other : operands) {
      if (&o != &other && o.array && o.array == other.array) o.temporary = false;
    }
  }
  std::vector<source> list;
  for (operand& o : operands) list.push_back({&o, absorbable(o)});
  limit(list);
  for (source& s : list) {
    if (s.from->array) remember_order(*s.from->array);
  }
  // What must be computed first is, before anything is absorbed: a failure then loses nothing.
  try {
    for (source& s : list) {
      if (s.from->array && !s.held) resolved(*s.from->array, node_->name).compute();
    }
  } catch (...) {
    for (source& s : list) {
      if (s.held) s.held->let_go();
    }
    throw;
  }
  adopt_base(list);
  std::vector<int> steps;
  for (source& s : list) {
    if (!s.from->array) {
      steps.push_back(-1);
    } else {
      steps.push_back(s.held ? join(s) : load(*s.from));
    }
  }
  node_->outputs.clear();
  return steps;
}

std::vector<int> statement::load_named(std::span<operand> operands) {
  std::vector<int> steps;
  for (operand& o : operands) steps.push_back(load(o));
  return steps;
}

int statement::constant(const scalar& s, dtype t) {
  return node_->program.constant(t, to_bits(s, t, node_->name));
}

dims statement::result_strides(dtype type) const {
  std::vector<const dims*> list;
  bool c_order = true;
  const dims plain = plan::c_strides(node_->shape, 1);
  for (const dims& d : order_) {
    list.push_back(&d);
    for (int i = 0; i + 1 < d.size(); ++i) c_order &= std::abs(d[i]) >= std::abs(d[i + 1]);
  }
  if (c_order) return plan::c_strides(node_->shape, itemsize(type));
  return plan::k_order_strides(node_->shape, list, itemsize(type));
}

any_array statement::promise(int step, dtype type) {
  const std::int64_t bytes = plan::checked_bytes(node_->shape, itemsize(type), node_->name);
  auto store = std::make_shared<storage>(node_->where, bytes);
  layout l;
  l.shape = node_->shape;
  l.strides = result_strides(type);
  l.type = type;
  node_->outputs.push_back({store, l.strides, type, step});
  store->set_source(node_);
  return access::make(std::move(store), std::move(l));
}

void statement::release_pending() {
  const bool exposed = std::any_of(node_->inputs.begin(), node_->inputs.end(),
                                   [](const auto& i) { return i.from->exposed > 0; });
  taken_ = true;
  node_->let_go();
  if (exposed || debug_mode()) {
    node_->launch();
  } else {
    note_pending(node_);
  }
}

any_array statement::result(int step, dtype type) {
  any_array a = promise(step, type);
  release_pending();
  return a;
}

std::pair<any_array, any_array> statement::results(int step1, int step2, dtype type) {
  std::pair<any_array, any_array> both{promise(step1, type), promise(step2, type)};
  release_pending();
  return both;
}

void statement::write(int step, const any_array& dst) {
  const layout& l = access::lay(dst, node_->name);
  const auto& store = access::store(dst);
  store->compute();
  store->launch_readers(node_.get());
  const plan::region target{&l.shape, &l.strides, l.offset, itemsize(l.type)};
  const bool clash = std::any_of(node_->inputs.begin(), node_->inputs.end(), [&](const auto& i) {
    const plan::region read{&node_->shape, &i.strides, i.offset, itemsize(i.type)};
    return i.from == store && plan::may_overlap(read, target) && !plan::same_elements(read, target);
  });
  if (clash) {
    layout dense = l;
    dense.offset = 0;
    dense.strides = plan::c_strides(l.shape, itemsize(l.type));
    const auto temp = allocate_storage(node_->where, plan::size(l.shape) * itemsize(l.type));
    const destination to[] = {{temp, dense.strides, 0, l.type, step}};
    node_->write(to);
    node_->finish();  // no longer a reader of what the copy is about to write
    any_array made = access::make(temp, dense);
    operand from{&made, true, {}};
    statement copy(node_->name, l.shape, node_->where);
    copy.write(copy.take({&from, 1})[0], dst);
    return;
  }
  const destination to[] = {{store, l.strides, l.offset, l.type, step}};
  node_->write(to);
}

}  // namespace numwarp::detail
