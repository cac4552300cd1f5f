// Products of matrices and vectors.
//
// Result types are NumPy's promotion; bool products are "or" of "and"s, integers wrap around,
// float16 and bfloat16 are summed in float32 and rounded once (bfloat16 stays bfloat16, also where
// NumPy lacks the loop). The result is computed at the call, not pending; no function waits for a
// GPU. Operands that are transposed, sliced or strided go to BLAS as they lie wherever it can take
// them; out= may overlap the operands.
//
// All throw value_error in NumPy's words for shapes that do not go together and for an out= that
// does not fit, device_error for operands on two devices. any_array operands: type_error for an
// out= that the result does not cast to.
#pragma once

#include <numwarp/ndarray.hpp>

namespace numwarp {

// Keyword arguments of products: the array that is written and returned.
template <class R> struct product_options {
  detail::out_argument<R> out = {};
};
struct untyped_product_options {
  any_array out = {};
};

namespace detail {

any_array matmul(const any_array& a, const any_array& b, const any_array* out);
any_array dot(const any_array& a, const any_array& b, const any_array* out);
any_array outer(const any_array& a, const any_array& b, const any_array* out);
any_array inner(const any_array& a, const any_array& b);
any_array vdot(const any_array& a, const any_array& b);

template <class A, class B>
using product_element = type_of<dtype(result_tag<core::op::multiply, A, B>())>;

template <class A, class B>
concept untyped_pair =
    array_argument<A> && array_argument<B> && !(typed_array<A> && typed_array<B>);

inline const any_array& as_untyped(const any_array& a) { return a; }
template <class T> const any_array& as_untyped(const ndarray<T>& a) { return a.untyped(); }
inline const any_array* given(const any_array& out) { return out.valid() ? &out : nullptr; }

}  // namespace detail

// function(a, b), function(a, b, {.out = c}); ndarrays give an ndarray, untyped arrays an untyped
// one.
#define NW_PRODUCT(function)                                                                     \
  template <typed_array A, typed_array B, class R = detail::product_element<A, B>>               \
  ndarray<R> function(const A& a, const B& b, product_options<std::type_identity_t<R>> o = {}) { \
    return ndarray<R>::from_any_unchecked(detail::function(a.untyped(), b.untyped(), o.out.get()));\
  }                                                                                              \
  template <class A, class B>                                                                    \
  requires detail::untyped_pair<A, B> any_array function(const A& a, const B& b,                 \
                                                         untyped_product_options o = {}) {       \
    return detail::function(detail::as_untyped(a), detail::as_untyped(b), detail::given(o.out)); \
  }

// The matrix product: of the last two axes, for every pair of matrices that the leading axes
// broadcast to. A one-dimensional operand is a row on the left and a column on the right, and its
// axis is dropped from the result. 0-d operands are refused.
NW_PRODUCT(matmul)

// Sums over the last axis of a and the last but one (or only) of b, for all pairs of the other
// axes; with a 0-d operand, the product of elements. out= must be just what would be returned: of
// the same type and shape, C-contiguous.
NW_PRODUCT(dot)

// The products of all pairs of elements, a flattened along the rows and b along the columns.
NW_PRODUCT(outer)
#undef NW_PRODUCT

// Sums over the last axes of both, for all pairs of the other axes.
template <typed_array A, typed_array B, class R = detail::product_element<A, B>>
ndarray<R> inner(const A& a, const B& b) {
  return ndarray<R>::from_any_unchecked(detail::inner(a.untyped(), b.untyped()));
}
template <class A, class B>
requires detail::untyped_pair<A, B> any_array inner(const A& a, const B& b) {
  return detail::inner(detail::as_untyped(a), detail::as_untyped(b));
}

// The sum over all elements of conj(a) * b, both flattened.
template <typed_array A, typed_array B, class R = detail::product_element<A, B>>
ndarray<R> vdot(const A& a, const B& b) {
  return ndarray<R>::from_any_unchecked(detail::vdot(a.untyped(), b.untyped()));
}
template <class A, class B>
requires detail::untyped_pair<A, B> any_array vdot(const A& a, const B& b) {
  return detail::vdot(detail::as_untyped(a), detail::as_untyped(b));
}

}  // namespace numwarp
