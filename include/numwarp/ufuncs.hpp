// The elementwise functions, as function objects: nw::add(a, b), nw::add(a, b, {.out = c}),
// nw::add.as<double>(a, b), nw::add.outer(a, b). One for each row of core/ops.def.
//
// Operands are arrays (of any shapes that broadcast) and scalars; at least one is an array. Result
// types are NumPy 2's: scalars are weak, so float32 array * 2.0 stays float32. The result is
// pending: it is computed when it is needed, and an operand that is a temporary joins the same
// kernel.
//
// Throws value_error for shapes that do not broadcast, overflow_error for an integer scalar that
// the arrays' type cannot hold, device_error for operands on two devices. Types that NumPy has no
// loop for do not compile (any_array operands: type_error). Never waits.
#pragma once

#include <numwarp/detail/traits.hpp>

namespace numwarp {

// Keyword arguments: where the result is written, and which elements are (a bool array that
// broadcasts). Without out=, elements that are not chosen are zero.
template <class R> struct ufunc_options {
  ndarray<R> out = {};
  detail::mask_beside<R> where = {};
};

namespace detail {

template <class Op> class ufunc {
  template <class... A> using element_result = type_of<dtype(result_tag<Op, A...>())>;

 public:
  template <class... A>
  static constexpr bool callable = sizeof...(A) == Op::arity && (operand_argument<A> && ...) &&
                                   (array_argument<A> || ...);
  template <class... A>
  static constexpr bool untyped = (std::same_as<std::remove_cvref_t<A>, any_array> || ...);

  template <class... A>
  requires callable<A...>
  auto operator()(A&&... a) const {
    operand operands[] = {to_operand(std::forward<A>(a))...};
    if constexpr (untyped<A...>) {
      return elementwise(Op::code, operands);
    } else {
      constexpr int tag = result_tag<Op, A...>();
      static_assert(tag >= 0, "numwarp: this function is not defined for operands of these types");
      if constexpr (tag >= 0) return typed<tag>(elementwise(Op::code, operands));
    }
  }

  // A ternary and a binary call may both end in options: the operands are counted first.
  template <class A, class R = element_result<A>>
  requires(Op::arity == 1 && typed_array<A>) ndarray<R>
  operator()(A&& a, ufunc_options<std::type_identity_t<R>> options) const {
    return call_with<R>(options, std::forward<A>(a));
  }
  template <class A, class B, class R = element_result<A, B>>
  requires(Op::arity == 2 && callable<A, B> && !untyped<A, B>) ndarray<R>
  operator()(A&& a, B&& b, ufunc_options<std::type_identity_t<R>> options) const {
    return call_with<R>(options, std::forward<A>(a), std::forward<B>(b));
  }
  template <class A, class B, class C, class R = element_result<A, B, C>>
  requires(Op::arity == 3 && callable<A, B, C> && !untyped<A, B, C>) ndarray<R>
  operator()(A&& a, B&& b, C&& c, ufunc_options<std::type_identity_t<R>> options) const {
    return call_with<R>(options, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
  }

  // dtype=T: operands are converted to T (same_kind) and the formula is evaluated at T.
  template <element T, class... A>
  requires callable<A...>
  auto as(A&&... a) const {
    operand operands[] = {to_operand(std::forward<A>(a))...};
    constexpr int tag = result_tag<Op, decltype((void)a, ndarray<T>{})...>();
    static_assert(tag >= 0, "numwarp: this function is not defined for this dtype");
    return typed<tag>(elementwise(Op::code, operands, {.as = int(dtype_of<T>)}));
  }

  // All pairs: the result has the shape a.shape + b.shape.
  template <typed_array A, typed_array B>
  requires(Op::arity == 2) auto outer(const A& a, const B& b) const {
    return (*this)(A::from_any_unchecked(append_axes(a.untyped(), b.ndim())), b);
  }

 private:
  template <class R, class... A> static ndarray<R> call_with(ufunc_options<R>& options, A&&... a) {
    operand operands[] = {to_operand(std::forward<A>(a))...};
    return ndarray<R>::from_any_unchecked(
        elementwise(Op::code, operands,
                    {.out = options.out.valid() ? &options.out.untyped() : nullptr,
                     .where = options.where.valid() ? &options.where.untyped() : nullptr}));
  }
};

}  // namespace detail

#define NW_UNARY(name, rule, ...) inline constexpr detail::ufunc<core::op::name> name{};
#define NW_BINARY(name, rule, ...) NW_UNARY(name, rule)
#define NW_TERNARY(name, rule, ...) NW_UNARY(name, rule)
#include <numwarp/core/ops.def>

// NumPy's second names.
inline constexpr auto& abs = absolute;
inline constexpr auto& true_divide = divide;
inline constexpr auto& mod = remainder;
inline constexpr auto& pow = power;
inline constexpr auto& conj = conjugate;
inline constexpr auto& bitwise_not = invert;
inline constexpr auto& bitwise_invert = invert;
inline constexpr auto& bitwise_left_shift = left_shift;
inline constexpr auto& bitwise_right_shift = right_shift;
inline constexpr auto& asin = arcsin;
inline constexpr auto& acos = arccos;
inline constexpr auto& atan = arctan;
inline constexpr auto& atan2 = arctan2;
inline constexpr auto& asinh = arcsinh;
inline constexpr auto& acosh = arccosh;
inline constexpr auto& atanh = arctanh;
inline constexpr auto& deg2rad = radians;
inline constexpr auto& rad2deg = degrees;

// {quotient, remainder}: floor_divide and remainder of the same operands, computed together.
template <class A, class B>
requires(operand_argument<A>&& operand_argument<B> &&
         (typed_array<A> || typed_array<B>)) auto divmod(A&& a, B&& b) {
  constexpr int tag = detail::result_tag<core::op::floor_divide, A, B>();
  static_assert(tag >= 0, "numwarp: divmod is not defined for operands of these types");
  detail::operand operands[] = {detail::to_operand(std::forward<A>(a)),
                                detail::to_operand(std::forward<B>(b))};
  auto both = detail::divmod(operands);
  return std::pair{detail::typed<tag>(std::move(both.first)),
                   detail::typed<tag>(std::move(both.second))};
}

// The element type that an operation on arrays of A and B has: numpy.result_type.
template <element A, element B>
requires(promotable(dtype_of<A>,
                    dtype_of<B>)) using result_type_t = type_of<promote(dtype_of<A>, dtype_of<B>)>;

}  // namespace numwarp
