// What the formulas ask of a type.
#pragma once

#include <numwarp/core/dtypes.hpp>

namespace numwarp::core {

template <class T> inline constexpr char kind_of = tag_of<T> < 0 ? '?' : kind(dtype(tag_of<T>));

template <class T>
concept boolean = kind_of<T>
== 'b';
template <class T>
concept signed_integer = kind_of<T>
== 'i';
template <class T>
concept unsigned_integer = kind_of<T>
== 'u';
template <class T>
concept integer = signed_integer<T> || unsigned_integer<T>;
// float and double: what the formulas are evaluated in. The halves go through float.
template <class T>
concept floating_point = kind_of<T>
== 'f' && !is_half<T>;
template <class T>
concept complex_number = kind_of<T>
== 'c';
template <class T>
concept real_number = tag_of<T>
>= 0 && !complex_number<T> && !is_half<T>;

template <class A, class B> inline constexpr bool is_same = false;
template <class A> inline constexpr bool is_same<A, A> = true;

template <bool First, class A, class B> struct conditional { using type = A; };
template <class A, class B> struct conditional<false, A, B> { using type = B; };
template <bool First, class A, class B>
using conditional_t = typename conditional<First, A, B>::type;

template <class T> struct real_type { using type = T; };
template <class T> struct real_type<complex<T>> { using type = T; };
template <class T> using real_of = typename real_type<T>::type;

// The type a formula for T is evaluated in.
template <class T> using compute_of = conditional_t<is_half<T>, float, T>;

template <int Bytes>
using unsigned_bits =
    conditional_t<Bytes == 1, u8,
                  conditional_t<Bytes == 2, u16, conditional_t<Bytes == 4, u32, u64>>>;
template <class T> using unsigned_of = unsigned_bits<int(sizeof(T))>;

// Integers in which T's arithmetic wraps without undefined behaviour and without the promotion to
// int that makes uint16 * uint16 overflow.
template <class T> using wrapping_of = conditional_t<sizeof(T) < 4, u32, unsigned_of<T>>;

template <class T> struct limits;
template <integer T> struct limits<T> {
  static constexpr int width = int(sizeof(T)) * 8;
  static constexpr T max = T(unsigned_of<T>(-1) >> (signed_integer<T> ? 1 : 0));
  static constexpr T lowest = signed_integer<T> ? T(-max - 1) : T(0);
};
template <> struct limits<float> {
  static constexpr float max = 0x1.fffffep127f, min_normal = 0x1p-126f, epsilon = 0x1p-23f;
  static constexpr float infinity = __builtin_bit_cast(float, 0x7f800000u);
  static constexpr float nan = __builtin_bit_cast(float, 0x7fc00000u);
};
template <> struct limits<double> {
  static constexpr double max = 0x1.fffffffffffffp1023, min_normal = 0x1p-1022, epsilon = 0x1p-52;
  static constexpr double infinity = __builtin_bit_cast(double, u64(0x7ff0000000000000u));
  static constexpr double nan = __builtin_bit_cast(double, u64(0x7ff8000000000000u));
};

}  // namespace numwarp::core
