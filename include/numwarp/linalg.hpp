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

#include <numwarp/detail/array_lists.hpp>
#include <numwarp/detail/matmul_algorithm.hpp>

namespace numwarp {

// Keyword arguments of products: the array that is written and returned, and how it is computed.
// Throws value_error for an algorithm that the element type does not have.
template <class R> struct product_options {
  detail::out_argument<R> out = {};
  matmul_algorithm algorithm = matmul_algorithm::automatic;
};
struct untyped_product_options {
  any_array out = {};
  matmul_algorithm algorithm = matmul_algorithm::automatic;
};
template <class R> struct outer_options {
  detail::out_argument<R> out = {};
};
struct untyped_outer_options {
  any_array out = {};
};

namespace detail {

any_array matmul(const any_array& a, const any_array& b, const any_array* out,
                 matmul_algorithm algorithm = matmul_algorithm::automatic);
any_array dot(const any_array& a, const any_array& b, const any_array* out,
              matmul_algorithm algorithm = matmul_algorithm::automatic);
any_array outer(const any_array& a, const any_array& b, const any_array* out);
any_array inner(const any_array& a, const any_array& b);
any_array vdot(const any_array& a, const any_array& b);

template <class A, class B>
using product_element = type_of<dtype(result_tag<core::op::multiply, A, B>())>;

template <class A, class B>
concept untyped_pair =
    array_argument<A> && array_argument<B> && !(typed_array<A> && typed_array<B>);

// The options of a product of A and B, and its result from an untyped one.
template <template <class> class Typed, class Untyped, class A, class B> struct product_types {
  using options = Typed<product_element<A, B>>;
  static auto result(any_array&& r) {
    return ndarray<product_element<A, B>>::from_any_unchecked(std::move(r));
  }
};
template <template <class> class Typed, class Untyped, class A, class B>
requires untyped_pair<A, B>
struct product_types<Typed, Untyped, A, B> {
  using options = Untyped;
  static any_array result(any_array&& r) { return std::move(r); }
};

}  // namespace detail

// function(a, b), function(a, b, {.out = c}); ndarrays give an ndarray, untyped arrays an untyped
// one. The last argument's type is a parameter so that a misspelt keyword has one signature to be
// measured against.
#define NW_PRODUCT(function, kind, ...)                                                  \
  template <array_argument A, array_argument B,                                          \
            class C = detail::product_types<kind, untyped_##kind, A, B>>                 \
  auto function(const A& a, const B& b, typename C::options o = {}) {                    \
    return C::result(detail::function(detail::as_untyped(a), detail::as_untyped(b),      \
                                      detail::given(o.out) __VA_OPT__(, ) __VA_ARGS__)); \
  }

// The matrix product: of the last two axes, for every pair of matrices that the leading axes
// broadcast to. A one-dimensional operand is a row on the left and a column on the right, and its
// axis is dropped from the result. 0-d operands are refused.
NW_PRODUCT(matmul, product_options, o.algorithm)

// Sums over the last axis of a and the last but one (or only) of b, for all pairs of the other
// axes; with a 0-d operand, the product of elements. out= must be just what would be returned: of
// the same type and shape, C-contiguous.
NW_PRODUCT(dot, product_options, o.algorithm)

// The products of all pairs of elements, a flattened along the rows and b along the columns.
NW_PRODUCT(outer, outer_options)
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

// The sums along the diagonals a[i, i + offset] of two axes, as sum() of a view: of its types, and
// with its dtype=. Errors are those of diagonal().
template <class D = void, element T, class R = detail::reduced<reduce_code::sum, ndarray<T>, D>>
ndarray<R> trace(const ndarray<T>& a, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1,
                 const std::type_identity_t<detail::out_argument<R>>& out = {}) {
  const bool typed = !std::is_void_v<D>;
  return ndarray<R>::from_any_unchecked(
      detail::trace(a.untyped(), offset, axis1, axis2, typed ? int(dtype_of<R>) : -1, out.get()));
}

}  // namespace numwarp
