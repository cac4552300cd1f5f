// Elements by their indices: functions with NumPy's names. Indices are arrays of integers of any
// type. One that is out of bounds is an index_error: at once on the CPU, at the next wait of the
// stream on a GPU, where then nothing has been written. Arrays must be on one device
// (device_error). Functions that look for true elements wait for their number; the others never
// wait.
#pragma once

#include <array>
#include <initializer_list>
#include <numwarp/error.hpp>
#include <numwarp/ndarray.hpp>
#include <span>
#include <vector>

namespace numwarp {

// ---- reading ----

// The elements of a at these indices along an axis, which the axes of `indices` replace; of the
// flattened array without one. take(a, i, {.axis = 0, .out = b, .mode = index_mode::clip}).
// index_error for taking something from an empty axis. With out= and the mode raise it waits, so
// that a bad index leaves `out` as it was.
template <element T, detail::index_array I>
ndarray<T> take(const ndarray<T>& a, const I& indices,
                const std::type_identity_t<take_options<T>>& o = {}) {
  return a.take(indices, o);
}
template <element T, detail::index_array I>
ndarray<T> take(const ndarray<T>& a, const I& indices, int axis) {
  return a.take(indices, {.axis = axis});
}
// out[i, j, k] = a[i, indices[i, j, k], k] for axis 1; along the other axes the two broadcast.
// std::nullopt: of the flattened array. value_error unless both have as many axes.
template <element T, detail::index_array I>
ndarray<T> take_along_axis(const ndarray<T>& a, const I& indices, std::optional<int> axis = -1) {
  return ndarray<T>::from_any_unchecked(
      detail::take_along_axis(a.untyped(), detail::as_any(indices), axis));
}
// The slices along an axis for which a one-dimensional condition is true; a shorter condition
// leaves the rest out. value_error for a condition of other ranks. Waits.
template <array_argument C, element T>
ndarray<T> compress(const C& condition, const ndarray<T>& a,
                    const std::type_identity_t<compress_options<T>>& o = {}) {
  return a.compress(condition, o);
}
template <array_argument C, element T>
ndarray<T> compress(const C& condition, const ndarray<T>& a, int axis) {
  return a.compress(condition, {.axis = axis});
}
// The elements of a where the condition is true, both flattened. Waits.
template <array_argument C, element T> ndarray<T> extract(const C& condition, const ndarray<T>& a) {
  return ndarray<T>::from_any_unchecked(detail::extract(detail::as_any(condition), a.untyped()));
}
// out[i] = choices[a[i]][i], all of them broadcast. choices: arrays of one type, or one array, of
// which they are the rows. value_error, for which it waits, for an index without a choice.
template <detail::index_array I, element T>
ndarray<T> choose(const I& a, const ndarray<T>& choices,
                  const std::type_identity_t<choose_options<T>>& o = {}) {
  return ndarray<T>::from_any_unchecked(detail::choose(
      detail::as_any(a), choices.untyped(), {.axis = {}, .out = o.out.get(), .mode = o.mode}));
}
template <detail::index_array I, element T>
ndarray<T> choose(const I& a, const std::vector<ndarray<T>>& choices,
                  const std::type_identity_t<choose_options<T>>& o = {}) {
  std::vector<any_array> list;
  for (const ndarray<T>& c : choices) list.push_back(c.untyped());
  return ndarray<T>::from_any_unchecked(
      detail::choose(detail::as_any(a), list, {.axis = {}, .out = o.out.get(), .mode = o.mode}));
}
template <detail::index_array I, element T>
ndarray<T> choose(const I& a, std::initializer_list<ndarray<T>> choices,
                  const std::type_identity_t<choose_options<T>>& o = {}) {
  return choose(a, std::vector<ndarray<T>>(choices), o);
}

// ---- writing ----
// All write into a: value_error where it is read-only. Values, arrays or scalars, are converted to
// a's type; of equal indices the last one wins.

// a.flat[indices] = values, repeated as often as needed.
template <element T, detail::index_array I, operand_argument V>
void put(const ndarray<T>& a, const I& indices, V&& values, put_options o = {}) {
  a.put(indices, std::forward<V>(values), o);
}
// The reverse of take_along_axis; values broadcast to the indices.
template <element T, detail::index_array I, operand_argument V>
void put_along_axis(const ndarray<T>& a, const I& indices, V&& values, std::optional<int> axis) {
  detail::put_along_axis(a.untyped(), detail::as_any(indices),
                         detail::to_operand(std::forward<V>(values)), axis);
}
// a.flat[i] = values[i], repeated as often as needed, where the mask, of a's size, is true.
template <element T, array_argument M, operand_argument V>
void putmask(const ndarray<T>& a, const M& mask, V&& values) {
  detail::putmask(a.untyped(), detail::as_any(mask), detail::to_operand(std::forward<V>(values)));
}
// The first values go where the mask is true, again and again if they are too few; value_error for
// none. Waits.
template <element T, array_argument M, operand_argument V>
void place(const ndarray<T>& a, const M& mask, V&& values) {
  detail::place(a.untyped(), detail::as_any(mask), detail::to_operand(std::forward<V>(values)));
}

// ---- the places of elements other than zero; all wait for their number ----

// Their indices, an array of int64 for each axis, in C order. value_error for 0-d arrays.
// nonzero<2>(a) gives a std::array, for auto [i, j] = ...; value_error for another rank.
template <element T> std::vector<ndarray<std::int64_t>> nonzero(const ndarray<T>& a) {
  return a.nonzero();
}
template <std::size_t N, element T>
std::array<ndarray<std::int64_t>, N> nonzero(const ndarray<T>& a) {
  if (a.ndim() != int(N)) detail::throw_count_of_axes(int(N), a.ndim(), "nonzero");
  std::array<ndarray<std::int64_t>, N> out;
  std::vector<ndarray<std::int64_t>> list = a.nonzero();
  std::move(list.begin(), list.end(), out.begin());
  return out;
}
// Their indices in the flattened array.
template <element T> ndarray<std::int64_t> flatnonzero(const ndarray<T>& a) {
  return ndarray<std::int64_t>::from_any_unchecked(detail::flatnonzero(a.untyped()));
}
// Their indices as rows: of shape (number, a.ndim()).
template <element T> ndarray<std::int64_t> argwhere(const ndarray<T>& a) {
  return ndarray<std::int64_t>::from_any_unchecked(detail::argwhere(a.untyped()));
}

}  // namespace numwarp
