// delete_, insert.
#include <algorithm>
#include <numeric>
#include <numwarp/error.hpp>
#include <numwarp/rearranging.hpp>

#include "plan/layout.hpp"
#include "plan/subscript.hpp"
#include "runtime/copies.hpp"
#include "runtime/indexing.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

// An axis of an array, which is flattened where none is given.
struct edited {
  any_array array;
  int axis;
  std::int64_t length;

  edited(const any_array& a, axis_or_none given, const char* name) : array(resolved(a, name)) {
    if (!given.value()) array = array.ndim() == 1 ? array : ravel(array, order::c);
    axis = plan::normalize_axis(given.value().value_or(-1), array.ndim(), name);
    length = array.shape()[axis];
  }
  any_array part(std::int64_t first, std::int64_t last) const {
    return along(array, axis, slice(first, last));
  }
  // Uninitialised, of another length along the axis; in F order where the array is in F order only.
  any_array resized(std::int64_t n, const char* name) const {
    numwarp::shape s = array.shape();
    s[axis] = n;
    const bool f_order = array.is_f_contiguous() && !array.is_c_contiguous();
    return empty(s, array.type(), array.device(), f_order ? order::f : order::c, name);
  }
};

// An axis split into blocks of n elements, each without those from `kept` on: a view.
any_array blocks_of(const any_array& a, int axis, std::int64_t n, std::int64_t kept) {
  numwarp::shape s = a.shape();
  s[axis] /= n;
  s.insert(axis + 1, n);
  return along(a.reshape(s), axis + 1, slice(0, kept));
}

// Without n elements from `first` on, `step` apart.
any_array without_range(const edited& e, std::int64_t first, std::int64_t n, std::int64_t step) {
  any_array to = e.resized(e.length - n, "delete_");
  copies c(to, "delete_");
  c.add(along(to, e.axis, slice(0, first)), e.part(0, first));
  const std::int64_t last = first + (n - 1) * step, after = last + 1 - n;  // in `to`
  if (n > 1 && step > 1) {
    c.add(blocks_of(along(to, e.axis, slice(first, after)), e.axis, step - 1, step - 1),
          blocks_of(e.part(first + 1, last + 1), e.axis, step, step - 1));
  }
  c.add(along(to, e.axis, slice(after, none)), e.part(last + 1, e.length));
  c.launch();
  return to;
}

// Without the elements of a list, which may name one twice. NumPy selects by a mask here, which
// puts the axis first in memory.
any_array without_each(const edited& e, const dims& list) {
  std::vector<bool> gone(std::size_t(e.length), false);
  for (const std::int64_t i : list) gone[std::size_t(i)] = true;
  dims kept;
  for (std::int64_t i = 0; i < e.length; ++i) {
    if (!gone[std::size_t(i)]) kept.push_back(i);
  }
  return moveaxis(elements_at(moveaxis(e.array, e.axis, 0), 0, kept, "delete_"), 0, e.axis);
}

std::int64_t checked_place(std::int64_t i, const edited& e, std::int64_t most, const char* name) {
  if (i >= -e.length && i <= most) return i < 0 ? i + e.length : i;
  throw index_error(std::string(name) + ": index " + std::to_string(i) +
                    " is out of bounds for axis " + std::to_string(e.axis) + " with size " +
                    std::to_string(e.length));
}

}  // namespace

places::places(const any_array& given) {
  const any_array& a = resolved(given, "subscript");
  const bool mask = a.type() == dtype::bool_;
  if (!mask && !core::is_integer(a.type())) {
    throw index_error(
        "subscript: arrays used as indices must be of integer (or boolean) type, got " +
        std::string(name(a.type())));
  }
  std::vector<std::int64_t> values(std::size_t(a.size()));
  to_host(a.astype(dtype::int64), values.data());
  ndim_ = a.ndim();
  if (!mask) {
    list_ = a.ndim() == 0 ? integers(values[0]) : integers(values);
    return;
  }
  mask_length_ = a.size();
  dims chosen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i]) chosen.push_back(std::int64_t(i));
  }
  list_ = integers(chosen);
}

any_array delete_places(const any_array& a, const places& at, axis_or_none axis) {
  const edited e(a, axis, "delete_");
  if (at.range()) {
    auto [start, step, count] = plan::resolve(*at.range(), e.length);
    if (count == 0) return without_range(e, 0, 0, 1);
    return without_range(e, step < 0 ? start + (count - 1) * step : start, count, std::abs(step));
  }
  if (at.is_mask() && (at.ndim() != 1 || at.mask_length() != e.length)) {
    throw value_error(
        "delete_: boolean array argument obj to delete must be one dimensional and match the axis "
        "length of " +
        std::to_string(e.length));
  }
  dims list = at.list().list();
  for (std::int64_t& i : list) i = checked_place(i, e, e.length - 1, "delete_");
  return list.size() == 1 && !at.is_mask() ? without_range(e, list[0], 1, 1)
                                           : without_each(e, list);
}

namespace {

// The values as an array of type t with at least n axes.
any_array values_like(operand values, dtype t, device d, int n) {
  any_array v = values.array ? resolved(*values.array, "insert")
                             : full({}, t, values.value, d, order::c, "insert");
  if (v.type() != t) v = v.astype(t);
  while (v.ndim() < n) v = v.expand_dims(0);
  return v;
}

any_array insert_at(const edited& e, std::int64_t place, bool single, any_array values) {
  if (single) values = moveaxis(values, 0, e.axis);
  const std::int64_t n = values.shape()[e.axis];
  any_array to = e.resized(e.length + n, "insert");
  const any_array gap = along(to, e.axis, slice(place, place + n));
  check_assignable(gap, values.shape(), "insert");
  copies c(to, "insert");
  c.add(along(to, e.axis, slice(0, place)), e.part(0, place));
  c.add(gap, drop_leading(values, gap.ndim()));
  c.add(along(to, e.axis, slice(place + n, none)), e.part(place, e.length));
  c.launch();
  return to;
}

// values[k] before element at[k]; in the order in which they are given where places are equal.
any_array insert_each(const edited& e, const dims& at, const any_array& values) {
  const int n = at.size();
  std::vector<int> order(std::size_t(n), 0);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return at[i] < at[j]; });
  any_array to = e.resized(e.length + n, "insert");
  numwarp::shape s = to.shape();
  s[e.axis] = n;
  if (!assignable(values.shape(), s)) {
    throw value_error("insert: shape mismatch: value array of shape " +
                      plan::compact(values.shape()) +
                      " could not be broadcast to indexing result of shape " + plan::compact(s));
  }
  const any_array wide = drop_leading(values, s.size()).broadcast_to(s);
  copies c(to, "insert");
  std::int64_t from = 0;  // of the array, up to here
  for (int k = 0; k < n;) {
    const int first = order[std::size_t(k)];
    const std::int64_t place = at[first];
    int count = 1;  // values that stay neighbours
    while (k + count < n && order[std::size_t(k) + std::size_t(count)] == first + count &&
           at[first + count] == place)
      ++count;
    c.add(along(to, e.axis, slice(from + k, place + k)), e.part(from, place));
    c.add(along(to, e.axis, slice(place + k, place + k + count)),
          along(wide, e.axis, slice(first, first + count)));
    from = place;
    k += count;
  }
  c.add(along(to, e.axis, slice(from + n, none)), e.part(from, e.length));
  c.launch();
  return to;
}

}  // namespace

any_array insert(const any_array& a, const places& at, operand values, axis_or_none axis) {
  const edited e(a, axis, "insert");
  if (at.ndim() > 1) {
    throw value_error(
        "insert: index array argument obj to insert must be one dimensional or scalar");
  }
  dims list = at.list().list();
  if (at.range()) {
    const auto [start, step, count] = plan::resolve(*at.range(), e.length);
    list.clear();
    for (std::int64_t k = 0; k < count; ++k) list.push_back(start + k * step);
  }
  for (std::int64_t& i : list) i = checked_place(i, e, e.length, "insert");
  const any_array v =
      values_like(values, e.array.type(), e.array.device(), list.size() == 1 ? e.array.ndim() : 0);
  if (list.size() == 1) return insert_at(e, list[0], at.list().single() && !at.range(), v);
  return insert_each(e, list, v);
}

}  // namespace numwarp::detail
