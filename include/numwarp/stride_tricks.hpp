// Views through strides of the caller's choice. NumPy has them in numpy.lib.stride_tricks.
//
// The elements of such a view may lie in the same memory. Which of several writes to one of them is
// the last is not specified. A pending array is computed first; none waits, none copies.
#pragma once

#include <numwarp/ndarray.hpp>
#include <optional>

namespace numwarp {

namespace detail {

any_array as_strided(const any_array& a, const shape& s, const dims& strides, bool writeable);
any_array sliding_window_view(const any_array& a, const shape& window, const axes& along,
                              bool writeable);

}  // namespace detail

// a's memory from its first element on, as an array of this shape with these strides in bytes; by
// default those of a. value_error for elements beyond the buffer, for another number of strides
// than extents, and for strides that are no multiples of the element's size.
struct as_strided_options {
  std::optional<numwarp::shape> shape = std::nullopt;
  std::optional<numwarp::shape> strides = std::nullopt;
  bool writeable = true;
};
template <element T> ndarray<T> as_strided(const ndarray<T>& a, const as_strided_options& o) {
  return ndarray<T>::from_any_unchecked(
      detail::as_strided(a.untyped(), o.shape ? *o.shape : a.shape(),
                         o.strides ? *o.strides : a.strides(), o.writeable));
}
template <element T>
ndarray<T> as_strided(const ndarray<T>& a, const shape& s, const shape& strides,
                      bool writeable = true) {
  return ndarray<T>::from_any_unchecked(detail::as_strided(a.untyped(), s, strides, writeable));
}

// All windows of a shape: a view with the places of the window first and the window behind,
// read-only unless asked for otherwise. axis: where the window's extents lie, by default the axes
// of a in order; an axis may be named twice. value_error for a window that is larger than a,
// negative, or of another number of extents than axes; axis_error for an axis that a does not have.
struct sliding_window_view_options {
  axes axis = {};
  bool writeable = false;
};
template <element T>
ndarray<T> sliding_window_view(const ndarray<T>& a, const shape& window,
                               const sliding_window_view_options& o = {}) {
  return ndarray<T>::from_any_unchecked(
      detail::sliding_window_view(a.untyped(), window, o.axis, o.writeable));
}

}  // namespace numwarp
