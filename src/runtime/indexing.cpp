#include "runtime/indexing.hpp"

#include <algorithm>
#include <numwarp/detail/indexing_calls.hpp>
#include <numwarp/error.hpp>
#include <span>

#include "plan/layout.hpp"
#include "plan/subscript.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/nonzero.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

using action = plan::indexed::action;

numwarp::shape common_space(std::span<const dims* const> shapes, const char* name) {
  try {
    return plan::broadcast_shapes(shapes, name);
  } catch (const value_error&) {
    std::string text = std::string(name) +
                       ": shape mismatch: indexing arrays could not be broadcast together with "
                       "shapes";
    for (const dims* s : shapes) text += ' ' + plan::compact(*s);
    throw index_error(text);
  }
}

// Whether every index is one that no other place repeats.
bool are_unique(const std::vector<axis_indices>& indices, const numwarp::shape& space) {
  const std::int64_t n = plan::size(space);
  return n <= 1 || (space.size() == 1 &&
                    std::any_of(indices.begin(), indices.end(), [&](const axis_indices& i) {
                      return i.from_mask && i.kept >= 0 && i.values.size() == n;
                    }));
}

const any_array& computed(const any_array& a, const char* name) {
  const any_array& r = resolved(a, name);
  access::store(r)->compute();
  return r;
}

void check_device(const any_array& array, const any_array& other, const char* name) {
  operand both[] = {{const_cast<any_array*>(&array), false, {}},
                    {const_cast<any_array*>(&other), false, {}}};
  common_device(name, both);
}

}  // namespace

choice choose_elements(const any_array& array, std::vector<axis_indices> indices, int place,
                       const char* name, index_mode mode) {
  const layout& from = access::lay(array, name);
  choice c;
  c.array = computed(array, name);
  std::vector<const dims*> shapes;
  for (const axis_indices& i : indices) shapes.push_back(&i.values.shape());
  c.space = common_space(shapes, name);
  c.place = place;
  c.mode = mode;
  c.unique = mode == index_mode::raise ? are_unique(indices, c.space) : plan::size(c.space) <= 1;
  for (const axis_indices& i : indices) {
    check_device(array, i.values, name);
    const bool walks = i.kept >= 0;
    c.lists.push_back({computed(i.values, name), walks ? from.shape[i.kept] : 1,
                       walks ? from.strides[i.kept] : 0, i.axis});
  }
  const auto is_walked = [&](int k) {
    return std::any_of(indices.begin(), indices.end(),
                       [&](const axis_indices& i) { return i.kept == k; });
  };
  for (int k = 0; k < from.shape.size(); ++k) {
    if (is_walked(k)) continue;
    c.shape.push_back(from.shape[k]);
    c.strides.push_back(from.strides[k]);
  }
  for (int k = 0; k < c.space.size(); ++k) {
    c.shape.insert(place + k, c.space[k]);
    c.strides.insert(place + k, 0);
  }
  if (c.shape.size() > max_ndim) {
    throw index_error(std::string(name) +
                      ": number of dimensions must be within [0, 64], indexing result would have " +
                      std::to_string(c.shape.size()));
  }
  plan::checked_bytes(c.shape, array.itemsize(), name);
  return c;
}

namespace {

// The indices that an array subscript stands for: a bool array for the coordinates of its true
// elements, a 0-d one for one place or none along no axis.
void add_indices(std::vector<axis_indices>& list, const any_array& values,
                 const plan::array_item& at, const char* name) {
  if (values.type() != dtype::bool_) {
    list.push_back({values, at.kept, at.axis});
  } else if (values.ndim() == 0) {
    const std::int64_t count = find_true(c_contiguous(values)).count;
    list.push_back({full(count, dtype::int64, scalar(0), values.device()), -1, at.axis, true});
  } else {
    int k = 0;
    for (any_array& c : true_coordinates(values, name)) {
      list.push_back({std::move(c), at.kept + k, at.axis + k, true});
      ++k;
    }
  }
}

}  // namespace

choice choose_by(const any_array& from, std::span<const subscript> items, const char* name) {
  plan::subscripted s = plan::subscript(access::lay(from, name), items);
  s.view.view = true;
  std::vector<axis_indices> indices;
  for (const plan::array_item& i : s.arrays) {
    add_indices(indices, resolved(*items[std::size_t(i.item)].values, name), i, name);
  }
  return choose_elements(access::make(access::store(from), std::move(s.view)), std::move(indices),
                         s.place, name);
}

choice choose_along(const any_array& array, const any_array& indices, int axis, const char* name,
                    index_mode mode) {
  const layout& from = access::lay(array, name);
  choice c;
  c.array = computed(array, name);
  c.mode = mode;
  // NumPy indexes the other axes by ranges, and names those in its message.
  std::vector<numwarp::shape> ranges(std::size_t(from.shape.size()), dims(from.shape.size(), 1));
  std::vector<const dims*> shapes;
  for (int k = 0; k < from.shape.size(); ++k) {
    ranges[std::size_t(k)][k] = from.shape[k];
    shapes.push_back(k == axis ? &access::lay(indices, name).shape : &ranges[std::size_t(k)]);
  }
  c.shape = c.space = common_space(shapes, name);
  numwarp::shape others = from.shape;
  others[axis] = 1;
  c.strides = plan::broadcast_strides(others, from.strides, c.shape);
  check_device(array, indices, name);
  c.lists.push_back({computed(indices, name), from.shape[axis], from.strides[axis], axis});
  c.unique = plan::size(c.shape) <= 1;
  plan::checked_bytes(c.shape, array.itemsize(), name);
  return c;
}

namespace {

char* address(const any_array& a, const char* name) {
  return access::store(a)->data + access::lay(a, name).offset;
}

// Strides of `a` over the last axes of `shape`; axes of length one before them are dropped.
dims strides_over(const any_array& a, const dims& shape, const char* name) {
  const layout& l = access::lay(a, name);
  dims tail, strides;
  for (int i = std::max(0, l.shape.size() - shape.size()); i < l.shape.size(); ++i) {
    tail.push_back(l.shape[i]);
    strides.push_back(l.strides[i]);
  }
  return plan::broadcast_strides(tail, strides, shape);
}

// What a backend gets. Where nothing is chosen the indices are checked all the same, over their own
// space.
void fill(plan::indexed& p, const choice& c, action what, const char* name) {
  const bool nothing = plan::size(c.shape) == 0;
  p.what = nothing ? action::check : what;
  p.mode = c.mode;
  p.unique = c.unique;
  p.name = name;
  p.shape = nothing ? c.space : c.shape;
  const int place = nothing ? 0 : c.place, rank = p.shape.size();
  p.array = {address(c.array, name), nothing ? dims(rank, 0) : c.strides, c.array.type()};
  p.packed.strides = dims(rank, 0);
  for (const choice::list& l : c.lists) {
    const dims own = strides_over(l.values, c.space, name);
    plan::index_list list;
    list.data = address(l.values, name);
    list.type = l.values.type();
    list.strides = dims(rank, 0);
    std::copy(own.begin(), own.end(), list.strides.begin() + place);
    list.extent = l.extent;
    list.step = l.step;
    list.axis = l.axis;
    p.lists.push_back(std::move(list));
  }
}

// Runs p; packed is read or written, or null.
template <class Plan> void run(const choice& c, Plan& p, const any_array* packed) {
  if (plan::size(c.space) == 0) return;
  if (p.what != action::check && packed) {
    p.packed.data = address(*packed, p.name);
    p.packed.strides = strides_over(*packed, c.shape, p.name);
  }
  runtime::launch_scope scope(c.array.device());
  for (const choice::list& l : c.lists) scope.reads(*access::store(l.values));
  storage& array = *access::store(c.array);
  p.what == action::scatter ? scope.writes(array) : scope.reads(array);
  if (packed) {
    storage& other = *access::store(*packed);
    p.what == action::gather ? scope.writes(other) : scope.reads(other);
  }
  plan::collapse(p);
  runtime::backend_for(c.array.device()).launch(p);
}

// What is written: values of one type, computed, beside the array's memory; or one constant.
struct written {
  any_array values;
  plan::constant_bits constant;
  bool is_constant = false;

  written(const choice& c, operand source, dtype type, const char* name)
      : is_constant(!source.array) {
    if (source.array) check_device(c.array, *source.array, name);
    if (is_constant) {
      constant = to_bits(source.value, type, name);
      return;
    }
    const bool same = resolved(*source.array, name).type() == type;
    values = same ? resolved(*source.array, name) : cast(source, type);
    values.compute();
    if (share_bytes(values, c.array, name)) values = values.copy();
  }
};

// Writes by p, which says how. The indices lie beside the array's memory, too.
template <class Plan> void write(const choice& c, Plan& p, const written& w, const char* name) {
  choice apart = c;
  for (choice::list& l : apart.lists) {
    if (share_bytes(l.values, c.array, name)) l.values = l.values.copy();
  }
  access::store(c.array)->launch_readers();
  fill(p, apart, action::scatter, name);
  if (w.is_constant) p.constant = &w.constant;
  run(apart, p, w.is_constant ? nullptr : &w.values);
}

}  // namespace

any_array elements_at(const any_array& a, int axis, const dims& places, const char* name) {
  const any_array list = from_host(places.data(), places.size(), dtype::int64, a.device(), name);
  return gather(choose_elements(a, {{list, axis, axis}}, axis, name), name);
}

void gather_into(const choice& c, const any_array& out, const char* name) {
  plan::indexed p;
  p.packed.type = c.array.type();
  fill(p, c, action::gather, name);
  run(c, p, &out);
}

any_array gather(const choice& c, const char* name) {
  any_array out = empty(c.shape, c.array.type(), c.array.device(), order::c, name);
  gather_into(c, out, name);
  return out;
}

void scatter(const choice& c, operand source, const char* name) {
  const numwarp::shape& given = shape_of(source, name);
  if (!assignable(given, c.shape)) {
    throw value_error(
        std::string(name) + ": shape mismatch: value array of shape " + plan::compact(given) +
        " could not be broadcast to indexing result of shape " + plan::compact(c.shape));
  }
  const written w(c, source, c.array.type(), name);
  plan::indexed p;
  p.packed.type = c.array.type();
  write(c, p, w, name);
}

namespace {

// The type that op computes in for these operands, and the one it gives.
std::pair<dtype, dtype> resolve_types(op_code op, const any_array& a, const operand& b) {
  const scalar& s = b.value;
  const type_argument args[] = {
      {a.type(), true, 0},
      b.array ? type_argument{b.array->type(), true, 0} : type_argument{s.type, s.strong, s.kind}};
  dtype compute, result;
  const std::string name = core::op_name(op);
  if (!core::resolve(op, promote_arguments(op, args, core::op_arity(op)), compute, result)) {
    throw type_error(name + ": ufunc '" + name + "' not supported for the input types");
  }
  require_same_kind(result, a.type(), core::op_name(op));
  return {compute, result};
}

void check_exponents(op_code op, const written& w, dtype compute) {
  if (op != op_code::power || kind(compute) != 'i') return;
  any_array values = w.is_constant ? from_host(w.constant.bytes, {}, compute, cpu) : w.values;
  if (values.size() == 0) return;
  const any_array least = reduce(reduce_code::min, {&values, false, {}}, {});
  std::int64_t v;
  item(least, dtype::int64, &v);
  if (v < 0) {
    throw value_error("power: Integers to negative integer powers are not allowed, got " +
                      std::to_string(v));
  }
}

}  // namespace

void update(const choice& c, op_code op, operand source, bool atomic) {
  const char* const name = core::op_name(op);
  const numwarp::shape& given = shape_of(source, name);
  if (given.size() > c.shape.size() || !assignable(given, c.shape)) {
    throw value_error(std::string(name) + ": array is not broadcastable to correct shape, got " +
                      plan::compact(given) + " for " + plan::compact(c.shape));
  }
  const auto [compute, result] = resolve_types(op, c.array, source);
  const written w(c, source, compute, name);
  check_exponents(op, w, compute);
  plan::indexed_update p;
  p.packed.type = compute;
  p.op = op;
  p.result = result;
  p.atomic = atomic;
  write(c, p, w, name);
}

// An op of one operand has no values: `source` is a zero.
void ufunc_at(op_code op, const any_array& a, std::span<const subscript> items, operand source,
              bool atomic) {
  const char* const name = core::op_name(op);
  const any_array& to = resolved(a, name);
  check_writeable(to, name);
  to.compute();
  const auto is_array = [](const subscript& i) { return i.kind == i.array; };
  if (std::any_of(items.begin(), items.end(), is_array)) {
    return update(choose_by(to, items, name), op, source, atomic);
  }
  any_array view = to.subscript(items);
  if (core::op_arity(op) == 2) return assign_op(op, view, source);
  operand operands[] = {{&view, false, {}}};
  elementwise(op, operands, {.out = &view});
}

}  // namespace numwarp::detail
