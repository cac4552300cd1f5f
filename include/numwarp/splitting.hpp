// Arrays cut into views along an axis. None copies or waits; a pending array is computed first. All
// throw axis_error for an axis that the array does not have.
#pragma once

#include <numwarp/detail/array_lists.hpp>
#include <numwarp/integers.hpp>

namespace numwarp {

namespace detail {

std::vector<any_array> split(const any_array& a, const integers& at, int axis, bool equal,
                             const char* name);
std::vector<any_array> hsplit(const any_array& a, const integers& at);
std::vector<any_array> vsplit(const any_array& a, const integers& at);
std::vector<any_array> dsplit(const any_array& a, const integers& at);
std::vector<any_array> unstack(const any_array& a, int axis);

}  // namespace detail

// Into `at` parts of one length (value_error where it does not divide), or at indices: split(a, {2,
// 5}) gives a[:2], a[2:5], a[5:].
template <array_argument A> std::vector<A> split(const A& a, const integers& at, int axis = 0) {
  return detail::like<A>(detail::split(detail::as_untyped(a), at, axis, true, "split"));
}
// The same, where the first parts may be longer by one.
template <array_argument A>
std::vector<A> array_split(const A& a, const integers& at, int axis = 0) {
  return detail::like<A>(detail::split(detail::as_untyped(a), at, axis, false, "array_split"));
}
// Along axis 1, of one-dimensional arrays axis 0; along axis 0 of at least two; along axis 2 of at
// least three (value_error for fewer).
template <array_argument A> std::vector<A> hsplit(const A& a, const integers& at) {
  return detail::like<A>(detail::hsplit(detail::as_untyped(a), at));
}
template <array_argument A> std::vector<A> vsplit(const A& a, const integers& at) {
  return detail::like<A>(detail::vsplit(detail::as_untyped(a), at));
}
template <array_argument A> std::vector<A> dsplit(const A& a, const integers& at) {
  return detail::like<A>(detail::dsplit(detail::as_untyped(a), at));
}
// The sub-arrays along an axis, without it.
template <array_argument A> std::vector<A> unstack(const A& a, int axis = 0) {
  return detail::like<A>(detail::unstack(detail::as_untyped(a), axis));
}

}  // namespace numwarp
