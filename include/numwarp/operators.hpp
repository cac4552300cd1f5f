// Operators on arrays, found by argument-dependent lookup. Each is the ufunc that NumPy's operator
// is; && || ! are left out, as they are errors in NumPy: use & | ~ on bool arrays.
#pragma once

#include <numwarp/ufuncs.hpp>

namespace numwarp::arrays {

// Whatever stands beside an array, so that a wrong operand gets one sentence instead of a list of
// every operator in the program.
#define NW_BINARY_OPERATOR(symbol, function)                                                   \
  template <class A, class B>                                                                  \
  requires((typed_array<A> && !std::is_base_of_v<std::ios_base, std::remove_cvref_t<B>>) ||    \
           (typed_array<B> && !std::is_base_of_v<std::ios_base, std::remove_cvref_t<A>>)) auto \
  operator symbol(A&& a, B&& b) {                                                              \
    constexpr bool operands = operand_argument<A> && operand_argument<B>;                      \
    if constexpr (!operands) {                                                                 \
      static_assert(operands, "numwarp: the operands of operator" #symbol                      \
                              " must be arrays or numbers (characters are not numbers)");      \
    } else {                                                                                   \
      static_assert(detail::result_tag<core::op::function, A, B>() >= 0,                       \
                    "numwarp: operator" #symbol " (" #function                                 \
                    ") is not defined for operands of these types");                           \
      if constexpr (detail::result_tag<core::op::function, A, B>() >= 0) {                     \
        return numwarp::function(std::forward<A>(a), std::forward<B>(b));                      \
      }                                                                                        \
    }                                                                                          \
  }

NW_BINARY_OPERATOR(+, add)
NW_BINARY_OPERATOR(-, subtract)
NW_BINARY_OPERATOR(*, multiply)
NW_BINARY_OPERATOR(/, divide)
NW_BINARY_OPERATOR(%, remainder)
NW_BINARY_OPERATOR(&, bitwise_and)
NW_BINARY_OPERATOR(|, bitwise_or)
NW_BINARY_OPERATOR(^, bitwise_xor)
NW_BINARY_OPERATOR(<<, left_shift)
NW_BINARY_OPERATOR(>>, right_shift)
NW_BINARY_OPERATOR(==, equal)
NW_BINARY_OPERATOR(!=, not_equal)
NW_BINARY_OPERATOR(<, less)
NW_BINARY_OPERATOR(<=, less_equal)
NW_BINARY_OPERATOR(>, greater)
NW_BINARY_OPERATOR(>=, greater_equal)
#undef NW_BINARY_OPERATOR

#define NW_UNARY_OPERATOR(symbol, function)                                    \
  template <typed_array A> auto operator symbol(A&& a) {                       \
    constexpr bool defined = detail::result_tag<core::op::function, A>() >= 0; \
    static_assert(defined, "numwarp: operator" #symbol " (" #function          \
                           ") is not defined for operands of these types");    \
    if constexpr (defined) return numwarp::function(std::forward<A>(a));       \
  }

NW_UNARY_OPERATOR(-, negative)
NW_UNARY_OPERATOR(+, positive)
NW_UNARY_OPERATOR(~, invert)
#undef NW_UNARY_OPERATOR

// a += b writes into a's elements; on a(...) += b, into the elements of the array behind the view.
// The result must cast to a's type by same_kind.
#define NW_INPLACE_OPERATOR(symbol, function)                                             \
  template <typed_array A, class B> decltype(auto) operator symbol(A&& a, B&& b) {        \
    constexpr bool is_operand = operand_argument<B>;                                      \
    static_assert(is_operand, "numwarp: the operands of operator" #symbol                 \
                              " must be arrays or numbers (characters are not numbers)"); \
    if constexpr (is_operand) {                                                           \
      constexpr int tag = detail::result_tag<core::op::function, A, B>();                 \
      static_assert(tag >= 0, "numwarp: operator" #symbol " (" #function                  \
                              ") is not defined for operands of these types");            \
      constexpr dtype to = dtype_of<typename std::remove_cvref_t<A>::value_type>;         \
      static_assert(tag < 0 || detail::can_cast_same_kind(dtype(tag), to),                \
                    "numwarp: operator" #symbol                                           \
                    " would narrow its result to the array's element type; write "        \
                    "a(nw::ellipsis) = a op b to convert");                               \
      if constexpr (std::is_lvalue_reference_v<A>) {                                      \
        detail::assign_op(core::op_code::function, a.untyped(),                           \
                          detail::to_operand(std::forward<B>(b)));                        \
        return (a);                                                                       \
      } else {                                                                            \
        detail::assign_op_to_temporary(core::op_code::function, a.untyped_mutable(),      \
                                       detail::to_operand(std::forward<B>(b)));           \
        return void();                                                                    \
      }                                                                                   \
    }                                                                                     \
  }

NW_INPLACE_OPERATOR(+=, add)
NW_INPLACE_OPERATOR(-=, subtract)
NW_INPLACE_OPERATOR(*=, multiply)
NW_INPLACE_OPERATOR(/=, divide)
NW_INPLACE_OPERATOR(%=, remainder)
NW_INPLACE_OPERATOR(&=, bitwise_and)
NW_INPLACE_OPERATOR(|=, bitwise_or)
NW_INPLACE_OPERATOR(^=, bitwise_xor)
NW_INPLACE_OPERATOR(<<=, left_shift)
NW_INPLACE_OPERATOR(>>=, right_shift)
#undef NW_INPLACE_OPERATOR

// The names that <cmath> also has: after `using std::exp;` a call exp(x) works for double and
// array.
#define NW_CMATH_UNARY(name) \
  template <typed_array A> auto name(A&& a) { return numwarp::name(std::forward<A>(a)); }
#define NW_CMATH_BINARY(name)                                                                     \
  template <class A, class B>                                                                     \
  requires(operand_argument<A> && operand_argument<B> && (typed_array<A> || typed_array<B>)) auto \
  name(A&& a, B&& b) {                                                                            \
    return numwarp::name(std::forward<A>(a), std::forward<B>(b));                                 \
  }
NW_CMATH_UNARY(abs)
NW_CMATH_UNARY(fabs)
NW_CMATH_UNARY(sqrt)
NW_CMATH_UNARY(cbrt)
NW_CMATH_UNARY(exp)
NW_CMATH_UNARY(exp2)
NW_CMATH_UNARY(expm1)
NW_CMATH_UNARY(log)
NW_CMATH_UNARY(log2)
NW_CMATH_UNARY(log10)
NW_CMATH_UNARY(log1p)
NW_CMATH_UNARY(sin)
NW_CMATH_UNARY(cos)
NW_CMATH_UNARY(tan)
NW_CMATH_UNARY(asin)
NW_CMATH_UNARY(acos)
NW_CMATH_UNARY(atan)
NW_CMATH_UNARY(sinh)
NW_CMATH_UNARY(cosh)
NW_CMATH_UNARY(tanh)
NW_CMATH_UNARY(asinh)
NW_CMATH_UNARY(acosh)
NW_CMATH_UNARY(atanh)
NW_CMATH_UNARY(floor)
NW_CMATH_UNARY(ceil)
NW_CMATH_UNARY(trunc)
NW_CMATH_UNARY(rint)
NW_CMATH_UNARY(isnan)
NW_CMATH_UNARY(isinf)
NW_CMATH_UNARY(isfinite)
NW_CMATH_UNARY(signbit)
NW_CMATH_UNARY(real)
NW_CMATH_UNARY(imag)
NW_CMATH_UNARY(conj)
NW_CMATH_BINARY(pow)
NW_CMATH_BINARY(fmod)
NW_CMATH_BINARY(remainder)
NW_CMATH_BINARY(atan2)
NW_CMATH_BINARY(hypot)
NW_CMATH_BINARY(fmax)
NW_CMATH_BINARY(fmin)
NW_CMATH_BINARY(copysign)
NW_CMATH_BINARY(nextafter)
template <class A, class B, class C>
requires(operand_argument<A>&& operand_argument<B>&& operand_argument<C> &&
         (typed_array<A> || typed_array<B> || typed_array<C>)) auto fma(A&& a, B&& b, C&& c) {
  return numwarp::fma(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
}
#undef NW_CMATH_UNARY
#undef NW_CMATH_BINARY

}  // namespace numwarp::arrays
