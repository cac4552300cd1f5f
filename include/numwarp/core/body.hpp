// What the body of a user's function is written in: numbers that follow the array functions' rules
// of types, and the names of these functions. Plain C++ numbers are weak, as beside arrays.
#pragma once

#include <numwarp/core/cast.hpp>
#include <numwarp/core/promotion.hpp>

namespace numwarp::core {

// The base of all that stands for an element: its operators are found by it.
struct body_value {};

template <class A>
concept in_body = __is_base_of(body_value, A);

// 'b', 'i', 'u', 'f' or 'c' for plain C++ numbers, else '?'.
template <class A> inline constexpr char plain_kind = is_half<A> ? '?' : kind_of<A>;
template <> inline constexpr char plain_kind<long long> = 'i';
template <> inline constexpr char plain_kind<unsigned long long> = 'u';
template <class A>
concept plain_number = plain_kind<A>
!= '?';

template <class A>
concept body_operand = in_body<A> || plain_number<A> || half<A>;

// A plain number in the widest type of its kind, as which it is computed with.
NW_HD constexpr bool widest(bool x) { return x; }
template <plain_number A> NW_HD constexpr auto widest(A x) {
  if constexpr (plain_kind<A> == 'i') {
    return i64(x);
  } else if constexpr (plain_kind<A> == 'u') {
    return u64(x);
  } else if constexpr (plain_kind<A> == 'f') {
    return double(x);
  } else {
    return cast<complex<double>>(x);
  }
}

template <class A> constexpr detail::type_argument body_argument() {
  if constexpr (in_body<A>) {
    return {dtype(tag_of<typename A::value_type>), true, 0};
  } else if constexpr (is_half<A>) {
    return {dtype(tag_of<A>), true, 0};
  } else {
    return {dtype::float64, false, plain_kind<A>};
  }
}

// The tags of the types that an op computes in and gives, or -1 where it has no loop.
struct op_tags {
  int compute, result;
};
template <class Op, class... A> constexpr op_tags tags_for() {
  const detail::type_argument args[] = {body_argument<A>()...};
  constexpr int n = int(sizeof...(A));
  dtype compute{}, result{};
  if (!detail::promotable_arguments(Op::code, args, n) ||
      !resolve(Op::code, detail::promote_arguments(Op::code, args, n), compute, result)) {
    return {-1, -1};
  }
  return {int(compute), int(result)};
}

// One element, computed with at once.
template <class T> struct number;

template <class A, class... B> NW_HD A first_of(A a, B...) { return a; }

struct by_value {
  template <class To, class A> static NW_HD To convert(A a) {
    if constexpr (in_body<A>) {
      return cast<To>(a.value);
    } else if constexpr (is_half<A>) {
      return cast<To>(a);
    } else {
      return cast<To>(widest(a));
    }
  }
  // Of plain numbers alone the result is plain.
  template <class Op, class... A> static NW_HD auto apply(A... a) {
    constexpr op_tags tags = tags_for<Op, A...>();
    constexpr bool defined = tags.compute >= 0;
    static_assert(defined, "numwarp: this function is not defined for these types");
    if constexpr (!defined) {
      return first_of(a...);  // the one message is enough
    } else {
      const auto x = formula<Op, type_at<tags.compute>>(a...);
      if constexpr ((plain_number<A> && ...)) {
        return x;
      } else {
        return number<type_at<tags.result>>(x);
      }
    }
  }
  template <class To, class A> static NW_HD number<To> astype(A a) { return convert<To>(a); }

 private:
  template <class Op, class C, class A, class... B> static NW_HD auto formula(A a, B... b) {
    using first = type_at<int(arg_dtype(Op::code, 0, dtype(tag_of<C>)))>;
    return Op::template call<C>(convert<first>(a), convert<C>(b)...);
  }
};

// How values like these are computed with: as the first of them that is no plain number says.
template <class... A> struct means { using type = by_value; };
template <in_body A, class... B> struct means<A, B...> { using type = typename A::means; };
template <class A, class... B>
requires(!in_body<A>) struct means<A, B...> : means<B...> {
};

template <class T> struct number : body_value {
  using value_type = T;
  using means = by_value;
  T value;

  number() = default;
  template <class A>
  requires(plain_number<A> || is_same<A, T>) NW_HD number(A x) : value(by_value::convert<T>(x)) {}
  // For `if (x > y)`, and for C++ code that asks for a type: int(x).
  template <plain_number U>
  NW_HD explicit(!is_same<T, bool> || !is_same<U, bool>) operator U() const {
    return U(cast<decltype(widest(U()))>(value));
  }

  template <body_operand B> NW_HD number& operator+=(B b) { return assign(*this + b); }
  template <body_operand B> NW_HD number& operator-=(B b) { return assign(*this - b); }
  template <body_operand B> NW_HD number& operator*=(B b) { return assign(*this * b); }
  template <body_operand B> NW_HD number& operator/=(B b) { return assign(*this / b); }

 private:
  template <class R> NW_HD number& assign(number<R> x) {
    static_assert(detail::can_cast_same_kind(dtype(tag_of<R>), dtype(tag_of<T>)),
                  "numwarp: the result of this operator would be narrowed to the variable's type");
    value = cast<T>(x.value);
    return *this;
  }
};

#define NW_BODY_BINARY(symbol, name)                                        \
  template <body_operand A, body_operand B>                                 \
  requires(in_body<A> || in_body<B>) NW_HD auto operator symbol(A a, B b) { \
    return means<A, B>::type::template apply<op::name>(a, b);               \
  }
NW_BODY_BINARY(+, add)
NW_BODY_BINARY(-, subtract)
NW_BODY_BINARY(*, multiply)
NW_BODY_BINARY(/, divide)
NW_BODY_BINARY(%, remainder)
NW_BODY_BINARY(&, bitwise_and)
NW_BODY_BINARY(|, bitwise_or)
NW_BODY_BINARY(^, bitwise_xor)
NW_BODY_BINARY(<<, left_shift)
NW_BODY_BINARY(>>, right_shift)
NW_BODY_BINARY(==, equal)
NW_BODY_BINARY(!=, not_equal)
NW_BODY_BINARY(<, less)
NW_BODY_BINARY(<=, less_equal)
NW_BODY_BINARY(>, greater)
NW_BODY_BINARY(>=, greater_equal)
#undef NW_BODY_BINARY

template <in_body A> NW_HD auto operator-(A a) { return A::means::template apply<op::negative>(a); }
template <in_body A> NW_HD auto operator+(A a) { return A::means::template apply<op::positive>(a); }
template <in_body A> NW_HD auto operator~(A a) { return A::means::template apply<op::invert>(a); }

// The names that a body sees before all others. A class, since names found in one hide those of
// <cmath> and of the application.
struct function_scope {
#define NW_UNARY(name, rule, ...)                         \
  template <body_operand A> NW_HD static auto name(A a) { \
    return means<A>::type::template apply<op::name>(a);   \
  }
#define NW_BINARY(name, rule, ...)                                             \
  template <body_operand A, body_operand B> NW_HD static auto name(A a, B b) { \
    return means<A, B>::type::template apply<op::name>(a, b);                  \
  }
#define NW_TERNARY(name, rule, ...)                                 \
  template <body_operand A, body_operand B, body_operand C>         \
  NW_HD static auto name(A a, B b, C c) {                           \
    return means<A, B, C>::type::template apply<op::name>(a, b, c); \
  }
#include <numwarp/core/ops.def>

#define NW_SECOND_NAME(second, first) \
  template <body_operand... A> NW_HD static auto second(A... a) { return first(a...); }
  NW_SECOND_NAME(abs, absolute)
  NW_SECOND_NAME(pow, power)
  NW_SECOND_NAME(mod, remainder)
  NW_SECOND_NAME(conj, conjugate)
  NW_SECOND_NAME(asin, arcsin)
  NW_SECOND_NAME(acos, arccos)
  NW_SECOND_NAME(atan, arctan)
  NW_SECOND_NAME(atan2, arctan2)
  NW_SECOND_NAME(asinh, arcsinh)
  NW_SECOND_NAME(acosh, arccosh)
  NW_SECOND_NAME(atanh, arctanh)
#undef NW_SECOND_NAME

  // x as another type: astype<double>(x).
  template <class To, body_operand A> NW_HD static auto astype(A a) {
    return means<A>::type::template astype<To>(a);
  }

  static constexpr double pi = 3.141592653589793238462643383279502884;
  static constexpr double inf = limits<double>::infinity, nan = limits<double>::nan;
};

// The element that a body's value is stored as: a plain number as its own type.
template <class A> struct body_result { using type = A; };
template <in_body A> struct body_result<A> { using type = typename A::value_type; };
template <> struct body_result<long long> { using type = i64; };
template <> struct body_result<unsigned long long> { using type = u64; };
template <class A> using body_result_t = typename body_result<A>::type;

template <class A> NW_HD body_result_t<A> result_of(A a) {
  if constexpr (in_body<A>) {
    return a.value;
  } else {
    return body_result_t<A>(a);
  }
}

}  // namespace numwarp::core
