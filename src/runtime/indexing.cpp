#include "runtime/indexing.hpp"

#include <algorithm>
#include <numwarp/error.hpp>
#include <span>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
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
plan::indexed plan_of(const choice& c, action what, const char* name) {
  plan::indexed p;
  const bool nothing = plan::size(c.shape) == 0;
  p.what = nothing ? action::check : what;
  p.mode = c.mode;
  p.unique = c.unique;
  p.name = name;
  p.shape = nothing ? c.space : c.shape;
  const int place = nothing ? 0 : c.place, rank = p.shape.size();
  p.array = {address(c.array, name), nothing ? dims(rank, 0) : c.strides, c.array.type()};
  p.packed.type = c.array.type();
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
  return p;
}

// Runs p; packed is read or written, or null.
void run(const choice& c, plan::indexed& p, const any_array* packed) {
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

bool share_bytes(const any_array& a, const any_array& b, const char* name) {
  const auto region = [&](const any_array& x) {
    const layout& l = access::lay(x, name);
    const auto at = std::int64_t(reinterpret_cast<std::intptr_t>(access::store(x)->data));
    return plan::region{&l.shape, &l.strides, at + l.offset, x.itemsize()};
  };
  return plan::may_overlap(region(a), region(b));
}

// The values to be stored, computed, of the array's type and beside its memory.
any_array values_for(const choice& c, operand source, const char* name) {
  any_array values = resolved(*source.array, name);
  if (values.type() != c.array.type()) {
    values = any_array();
    values = cast(source, c.array.type());
  }
  values.compute();
  return share_bytes(values, c.array, name) ? values.copy() : values;
}

}  // namespace

void gather_into(const choice& c, const any_array& out, const char* name) {
  plan::indexed p = plan_of(c, action::gather, name);
  run(c, p, &out);
}

any_array gather(const choice& c, const char* name) {
  any_array out = empty(c.shape, c.array.type(), c.array.device(), order::c, name);
  gather_into(c, out, name);
  return out;
}

void scatter(const choice& c, operand source, const char* name) {
  static const numwarp::shape scalar_shape;
  const numwarp::shape& given =
      source.array ? access::lay(*source.array, name).shape : scalar_shape;
  if (!assignable(given, c.shape)) {
    throw value_error(
        std::string(name) + ": shape mismatch: value array of shape " + plan::compact(given) +
        " could not be broadcast to indexing result of shape " + plan::compact(c.shape));
  }
  operand both[] = {source, {const_cast<any_array*>(&c.array), false, {}}};
  common_device(name, both);
  plan::constant_bits constant;
  any_array values;
  if (source.array) {
    values = values_for(c, source, name);
  } else {
    constant = to_bits(source.value, c.array.type(), name);
  }
  choice apart = c;
  for (choice::list& l : apart.lists) {
    if (share_bytes(l.values, c.array, name)) l.values = l.values.copy();
  }
  access::store(c.array)->launch_readers();
  plan::indexed p = plan_of(apart, action::scatter, name);
  if (!source.array) p.constant = &constant;
  run(apart, p, source.array ? &values : nullptr);
}

}  // namespace numwarp::detail
