// Shapes and views: functions with NumPy's names. None copies elements, except where it says so. A
// pending array is computed first. Never waits. All throw axis_error for an axis that the array
// does not have, value_error for one named twice and for null arrays.
//
// More of NumPy's manipulation routines: joining.hpp, splitting.hpp, rearranging.hpp, padding.hpp.
#pragma once

#include <array>
#include <numwarp/detail/array_lists.hpp>
#include <optional>
#include <tuple>

namespace numwarp {

namespace detail {

void copyto(const any_array& dst, operand source, casting rule, const any_array* where);
any_array reshape(const any_array& a, const shape& s, order o, std::optional<bool> copy);
any_array atleast(const any_array& a, int ndim, const char* function);
any_array matrix_transpose(const any_array& a);
any_array rollaxis(const any_array& a, int axis, int start);
any_array fliplr(const any_array& a);
any_array flipud(const any_array& a);
any_array rot90(const any_array& a, std::int64_t k, const axes& plane);
any_array in_order(const any_array& a, order o, const char* function);
any_array require(const any_array& a, dtype t, const array_flags& wanted);

}  // namespace detail

// dst[...] = source where the mask is true; the source, an array or a scalar, and the mask
// broadcast. Launched at the call. type_error for a conversion that `casting` does not allow.
struct copyto_options {
  numwarp::casting casting = casting::same_kind;
  detail::where_argument<bool> where = {};
};
template <array_argument A, operand_argument B>
void copyto(const A& dst, B&& source, copyto_options o = {}) {
  detail::copyto(detail::as_untyped(dst), detail::to_operand(std::forward<B>(source)), o.casting,
                 o.where.get());
}

// The same elements in C (or F) order under another shape; one extent may be -1, "what is left". A
// copy where the strides leave no other way; always with .copy = true, never with .copy = false
// (value_error). value_error where the sizes differ.
struct reshape_options {
  numwarp::order order = order::c;
  std::optional<bool> copy = std::nullopt;
};
template <array_argument A> A reshape(const A& a, const shape& s, order o = order::c) {
  return detail::like<A>(detail::as_untyped(a).reshape(s, o));
}
template <array_argument A> A reshape(const A& a, const shape& s, reshape_options o) {
  return detail::like<A>(detail::reshape(detail::as_untyped(a), s, o.order, o.copy));
}
// One-dimensional; a copy where the elements do not lie in that order.
template <array_argument A> A ravel(const A& a, order o = order::c) {
  return detail::like<A>(detail::ravel(detail::as_untyped(a), o));
}
// Reversed axes, or a permutation of them (value_error where it does not name every axis).
template <array_argument A> A transpose(const A& a, const axes& permutation = {}) {
  return detail::like<A>(detail::as_untyped(a).transpose(permutation));
}
template <array_argument A> A permute_dims(const A& a, const axes& permutation = {}) {
  return transpose(a, permutation);
}
// With the last two axes exchanged; value_error for fewer.
template <array_argument A> A matrix_transpose(const A& a) {
  return detail::like<A>(detail::matrix_transpose(detail::as_untyped(a)));
}
// With these two axes exchanged.
template <array_argument A> A swapaxes(const A& a, int first, int second) {
  return detail::like<A>(detail::swapaxes(detail::as_untyped(a), first, second));
}
// Axes `source` go to the places `destination`; the others keep their order.
template <array_argument A> A moveaxis(const A& a, const axes& source, const axes& destination) {
  return detail::like<A>(detail::moveaxis(detail::as_untyped(a), source, destination));
}
// With an axis moved to before the axis `start`.
template <array_argument A> A rollaxis(const A& a, int axis, int start = 0) {
  return detail::like<A>(detail::rollaxis(detail::as_untyped(a), axis, start));
}
// Without the axes of length one, or without the named ones (value_error if one is longer).
template <array_argument A> A squeeze(const A& a, const axes& which = {}) {
  return detail::like<A>(detail::as_untyped(a).squeeze(which));
}
// With axes of length one at these places of the result.
template <array_argument A> A expand_dims(const A& a, const axes& places) {
  return detail::like<A>(detail::as_untyped(a).expand_dims(places));
}

// With axes of length one added: for atleast_3d, n elements become (1, n, 1), and m x n ones (m, n,
// 1); for the others they come first. Of several arrays a tuple.
#define NW_ATLEAST(name, n)                                                   \
  template <array_argument A> A name(const A& a) {                            \
    return detail::like<A>(detail::atleast(detail::as_untyped(a), n, #name)); \
  }                                                                           \
  template <array_argument... A>                                              \
  requires(sizeof...(A) > 1) std::tuple<A...> name(const A&... a) { return {name(a)...}; }
NW_ATLEAST(atleast_1d, 1)
NW_ATLEAST(atleast_2d, 2)
NW_ATLEAST(atleast_3d, 3)
#undef NW_ATLEAST

// A read-only view in which elements repeat along new axes and axes of length one. value_error
// where the shape does not broadcast to s.
template <array_argument A> A broadcast_to(const A& a, const shape& s) {
  return detail::like<A>(detail::as_untyped(a).broadcast_to(s));
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
template <element A, element B, element... Rest>
requires(!(std::same_as<A, B> && ... && std::same_as<A, Rest>))
    std::tuple<ndarray<A>, ndarray<B>, ndarray<Rest>...> broadcast_arrays(
        const ndarray<A>& a, const ndarray<B>& b, const ndarray<Rest>&... rest) {
  const shape s = broadcast_shapes({a.shape(), b.shape(), rest.shape()...});
  return {broadcast_to(a, s), broadcast_to(b, s), broadcast_to(rest, s)...};
}
// The shape that arrays have together, and how many they are; their elements are had by
// broadcast_arrays. value_error in NumPy's words.
class broadcast {
 public:
  template <array_argument... A>
  requires(sizeof...(A) > 0) explicit broadcast(const A&... arrays)
      : shape_(broadcast_shapes({arrays.shape()...})), numiter_(int(sizeof...(A))) {}

  const numwarp::shape& shape() const { return shape_; }
  int ndim() const { return shape_.size(); }
  int numiter() const { return numiter_; }
  std::int64_t size() const {
    std::int64_t n = 1;
    for (const std::int64_t extent : shape_) n *= extent;
    return n;
  }

 private:
  numwarp::shape shape_;
  int numiter_;
};

// Elements in reverse order along all axes, or along these; along axis 1 and 0 (value_error for
// fewer axes than that takes).
template <array_argument A> A flip(const A& a, const axes& which = {}) {
  return detail::like<A>(detail::as_untyped(a).flip(which));
}
template <array_argument A> A fliplr(const A& a) {
  return detail::like<A>(detail::fliplr(detail::as_untyped(a)));
}
template <array_argument A> A flipud(const A& a) {
  return detail::like<A>(detail::flipud(detail::as_untyped(a)));
}
// Turned k times by 90 degrees in the plane of two axes, from the first towards the second.
template <array_argument A> A rot90(const A& a, std::int64_t k = 1, const axes& plane = {0, 1}) {
  return detail::like<A>(detail::rot90(detail::as_untyped(a), k, plane));
}

// A contiguous array, in C or F order, with these elements: a itself where it is one, else a copy.
// A 0-d array gets an axis.
template <array_argument A> A ascontiguousarray(const A& a) {
  return detail::like<A>(detail::in_order(detail::as_untyped(a), order::c, "ascontiguousarray"));
}
template <array_argument A> A asfortranarray(const A& a) {
  return detail::like<A>(detail::in_order(detail::as_untyped(a), order::f, "asfortranarray"));
}
// An array for which the wanted flags hold, and of type T where it is given: a itself where it is
// one, else a copy. value_error for both orders.
template <class D = void, array_argument A, class R = typename detail::joined_type<D, A>::type>
R require(const A& a, array_flags wanted = {}) {
  const any_array& u = detail::as_untyped(a);
  return detail::like<R>(detail::require(u, detail::dtype_or<D>(u.type()), wanted));
}

// A view that cannot be written through.
template <array_argument A> A readonly(const A& a) {
  return detail::like<A>(detail::as_untyped(a).readonly());
}

}  // namespace numwarp
