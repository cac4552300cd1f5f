// Views under other shapes: functions with NumPy's names. None copies elements, except reshape and
// ravel where the strides leave no other way. A pending array is computed first. Never waits. All
// throw axis_error for an axis that the array does not have, value_error for one named twice and
// for null arrays.
#pragma once

#include <array>
#include <numwarp/ndarray.hpp>

namespace numwarp {

// The same elements in C (or F) order under another shape; one extent may be -1, "what is left".
// value_error where the sizes differ.
template <element T> ndarray<T> reshape(const ndarray<T>& a, const shape& s, order o = order::c) {
  return a.reshape(s, o);
}
// One-dimensional: reshape to {-1}.
template <element T> ndarray<T> ravel(const ndarray<T>& a, order o = order::c) {
  return a.ravel(o);
}
// Reversed axes, or a permutation of them (value_error where it does not name every axis).
template <element T> ndarray<T> transpose(const ndarray<T>& a, const axes& permutation = {}) {
  return a.transpose(permutation);
}
// With these two axes exchanged.
template <element T> ndarray<T> swapaxes(const ndarray<T>& a, int first, int second) {
  return a.swapaxes(first, second);
}
// Axes `source` go to the places `destination`; the others keep their order.
template <element T>
ndarray<T> moveaxis(const ndarray<T>& a, const axes& source, const axes& destination) {
  return ndarray<T>::from_any_unchecked(detail::moveaxis(a.untyped(), source, destination));
}
// Without the axes of length one, or without the named ones (value_error if one is longer).
template <element T> ndarray<T> squeeze(const ndarray<T>& a, const axes& which = {}) {
  return a.squeeze(which);
}
// With axes of length one at these places of the result.
template <element T> ndarray<T> expand_dims(const ndarray<T>& a, const axes& places) {
  return ndarray<T>::from_any_unchecked(a.untyped().expand_dims(places));
}
// A read-only view in which elements repeat along new axes and axes of length one. value_error
// where the shape does not broadcast to s.
template <element T> ndarray<T> broadcast_to(const ndarray<T>& a, const shape& s) {
  return ndarray<T>::from_any_unchecked(a.untyped().broadcast_to(s));
}
// The shape that arrays of these shapes broadcast to. value_error in NumPy's words.
shape broadcast_shapes(std::initializer_list<shape> shapes);
// All arrays as views of their common shape; read-only.
template <element T, std::same_as<ndarray<T>>... Rest>
std::array<ndarray<T>, 1 + sizeof...(Rest)> broadcast_arrays(const ndarray<T>& a,
                                                             const Rest&... rest) {
  const shape s = broadcast_shapes({a.shape(), rest.shape()...});
  return {broadcast_to(a, s), broadcast_to(rest, s)...};
}
// Elements in reverse order along all axes, or along these.
template <element T> ndarray<T> flip(const ndarray<T>& a, const axes& which = {}) {
  return ndarray<T>::from_any_unchecked(a.untyped().flip(which));
}
// A view that cannot be written through.
template <element T> ndarray<T> readonly(const ndarray<T>& a) { return a.readonly(); }

}  // namespace numwarp
