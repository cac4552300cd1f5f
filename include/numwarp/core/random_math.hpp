// What normal samples need of log, sine and cosine, with the same bits on every machine: only
// + - * / sqrt and fma, in a fixed order, and no libm. Arguments are whole random words, so that
// nothing is lost near 1 in the logarithm nor in the reduction of the angle. The polynomials are
// Taylor's, long enough for the last place on their short intervals.
#pragma once

#include <numwarp/core/libm.hpp>

namespace numwarp::core::random {

// c + x * (next + x * (...)).
template <class T> NW_HD T polynomial(T, double c) { return T(c); }
template <class T, class... C> NW_HD T polynomial(T x, double c, C... rest) {
  return math::fma(x, polynomial(x, rest...), T(c));
}

// Words as floating numbers, rounded once: the product is exact. Conversions of 32 bits are vector
// instructions, those of 64 are not.
NW_HD float number(u32 w) { return float(w); }
NW_HD double number(u64 w) { return double(u32(w >> 32)) * 0x1p32 + double(u32(w)); }
NW_HD float number(i32 w) { return float(w); }
NW_HD double number(i64 w) { return double(i32(u32(u64(w) >> 32))) * 0x1p32 + double(u32(w)); }

// Of float and double: the word of as many bits, and how a number's bits are cut.
template <class T> struct format;
template <> struct format<float> {
  using word = u32;
  using integer = i32;
  static constexpr int digits = 23;
  static constexpr word root_half = 0x3f3504f3, one = 0x3f800000;  // bits of sqrt(1/2), of 1
  static constexpr float unit = 0x1p-32f;                          // 1 / the number of words
  NW_HD static float exponent(word e) { return float(i32(e)); }
};
template <> struct format<double> {
  using word = u64;
  using integer = i64;
  static constexpr int digits = 52;
  static constexpr word root_half = 0x3fe6a09e667f3bcc, one = 0x3ff0000000000000;
  static constexpr double unit = 0x1p-64;
  NW_HD static double exponent(word e) { return double(i32(u32(e))); }
};

// log(1 + f) = 2 atanh(f / (2 + f)), for 1 + f from sqrt(1/2) to sqrt(2).
template <class T> NW_HD T log_near_one(T f) {
  const T s = f / (T(2) + f), ss = s * s;
  T tail;
  if constexpr (sizeof(T) == 4) {
    tail = polynomial(ss, 1. / 3, 1. / 5, 1. / 7, 1. / 9);
  } else {
    tail = polynomial(ss, 1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17,
                      1. / 19, 1. / 21);
  }
  return math::fma(T(2) * s, ss * tail, T(2) * s);
}

// sqrt(-2 log u) for u = (w + 1/2) / 2^bits, which is neither 0 nor 1. Between sqrt(1/2) and 1 the
// logarithm is taken from 1 - u, which the word gives without rounding near 1.
template <class T> NW_HD T radius(typename format<T>::word w) {
  using F = format<T>;
  using word = typename F::word;
  const T u = (number(w) + T(0.5)) * F::unit, rest = (number(word(~w)) + T(0.5)) * F::unit;
  // u = m 2^e with m from sqrt(1/2) to sqrt(2). Counted from 1, exponents are not negative.
  constexpr word bias = 128;
  const word above = __builtin_bit_cast(word, u) - F::root_half + (bias << F::digits);
  const word e = above >> F::digits;
  const T m = __builtin_bit_cast(T, word((above & ((word(1) << F::digits) - 1)) + F::root_half));
  const T f = e >= bias ? -rest : m - T(1);
  constexpr T log_2 = T(0.693147180559945309417232121458176568);
  const T log_u = math::fma(F::exponent(e) - T(bias), log_2, log_near_one(f));
  return math::sqrt(T(-2) * (e >= bias ? log_near_one(f) : log_u));
}

// The point of the unit circle at the angle (w + 1/2) / 2^bits of a turn.
template <class T> struct direction { T x, y; };
template <class T> NW_HD direction<T> direction_of(typename format<T>::word w) {
  using F = format<T>;
  using word = typename F::word;
  constexpr int bits = int(sizeof(T)) * 8;
  // The nearest multiple of a quarter turn, and what is left: at most an eighth on either side.
  const word quarter = (w + (word(1) << (bits - 3))) >> (bits - 2);
  const auto left = __builtin_bit_cast(typename F::integer, word(w - (quarter << (bits - 2))));
  constexpr double turn = 6.283185307179586476925286766559005768;
  const T a = (number(left) + T(0.5)) * (T(turn) * F::unit), aa = a * a;
  T sine, cosine;
  if constexpr (sizeof(T) == 4) {
    sine = polynomial(aa, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880);
    cosine = polynomial(aa, 1., -1. / 2, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800);
  } else {
    sine = polynomial(aa, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800,
                      1. / 6227020800, -1. / 1307674368000, 1. / 355687428096000);
    cosine = polynomial(aa, 1., -1. / 2, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800,
                        1. / 479001600, -1. / 87178291200, 1. / 20922789888000);
  }
  sine = math::fma(a * aa, sine, a);
  const bool swapped = quarter & 1;
  const T x = swapped ? sine : cosine, y = swapped ? cosine : sine;
  return {(quarter + 1) & 2 ? -x : x, quarter & 2 ? -y : y};
}

}  // namespace numwarp::core::random
