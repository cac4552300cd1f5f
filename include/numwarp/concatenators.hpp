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

any_array join_rows(std::span<const any_array> items, dtype t);
any_array join_columns(std::span<const any_array> items, dtype t);

}  // namespace detail

// Ranges, scalars and arrays one behind the other, NumPy's r_[0:5, 7, a]:
//   r_(range(5), 7, a)
// Arrays of more axes are joined along the first. Their common type; scalars are weak. None waits.
// value_error where the other axes differ, overflow_error for an integer that the type cannot hold,
// device_error for arrays that are not on the default device among scalars and ranges.
template <detail::row_item... I>
requires(sizeof...(I) > 0) auto r_(const I&... items) {
  constexpr dtype t = detail::row_items_type<I...>();
  const any_array list[] = {detail::item_array(items, t, "r_")...};
  return ndarray<type_of<t>>::from_any_unchecked(detail::join_rows(list, t));
}
// The same as columns: one-dimensional items stand side by side, others are joined along the last
// axis.
template <detail::row_item... I>
requires(sizeof...(I) > 0) auto c_(const I&... items) {
  constexpr dtype t = detail::row_items_type<I...>();
  const any_array list[] = {detail::item_array(items, t, "c_")...};
  return ndarray<type_of<t>>::from_any_unchecked(detail::join_columns(list, t));
}

}  // namespace numwarp
