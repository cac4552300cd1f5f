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

#include <numwarp/detail/indexing_calls.hpp>

namespace numwarp {

// Keyword arguments: where the result is written, which elements are (a bool array that
// broadcasts), and how a new result lies in memory. Without out=, elements that are not chosen are
// zero.
template <class R> struct ufunc_options {
  detail::out_argument<R> out = {};
  detail::where_argument<R> where = {};
  numwarp::order order = numwarp::order::k;
};

namespace detail {

template <class Op> struct ufunc_base {
  template <class... A>
  static constexpr bool callable = (operand_argument<A> && ...) && (array_argument<A> || ...);
  template <class... A>
  static constexpr bool untyped = (std::same_as<std::remove_cvref_t<A>, any_array> || ...);

  // dtype=T: operands are converted to T (same_kind) and the formula is evaluated at T.
  template <element T, class... A>
  requires(sizeof...(A) == Op::arity && callable<A...>) auto as(A&&... a) const {
    operand operands[] = {to_operand(std::forward<A>(a))...};
    constexpr int tag = result_tag<Op, decltype((void)a, ndarray<T>{})...>();
    static_assert(tag >= 0, "numwarp: this function is not defined for this dtype");
    return typed<tag>(elementwise(Op::code, operands, {.as = int(dtype_of<T>)}));
  }

 protected:
  template <class... A> static auto call(A&&... a) {
    operand operands[] = {to_operand(std::forward<A>(a))...};
    if constexpr (untyped<A...>) {
      return elementwise(Op::code, operands);
    } else {
      constexpr int tag = result_tag<Op, A...>();
      static_assert(tag >= 0, "numwarp: this function is not defined for operands of these types");
      if constexpr (tag >= 0) return typed<tag>(elementwise(Op::code, operands));
    }
  }
  template <class R, class... A>
  static ndarray<R> call_with(const ufunc_options<R>& options, A&&... a) {
    operand operands[] = {to_operand(std::forward<A>(a))...};
    return ndarray<R>::from_any_unchecked(elementwise(
        Op::code, operands,
        {.out = options.out.get(), .where = options.where.get(), .order = options.order}));
  }
  // The options of a call; none for untyped operands and for types without a loop.
  template <class... A>
  using options_of = ufunc_options<type_of<dtype(untyped<A...> ? -1 : result_tag<Op, A...>())>>;
};

// A class for each arity, so that a wrong call is measured against two signatures.
template <class Op, int Arity = Op::arity> class ufunc;

template <class Op> class ufunc<Op, 1> : public ufunc_base<Op> {
  using base = ufunc_base<Op>;

 public:
  template <array_argument A> auto operator()(A&& a) const {
    return base::call(std::forward<A>(a));
  }
  template <typed_array A, class O = typename base::template options_of<A>>
  auto operator()(A&& a, std::type_identity_t<O> options) const {
    return base::call_with(options, std::forward<A>(a));
  }

  // a(index) = op(a(index)), once for each time that a place is chosen. As at of two operands.
  template <typed_array A, index_argument I> void at(const A& a, I&& index) const {
    const auto tuple = to_index_tuple(std::forward<I>(index));
    ufunc_at(Op::code, a.untyped(), tuple.items, to_operand(0), false);
  }
};

template <class Op> class ufunc<Op, 2> : public ufunc_base<Op> {
  using base = ufunc_base<Op>;

 public:
  template <class A, class B>
  requires(base::template callable<A, B>) auto operator()(A&& a, B&& b) const {
    return base::call(std::forward<A>(a), std::forward<B>(b));
  }
  template <class A, class B, class O = typename base::template options_of<A, B>>
  auto operator()(A&& a, B&& b, std::type_identity_t<O> options) const {
    return base::call_with(options, std::forward<A>(a), std::forward<B>(b));
  }

  // a(index) op= values, but one element after the other: a place that is chosen twice is updated
  // twice. index: what may stand in a(...), or nw::index(...) of several. The result must cast to
  // a's type by same_kind (type_error), values broadcast to the choice (value_error); an index out
  // of bounds is an index_error, on a GPU at the next wait. There, add, subtract, multiply, divide,
  // maximum, minimum, fmax, fmin and the bitwise ops, computed in a's type, have kernels; the first
  // call of another waits for its compilation, a device_error where that cannot be had.
  template <typed_array A, index_argument I, operand_argument V>
  void at(const A& a, I&& index, V&& values, at_options options = {}) const {
    const auto tuple = to_index_tuple(std::forward<I>(index));
    ufunc_at(Op::code, a.untyped(), tuple.items, to_operand(std::forward<V>(values)),
             options.atomic);
  }

  // All pairs: the result has the shape a.shape + b.shape.
  template <typed_array A, typed_array B> auto outer(const A& a, const B& b) const {
    return (*this)(A::from_any_unchecked(append_axes(a.untyped(), b.ndim())), b);
  }
};

template <class Op> class ufunc<Op, 3> : public ufunc_base<Op> {
  using base = ufunc_base<Op>;

 public:
  // where(condition): the places of its true elements, as nonzero(condition).
  template <typed_array A>
  requires(Op::code == op_code::where) auto operator()(const A& condition) const {
    return condition.nonzero();
  }
  template <class A, class B, class C>
  requires(base::template callable<A, B, C>) auto operator()(A&& a, B&& b, C&& c) const {
    return base::call(std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
  }
  template <class A, class B, class C, class O = typename base::template options_of<A, B, C>>
  auto operator()(A&& a, B&& b, C&& c, std::type_identity_t<O> options) const {
    return base::call_with(options, std::forward<A>(a), std::forward<B>(b), std::forward<C>(c));
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
