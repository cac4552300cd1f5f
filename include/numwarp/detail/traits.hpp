// Which types can be operands, and what they bring to a result's type.
#pragma once

#include <complex>
#include <numwarp/detail/call.hpp>
#include <type_traits>

namespace numwarp {

namespace arrays {
template <class T> class ndarray;
}
using arrays::ndarray;

namespace detail {

template <class T> inline constexpr bool is_ndarray = false;
template <class T> inline constexpr bool is_ndarray<ndarray<T>> = true;

template <class T> inline constexpr bool is_complex_scalar = false;
template <class T> inline constexpr bool is_complex_scalar<std::complex<T>> = true;

template <class T>
inline constexpr bool is_character =
    std::is_same_v<T, char> || std::is_same_v<T, wchar_t> || std::is_same_v<T, char8_t> ||
    std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;

template <class T>
inline constexpr bool is_half = std::is_same_v<T, float16> || std::is_same_v<T, bfloat16>;

template <class T>
inline constexpr bool is_scalar =
    (std::is_arithmetic_v<T> && !is_character<T>) || is_complex_scalar<T> || is_half<T>;

// The element type that a C++ arithmetic type is held as: long long as int64, and so on. Types that
// are elements already are themselves.
template <class T> constexpr auto as_element() {
  if constexpr (element<T>) {
    return T{};
  } else if constexpr (std::is_same_v<T, long double>) {
    return double{};
  } else if constexpr (std::is_unsigned_v<T>) {
    return std::uint64_t{};
  } else {
    return std::int64_t{};
  }
}
template <class T> using element_for = decltype(as_element<T>());

}  // namespace detail

// An ndarray of any element type, or an untyped array.
template <class A>
concept array_argument =
    detail::is_ndarray<std::remove_cvref_t<A>> || std::same_as<std::remove_cvref_t<A>, any_array>;
template <class A>
concept typed_array = detail::is_ndarray<std::remove_cvref_t<A>>;
// bool, integers, floating types, complex numbers and the halves; not characters.
template <class S>
concept scalar_argument = detail::is_scalar<std::remove_cvref_t<S>>;
template <class A>
concept operand_argument = array_argument<A> || scalar_argument<A>;

namespace detail {

template <class A> consteval type_argument type_argument_of() {
  using T = std::remove_cvref_t<A>;
  if constexpr (is_ndarray<T>) {
    return {dtype_of<typename T::value_type>, true, 0};
  } else if constexpr (is_half<T>) {
    return {dtype_of<T>, true, 0};
  } else {
    return {dtype::float64, false,
            std::is_same_v<T, bool>       ? 'b'
            : is_complex_scalar<T>        ? 'c'
            : std::is_floating_point_v<T> ? 'f'
            : std::is_signed_v<T>         ? 'i'
                                          : 'u'};
  }
}

// The tag of the result of an op on operands of these types, or -1 where NumPy has no loop.
template <class Op, class... A> consteval int result_tag() {
  const type_argument args[] = {type_argument_of<A>()...};
  dtype compute{}, result{};
  if (!promotable_arguments(Op::code, args, int(sizeof...(A)))) return -1;
  const dtype t = promote_arguments(Op::code, args, int(sizeof...(A)));
  return core::resolve(Op::code, t, compute, result) ? int(result) : -1;
}

template <class A> operand to_operand(A&& a) {
  using T = std::remove_cvref_t<A>;
  constexpr bool temporary =
      !std::is_lvalue_reference_v<A> && !std::is_const_v<std::remove_reference_t<A>>;
  operand o;
  if constexpr (std::is_same_v<T, any_array>) {
    o.array = const_cast<any_array*>(&a);
    o.temporary = temporary;
  } else if constexpr (is_ndarray<T>) {
    o.array = const_cast<any_array*>(&a.untyped());
    o.temporary = temporary;
  } else if constexpr (std::is_same_v<T, long double>) {
    o.value = scalar(double(a));
  } else {
    o.value = scalar(a);
  }
  return o;
}

// The keywords out= and where=: an array, or none. One of another element type gets one sentence.
template <class R> struct out_argument {
  ndarray<R> array = {};
  out_argument() = default;
  out_argument(const ndarray<R>& a) : array(a) {}
  template <array_argument A> out_argument(const A&) {
    static_assert(std::is_same_v<A, ndarray<R>>,
                  "numwarp: out= must be an ndarray of the result's element type; write "
                  "c(nw::ellipsis) = f(a) to convert the result to that of c");
  }
  const any_array* get() const { return array.valid() ? &array.untyped() : nullptr; }
};
// R is that of the options: ndarray<bool> is complete where they are used, not where they are
// declared.
template <class R> struct where_argument {
  using mask = ndarray<std::conditional_t<std::is_void_v<R>, void, bool>>;
  mask array = {};
  where_argument() = default;
  where_argument(const mask& a) : array(a) {}
  template <array_argument A> where_argument(const A&) {
    static_assert(std::is_same_v<A, mask>, "numwarp: where= must be an ndarray<bool>");
  }
  const any_array* get() const { return array.valid() ? &array.untyped() : nullptr; }
};

// An untyped result as the handle that the operands call for: ndarray<type_of<Tag>>, or any_array
// as soon as one operand is untyped.
template <int Tag> auto typed(any_array&& a) {
  return ndarray<type_of<dtype(Tag)>>::from_any_unchecked(std::move(a));
}

}  // namespace detail
}  // namespace numwarp
