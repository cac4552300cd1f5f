// any_array: views. Each computes a pending array first, then changes only the layout.
#include <algorithm>
#include <numwarp/error.hpp>
#include <numwarp/manipulation.hpp>

#include "plan/layout.hpp"
#include "plan/subscript.hpp"
#include "runtime/selection.hpp"
#include "runtime/statement.hpp"

namespace numwarp {

using detail::access;

namespace {

// The computed array behind a handle, ready to be seen through another layout.
const any_array& base_of(const any_array& a, const char* function) {
  const any_array& r = detail::resolved(a, function);
  access::store(r)->compute();
  return r;
}

any_array with_layout(const any_array& a, detail::layout l) {
  l.view = true;
  return access::make(access::store(a), std::move(l));
}

}  // namespace

any_array any_array::subscript(std::span<const detail::subscript> items) const {
  const any_array& a = base_of(*this, "subscript");
  const auto is_array = [](const detail::subscript& i) { return i.kind == i.array; };
  if (std::any_of(items.begin(), items.end(), is_array)) return detail::select(a, items);
  return with_layout(a, plan::subscript(access::lay(a, "subscript"), items).view);
}

any_array any_array::reshape(const numwarp::shape& s, numwarp::order o) const {
  const any_array& a = base_of(*this, "reshape");
  const auto& from = access::lay(a, "reshape");
  const bool f_order =
      o == order::f || (o == order::a && a.is_f_contiguous() && !a.is_c_contiguous());
  if (f_order) {
    // Column-major reshape is the row-major one of the transposes.
    numwarp::shape reversed = plan::resolve_reshape(from.shape, s);
    std::reverse(reversed.begin(), reversed.end());
    return a.transpose().reshape(reversed).transpose();
  }
  detail::layout l = from;
  l.shape = plan::resolve_reshape(from.shape, s);
  const auto strides = plan::reshape_strides(from.shape, from.strides, l.shape, a.itemsize());
  if (!strides) return a.copy(order::c).reshape(l.shape);
  l.strides = *strides;
  return with_layout(a, std::move(l));
}

any_array any_array::transpose(const axes& permutation) const {
  const any_array& a = base_of(*this, "transpose");
  const auto& from = access::lay(a, "transpose");
  detail::layout l = from;
  const int n = from.shape.size();
  if (permutation.given() && permutation.list().size() != n) {
    throw value_error("transpose: axes don't match array, got " + to_string(permutation.list()) +
                      " for array of dimension " + std::to_string(n));
  }
  const dims order =
      plan::normalize_axes(permutation, n, "transpose", "repeated axis in transpose");
  for (int i = 0; i < n; ++i) {
    const int at = permutation.given() ? int(order[i]) : n - 1 - i;
    l.shape[i] = from.shape[at];
    l.strides[i] = from.strides[at];
  }
  return with_layout(a, std::move(l));
}

any_array any_array::squeeze(const axes& chosen) const {
  const any_array& a = base_of(*this, "squeeze");
  detail::layout l = access::lay(a, "squeeze");
  // NumPy lets axis 0 of a 0-d array pass.
  const dims& given = chosen.list();
  const bool zero_of_scalar =
      l.shape.empty() && given.size() == 1 && (given[0] == 0 || given[0] == -1);
  const dims list =
      zero_of_scalar ? dims() : plan::normalize_axes(chosen, l.shape.size(), "squeeze");
  for (std::int64_t i : list) {
    if (l.shape[int(i)] != 1) {
      throw value_error(
          "squeeze: cannot select an axis to squeeze out which has size not equal to one, axis " +
          std::to_string(i) + " of shape " + to_string(l.shape));
    }
  }
  for (int i = l.shape.size() - 1; i >= 0; --i) {
    const bool named = std::find(list.begin(), list.end(), i) != list.end();
    if (l.shape[i] != 1 || (chosen.given() && !named)) continue;
    l.shape.erase(i);
    l.strides.erase(i);
  }
  return with_layout(a, std::move(l));
}

any_array any_array::expand_dims(const axes& places) const {
  const any_array& a = base_of(*this, "expand_dims");
  detail::layout l = access::lay(a, "expand_dims");
  const int n = l.shape.size() + places.list().size();
  if (n > max_ndim) {
    throw value_error("expand_dims: number of dimensions must be within [0, 64], got " +
                      std::to_string(n));
  }
  dims at = plan::normalize_axes(places, n, "expand_dims", "repeated axis");
  std::sort(at.begin(), at.end());
  for (std::int64_t i : at) {
    l.shape.insert(int(i), 1);
    l.strides.insert(int(i), 0);
  }
  return with_layout(a, std::move(l));
}

any_array any_array::broadcast_to(const numwarp::shape& s) const {
  const any_array& a = base_of(*this, "broadcast_to");
  detail::layout l = access::lay(a, "broadcast_to");
  if (std::any_of(s.begin(), s.end(), [](std::int64_t n) { return n < 0; })) {
    throw value_error("broadcast_to: all elements of broadcast shape must be non-negative, got " +
                      to_string(s));
  }
  plan::checked_size(s, "broadcast_to");
  if (s.empty() && !l.shape.empty()) {
    throw value_error("broadcast_to: cannot broadcast a non-scalar to a scalar array, got shape " +
                      to_string(l.shape));
  }
  if (l.shape.size() > s.size()) {
    throw value_error(
        "broadcast_to: input operand has more dimensions than allowed by the axis remapping, "
        "got shape " +
        to_string(l.shape) + " and requested shape " + to_string(s));
  }
  bool fits = true;
  for (int i = 1; fits && i <= l.shape.size(); ++i) {
    const std::int64_t n = l.shape[l.shape.size() - i];
    fits = n == 1 || n == s[s.size() - i];
  }
  if (!fits) {
    throw value_error(
        "broadcast_to: operands could not be broadcast together with remapped shapes "
        "[original->remapped]: " +
        plan::compact(l.shape) + " and requested shape " + plan::compact(s));
  }
  l.strides = plan::broadcast_strides(l.shape, l.strides, s);
  l.shape = s;
  l.writeable = false;
  return with_layout(a, std::move(l));
}

any_array any_array::flip(const axes& which) const {
  const any_array& a = base_of(*this, "flip");
  detail::layout l = access::lay(a, "flip");
  const dims list = plan::normalize_axes(which, l.shape.size(), "flip", "repeated axis");
  for (int i = 0; i < l.shape.size(); ++i) {
    if (which.given() && std::find(list.begin(), list.end(), i) == list.end()) continue;
    if (l.shape[i] > 0) l.offset += (l.shape[i] - 1) * l.strides[i];
    l.strides[i] = -l.strides[i];
  }
  return with_layout(a, std::move(l));
}

any_array any_array::view(dtype t) const {
  const any_array& a = base_of(*this, "view");
  detail::layout l = access::lay(a, "view");
  const int from = numwarp::itemsize(l.type), to = numwarp::itemsize(t);
  l.type = t;
  if (from == to) return with_layout(a, std::move(l));
  const int last = l.shape.size() - 1;
  if (last < 0) {
    throw value_error(
        "view: Changing the dtype of a 0d array is only supported if the itemsize is unchanged");
  }
  if (l.shape[last] != 1 && l.shape[last] != 0 && l.strides[last] != from) {
    throw value_error(
        "view: To change to a dtype of a different size, the last axis must be contiguous");
  }
  if (from > to) {
    l.shape[last] *= from / to;
  } else if (l.shape[last] * from % to == 0) {
    l.shape[last] = l.shape[last] * from / to;
  } else {
    throw value_error(
        "view: When changing to a larger dtype, its size must be a divisor of the total size in "
        "bytes "
        "of the last axis of the array, got " +
        std::to_string(l.shape[last] * from) + " bytes");
  }
  l.strides[last] = to;
  return with_layout(a, std::move(l));
}

any_array any_array::readonly() const {
  any_array out = base_of(*this, "readonly");
  access::raw_layout(out).writeable = false;
  access::raw_layout(out).view = true;
  return out;
}

any_array any_array::real() const {
  const any_array& a = base_of(*this, "real");
  detail::layout l = access::lay(a, "real");
  l.type = core::real_dtype(l.type);
  return with_layout(a, std::move(l));
}

any_array any_array::imag() const {
  const any_array& a = base_of(*this, "imag");
  detail::layout l = access::lay(a, "imag");
  if (kind(l.type) != 'c') {
    return detail::full(l.shape, l.type, false, a.device()).readonly();
  }
  l.type = core::real_dtype(l.type);
  l.offset += numwarp::itemsize(l.type);
  return with_layout(a, std::move(l));
}

shape broadcast_shapes(std::initializer_list<shape> shapes) {
  std::vector<const dims*> list;
  for (const shape& s : shapes) list.push_back(&s);
  return plan::broadcast_shapes(list, "broadcast_shapes");
}

namespace detail {

any_array swapaxes(const any_array& a, int first, int second) {
  const int n = access::lay(a, "swapaxes").shape.size();
  const int i = plan::normalize_axis(first, n, "swapaxes: axis1");
  const int j = plan::normalize_axis(second, n, "swapaxes: axis2");
  dims order;
  for (int k = 0; k < n; ++k) order.push_back(k == i ? j : k == j ? i : k);
  return a.transpose(axes(std::span<const std::int64_t>(order)));
}

any_array ravel(const any_array& a, order o) {
  const layout& l = access::lay(a, "ravel");
  if (o == order::k) {  // in the order of memory
    const dims here = plan::broadcast_strides(l.shape, l.strides, l.shape);
    const dims* const opinion[] = {&here};
    const dims strides = plan::k_order_strides(l.shape, opinion, a.itemsize());
    dims axis_order;
    for (int i = 0; i < strides.size(); ++i) axis_order.push_back(i);
    std::stable_sort(axis_order.begin(), axis_order.end(), [&](std::int64_t i, std::int64_t j) {
      return strides[int(i)] > strides[int(j)];
    });
    return ravel(a.transpose(axes(axis_order)), order::c);
  }
  if (o == order::f || (o == order::a && a.is_f_contiguous()))
    return ravel(a.transpose(), order::c);
  return (a.is_c_contiguous() ? a : a.copy(order::c)).reshape(-1);
}

any_array flatten(const any_array& a, order o) {
  const any_array& r = resolved(a, "flatten");
  any_array out = ravel(r, o);
  if (access::store(out) == access::store(r)) out = out.copy();
  access::raw_layout(out).view = false;  // of a copy that nobody else has
  return out;
}

any_array moveaxis(const any_array& a, const axes& from, const axes& to) {
  const int n = access::lay(a, "moveaxis").shape.size();
  const dims source =
      plan::normalize_axes(from, n, "moveaxis: source", "repeated axis in `source` argument");
  const dims target = plan::normalize_axes(to, n, "moveaxis: destination",
                                           "repeated axis in `destination` argument");
  if (source.size() != target.size()) {
    throw value_error(
        "moveaxis: `source` and `destination` arguments must have the same number of elements, "
        "got " +
        to_string(from.list()) + " and " + to_string(to.list()));
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> moves;
  for (int k = 0; k < source.size(); ++k) moves.emplace_back(target[k], source[k]);
  std::sort(moves.begin(), moves.end());
  dims order;
  for (int k = 0; k < n; ++k) {
    if (std::find(source.begin(), source.end(), k) == source.end()) order.push_back(k);
  }
  for (const auto& [at, axis] : moves) order.insert(int(at), axis);
  return a.transpose(axes(std::span<const std::int64_t>(order)));
}

any_array along(const any_array& a, int axis, const slice& s) {
  std::vector<subscript> items(static_cast<std::size_t>(axis), slice());
  items.emplace_back(s);
  return a.subscript(items);
}

any_array append_axes(const any_array& a, int n) {
  std::vector<subscript> items{ellipsis};
  for (int k = 0; k < n; ++k) items.emplace_back(newaxis);
  return a.subscript(items);
}

}  // namespace detail
}  // namespace numwarp
