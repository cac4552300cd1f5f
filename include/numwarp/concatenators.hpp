// r_ and c_: arrays put together from ranges, scalars and arrays.
#pragma once

#include <numwarp/ranges.hpp>
#include <span>
#include <vector>

namespace numwarp {

namespace detail {

template <class T> inline constexpr bool is_range = false;
template <class T> inline constexpr bool is_range<range<T>> = true;
template <class I>
concept row_item = is_range<std::remove_cvref_t<I>> || typed_array<I> || scalar_argument<I>;

// What an item brings to the type of the whole: a range counts as an array, a scalar is weak.
template <class I> consteval type_argument item_type() {
  using T = std::remove_cvref_t<I>;
  if constexpr (is_range<T>) {
    return {dtype_of<decltype(std::declval<T>().start())>, true, 0};
  } else {
    return type_argument_of<I>();
  }
}
template <class... I> consteval dtype row_items_type() {
  const type_argument list[] = {{dtype::bool_, true, 0}, item_type<I>()...};  // where's condition
  return promote_arguments(op_code::where, list, 1 + int(sizeof...(I)));
}

// An item as an array: a scalar as a 0-d one of type t.
template <class I> any_array item_array(const I& item, dtype t, const char* function) {
  if constexpr (is_range<I>) {
    return mgrid(item).untyped();
  } else if constexpr (typed_array<I>) {
    return item.untyped();
  } else {
    return full(shape(), t, scalar(item), default_device(), order::c, function);
  }
}

}  // namespace detail

// How r_ joins, NumPy's r_['axis,ndmin,trans1d', ...]: along which axis, with how many axes at
// least, and which of these is the first of an item that has fewer (-1: its axes are the last
// ones).
struct r_options {
  int axis = 0;
  int ndmin = 1;
  int trans1d = -1;
};

namespace detail {

any_array join_items(std::span<const any_array> items, const r_options& o, dtype t,
                     const char* function);

template <class... I> auto join_items(const r_options& o, const char* function, const I&... items) {
  constexpr dtype t = row_items_type<I...>();
  const any_array list[] = {item_array(items, t, function)...};
  return ndarray<type_of<t>>::from_any_unchecked(join_items(list, o, t, function));
}

}  // namespace detail

// Ranges, scalars and arrays one behind the other, NumPy's r_[0:5, 7, a]:
//   r_(range(5), 7, a)
// Arrays of more axes are joined along the first. Their common type; scalars are weak. None waits.
// value_error where the other axes differ, overflow_error for an integer that the type cannot hold,
// device_error for arrays that are not on the default device among scalars and ranges.
template <detail::row_item... I>
requires(sizeof...(I) > 0) auto r_(const I&... items) {
  return detail::join_items({}, "r_", items...);
}
// NumPy's r_['1,2,0', a, b]: r_(r_options{1, 2, 0}, a, b). An axis out of range is an axis_error.
template <detail::row_item... I>
requires(sizeof...(I) > 0) auto r_(const r_options& o, const I&... items) {
  return detail::join_items(o, "r_", items...);
}
// The same as columns, r_options{-1, 2, 0}: one-dimensional items stand side by side, others are
// joined along the last axis.
template <detail::row_item... I>
requires(sizeof...(I) > 0) auto c_(const I&... items) {
  return detail::join_items({-1, 2, 0}, "c_", items...);
}

}  // namespace numwarp
