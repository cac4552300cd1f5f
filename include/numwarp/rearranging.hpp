// New arrays made of an array's elements: moved around, repeated, with some added or taken away.
//
// All copy into new C-contiguous memory by one launch where nothing else is said. None waits,
// except for indices and counts that are arrays, whose values the host must know. Without an axis
// the array is flattened in C order. All throw axis_error for an axis that the array does not have.
#pragma once

#include <numwarp/integers.hpp>
#include <numwarp/joining.hpp>
#include <string_view>

namespace numwarp {

namespace detail {

any_array roll(const any_array& a, const integers& shift, const axes& axis);
any_array tile(const any_array& a, const integers& reps);
any_array repeat(const any_array& a, const integers& counts, axis_or_none axis);
any_array resize(const any_array& a, const shape& s);
any_array append(const any_array& a, const any_array& values, axis_or_none axis);

// Which elements of an axis delete_ and insert mean.
class places {
 public:
  template <class T>
  requires std::constructible_from<integers, T> places(const T& i) : list_(i) {}
  places(std::initializer_list<std::int64_t> list) : list_(list) {}
  places(const slice& s) : list_(0), range_(s) {}
  places(const any_array& a);
  template <element T> places(const ndarray<T>& a) : places(a.untyped()) {
    static_assert(std::is_integral_v<T>, "numwarp: indices are integers or bool");
  }
  // The indices, negative ones as they were given; those of the true elements of a mask.
  const integers& list() const { return list_; }
  const std::optional<slice>& range() const { return range_; }
  bool is_mask() const { return mask_length_ >= 0; }
  std::int64_t mask_length() const { return mask_length_; }
  int ndim() const { return ndim_; }  // of the array that was given

 private:
  integers list_ = 0;
  std::optional<slice> range_;
  std::int64_t mask_length_ = -1;
  int ndim_ = 1;
};
any_array delete_places(const any_array& a, const places& at, axis_or_none axis);
any_array insert(const any_array& a, const places& at, operand values, axis_or_none axis);
any_array trim_zeros(const any_array& a, std::string_view trim, const axes& axis);

}  // namespace detail

// Elements shifted along an axis, or each along its axis; those that leave at one end come in at
// the other. Shifts are taken modulo the length; an axis may be given several times. In a's order.
// value_error where the numbers of shifts and axes differ.
template <array_argument A> A roll(const A& a, const integers& shift, const axes& axis = {}) {
  return detail::like<A>(detail::roll(detail::as_untyped(a), shift, axis));
}

// The array as a whole again and again: tile(a, {2, 3}) is 2 down, 3 across. value_error for
// negative numbers.
template <array_argument A> A tile(const A& a, const integers& reps) {
  return detail::like<A>(detail::tile(detail::as_untyped(a), reps));
}

// Each element several times; counts is one number for all, or one for each element along the axis.
// value_error for negative counts and for a wrong number of them.
template <array_argument A> A repeat(const A& a, const integers& counts, axis_or_none axis = none) {
  return detail::like<A>(detail::repeat(detail::as_untyped(a), counts, axis));
}
template <array_argument A, std::integral T>
A repeat(const A& a, const ndarray<T>& counts, axis_or_none axis = none) {
  return repeat(a, integers(counts.to_vector()), axis);
}

// Another shape of any size: the elements in C order, from the start again where they are too few.
// Zeros for an array without elements.
template <array_argument A> A resize(const A& a, const shape& s) {
  return detail::like<A>(detail::resize(detail::as_untyped(a), s));
}

// concatenate({a, values}) along an axis, or of both flattened.
template <array_argument A, array_argument B,
          class R = typename detail::joined_type<void, A, B>::type>
R append(const A& a, const B& values, axis_or_none axis = none) {
  return detail::like<R>(detail::append(detail::as_untyped(a), detail::as_untyped(values), axis));
}

// Without the elements at an index, indices (a list, or an array of integers), a slice, or where a
// mask of bool is true. index_error for indices out of bounds, value_error for a mask of another
// length.
template <array_argument A>
A delete_(const A& a, const detail::places& at, axis_or_none axis = none) {
  return detail::like<A>(detail::delete_places(detail::as_untyped(a), at, axis));
}
// With values before the elements at an index, indices, a slice, or where a mask is true; they
// broadcast, and are converted to a's type. At one index all values are inserted, as
// numpy.insert(a, 1, [7, 8, 9]).
template <array_argument A, operand_argument V>
A insert(const A& a, const detail::places& at, V&& values, axis_or_none axis = none) {
  return detail::like<A>(
      detail::insert(detail::as_untyped(a), at, detail::to_operand(std::forward<V>(values)), axis));
}

// A view without the zeros at the front ("f"), the back ("b") or both, along all axes or some: what
// is left is the smallest box that holds all other elements. Waits. value_error for another `trim`.
template <array_argument A>
A trim_zeros(const A& a, std::string_view trim = "fb", const axes& axis = {}) {
  return detail::like<A>(detail::trim_zeros(detail::as_untyped(a), trim, axis));
}

}  // namespace numwarp
