// sqrt, logarithms and powers of complex numbers. Values at infinities, NaN and signed zeros are
// those of C99, Annex G.6; power's are NumPy's.
#pragma once

#include <numwarp/core/complex_exp.hpp>

namespace numwarp::core::math {

// A power of four that brings the larger part of z well into the range where its square, or that of
// a number of like size, neither overflows nor loses bits; with its square root.
template <class T> struct scaling { T up, root_down; };
template <class T> NW_HD scaling<T> scaling_for(T larger) {
  constexpr T tiny_up = sizeof(T) == 4 ? T(0x1p48) : T(0x1p108);
  constexpr T tiny_root_down = sizeof(T) == 4 ? T(0x1p-24) : T(0x1p-54);
  if (larger > limits<T>::max / 8) return {T(0x1p-4), T(4)};
  if (larger < limits<T>::min_normal * 4 / limits<T>::epsilon) return {tiny_up, tiny_root_down};
  return {T(1), T(1)};
}

// The root with the larger of its parts taken first, by a sum of two positive numbers, and the
// other by division (W. Kahan, "Branch cuts", 1987).
template <class T> NW_HD complex<T> sqrt(complex<T> z) {
  if (isinf(z.im)) return {limits<T>::infinity, z.im};
  if (isinf(z.re)) {
    const T zero_or_nan = isnan(z.im) ? z.im : T(0);
    return z.re > 0 ? complex<T>{z.re, copysign(zero_or_nan, z.im)}
                    : complex<T>{zero_or_nan, copysign(limits<T>::infinity, z.im)};
  }
  if (z.re == 0 && z.im == 0) return {T(0), z.im};
  const scaling<T> scale = scaling_for(fmax(fabs(z.re), fabs(z.im)));
  const T x = z.re * scale.up, y = z.im * scale.up;
  const T larger = sqrt((fabs(x) + hypot(x, y)) * T(0.5));
  const T smaller = y / (2 * larger);
  return x >= 0
             ? complex<T>{larger * scale.root_down, smaller * scale.root_down}
             : complex<T>{fabs(smaller) * scale.root_down, copysign(larger, y) * scale.root_down};
}

// An unevaluated sum, high + low.
template <class T> struct split { T high, low; };
template <class T> NW_HD split<T> exact_sum(T a, T b) {
  const T sum = a + b;
  const T b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// c + x * x + y * y with one rounding, nearly: near zero its terms cancel.
template <class T> NW_HD T sum_of_squares(T c, T x, T y) {
  const T xx = x * x, yy = y * y;
  const T low = fma(x, x, -xx) + fma(y, y, -yy);
  const split<T> first = exact_sum(c, xx > yy ? xx : yy);
  const split<T> second = exact_sum(first.high, xx > yy ? yy : xx);
  return second.high + (second.low + first.low + low);
}

// log |x + iy| where that is not near 1.
template <class T> NW_HD T log_of_size(T x, T y) {
  constexpr T log_2 = T(0.693147180559945309417232121458176568);
  const T larger = fmax(fabs(x), fabs(y));
  if (larger > limits<T>::max / 4) return log(hypot(x * T(0.25), y * T(0.25))) + 2 * log_2;
  if (larger < limits<T>::min_normal / limits<T>::epsilon) {
    return log(hypot(x * T(0x1p60), y * T(0x1p60))) - 60 * log_2;
  }
  return log(hypot(x, y));
}

// Whether |x + iy| is so near 1 that its logarithm must be taken from |x + iy|^2 - 1.
template <class T> NW_HD bool size_near_one(T x, T y) {
  const T squared = x * x + y * y;
  return squared > T(0.5) && squared < T(3);
}

template <class T> NW_HD complex<T> log(complex<T> z) {
  const T size = size_near_one(z.re, z.im) ? T(0.5) * log1p(sum_of_squares(T(-1), z.re, z.im))
                                           : log_of_size(z.re, z.im);
  return {size, arctan2(z.im, z.re)};
}
template <class T> NW_HD complex<T> log1p(complex<T> z) {
  const T x = 1 + z.re;
  const T size = size_near_one(x, z.im) ? T(0.5) * log1p(sum_of_squares(2 * z.re, z.re, z.im))
                                        : log_of_size(x, z.im);
  return {size, arctan2(z.im, x)};
}
template <class T> NW_HD complex<T> log2(complex<T> z) {
  constexpr T log2_e = T(1.442695040888963407359924681001892137);
  const complex<T> w = log(z);
  return {w.re * log2_e, w.im * log2_e};
}
template <class T> NW_HD complex<T> log10(complex<T> z) {
  constexpr T log10_e = T(0.434294481903251827651128918916605082);
  const complex<T> w = log(z);
  return {w.re * log10_e, w.im * log10_e};
}

// a^n by squaring; n is not 0. Outside 1, 2 and 3 NumPy starts with 1 * a, which turns an infinity
// into NaN.
template <class T> NW_HD complex<T> integer_power(complex<T> a, int n) {
  unsigned int left = n < 0 ? 0u - unsigned(n) : unsigned(n);
  while ((left & 1u) == 0) {
    a = a * a;
    left >>= 1;
  }
  complex<T> result = n >= 1 && n <= 3 ? a : complex<T>(T(1)) * a;
  for (left >>= 1; left != 0; left >>= 1) {
    a = a * a;
    if (left & 1u) result = result * a;
  }
  return n < 0 ? complex<T>(T(1)) / result : result;
}

// The sign of an infinite part, and a zero of the sign of a finite one.
template <class T> NW_HD complex<T> direction(complex<T> a) {
  return {copysign(isinf(a.re) ? T(1) : T(0), a.re), copysign(isinf(a.im) ? T(1) : T(0), a.im)};
}
template <class T> NW_HD complex<T> nan_to_zero(complex<T> a) {
  return {isnan(a.re) ? copysign(T(0), a.re) : a.re, isnan(a.im) ? copysign(T(0), a.im) : a.im};
}

// C99, Annex G.5.1: a product with an infinite factor is infinite, where the plain formula gives
// NaN in both parts. This is the product in C's cpow, whose special values NumPy shows.
template <class T> NW_HD complex<T> multiply_keeping_infinity(complex<T> a, complex<T> b) {
  const complex<T> plain = a * b;
  if (!(isnan(plain.re) && isnan(plain.im))) return plain;
  const bool a_infinite = isinf(a), b_infinite = isinf(b);
  const bool overflow =
      isinf(a.re * b.re) || isinf(a.im * b.im) || isinf(a.re * b.im) || isinf(a.im * b.re);
  if (!a_infinite && !b_infinite && !overflow) return plain;
  if (a_infinite) a = direction(a);
  if (b_infinite) b = direction(b);
  const complex<T> turn = nan_to_zero(a) * nan_to_zero(b);
  return {limits<T>::infinity * turn.re, limits<T>::infinity * turn.im};
}

// NumPy's rules: 0 to a power with positive real part is 0, to any other but 0 is NaN, and small
// whole exponents are products. The rest is e^(b log a), its modulus by the real power, which does
// not lose the bits that b * log|a| would.
template <class T> NW_HD complex<T> power(complex<T> a, complex<T> b) {
  if (b.re == 0 && b.im == 0) return {T(1), T(0)};
  if (a.re == 0 && a.im == 0) {
    const T zero_or_nan = b.re > 0 ? T(0) : limits<T>::nan;
    return {zero_or_nan, zero_or_nan};
  }
  if (b.im == 0 && fabs(b.re) < 100 && b.re == trunc(b.re)) return integer_power(a, int(b.re));
  const complex<T> w = log(a);
  if (!isfinite(w) || !isfinite(b)) return exp(multiply_keeping_infinity(b, w));
  const T angle = b.re * w.im + b.im * w.re;
  const T size = hypot(a.re, a.im);
  if (!(size >= limits<T>::min_normal && size < limits<T>::max))
    return exp(multiply_keeping_infinity(b, w));
  const T modulus = pow(size, b.re);
  return modulus == 0 || isinf(modulus) ? exp(multiply_keeping_infinity(b, w))
                                        : complex<T>{exp_times(-b.im * w.im, modulus * cos(angle)),
                                                     exp_times(-b.im * w.im, modulus * sin(angle))};
}

}  // namespace numwarp::core::math
