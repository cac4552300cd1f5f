// exp and its kin of complex numbers. Values at infinities, NaN and signed zeros are those of C99,
// Annex G.6.
#pragma once

#include <numwarp/core/complex_basic.hpp>

namespace numwarp::core::math {

// e^x * factor where e^x alone may overflow: up to twice e^Step, which does not, is taken apart.
// Two are enough: factor may be as small as the least subnormal number.
NW_HD float exp_times(float x, float factor) {
  constexpr float step = 88, power_of_step = 0x1.f1056ep126f;  // e^88
  const float over = x > 2 * step ? 2 : x > step ? 1 : 0;
  const float first = exp(x - over * step) * factor;
  return first * (over > 0 ? power_of_step : 1.0f) * (over > 1 ? power_of_step : 1.0f);
}
NW_HD double exp_times(double x, double factor) {
  constexpr double step = 709, power_of_step = 0x1.d422d2be5dc9bp1022;  // e^709
  const double over = x > 2 * step ? 2 : x > step ? 1 : 0;
  const double first = exp(x - over * step) * factor;
  return first * (over > 0 ? power_of_step : 1.0) * (over > 1 ? power_of_step : 1.0);
}

// A modulus that is 0 or infinite in an unknown direction (an angle that is inf or NaN).
template <class T> NW_HD complex<T> exp_of_infinite(T x, T y) {
  return x < 0 ? complex<T>{T(0), copysign(T(0), y)} : complex<T>{x, limits<T>::nan};
}

template <class T> NW_HD complex<T> exp(complex<T> z) {
  if (isinf(z.re) && !isfinite(z.im)) return exp_of_infinite(z.re, z.im);
  return {exp_times(z.re, cos(z.im)), z.im == 0 ? z.im : exp_times(z.re, sin(z.im))};
}

// 2^z with the angle im * log(2) as an unevaluated sum high + low, since its rounding error grows
// with im.
template <class T> NW_HD complex<T> exp2(complex<T> z) {
  constexpr double log_2 = 0.693147180559945309417232121458176568;
  constexpr T log_2_high = T(log_2);
  constexpr T log_2_low =
      sizeof(T) == 4 ? T(log_2 - double(log_2_high)) : T(2.3190468138462996e-17);
  if (isinf(z.re) && !isfinite(z.im)) return exp_of_infinite(z.re, z.im);
  const T high = z.im * log_2_high;
  const T low = fma(z.im, log_2_high, -high) + z.im * log_2_low;
  const T c = cos(high), s = sin(high);
  const T half_size = exp2(z.re * T(0.5));
  const bool large = fabs(z.re) > (sizeof(T) == 4 ? T(125) : T(1021));
  const T first = large ? half_size : exp2(z.re), second = large ? half_size : T(1);
  return {first * (c - low * s) * second, z.im == 0 ? z.im : first * (s + low * c) * second};
}

// The subtraction may cancel only where the imaginary part is larger by far.
template <class T> NW_HD complex<T> expm1(complex<T> z) {
  const T s = sin(z.im * T(0.5));
  return {expm1(z.re) * cos(z.im) - 2 * s * s, exp_times(z.re, sin(z.im))};
}

// Beyond this sinh and cosh are e^|x| / 2 to the last bit.
template <class T> inline constexpr T large_for_sinh = sizeof(T) == 4 ? T(11) : T(22);

template <class T> NW_HD complex<T> sinh(complex<T> z) {
  const T x = z.re, y = z.im;
  if (x == 0) return {isfinite(y) ? x * cos(y) : x, y == 0 ? y : sin(y)};
  if (isinf(x) && !isfinite(y)) return {x, limits<T>::nan};
  const T c = cos(y), s = sin(y);
  if (fabs(x) > large_for_sinh<T>) {
    return {exp_times(fabs(x), T(0.5) * copysign(c, c * x)),
            y == 0 ? y : exp_times(fabs(x), T(0.5) * s)};
  }
  return {sinh(x) * c, y == 0 ? y : cosh(x) * s};
}

template <class T> NW_HD complex<T> cosh(complex<T> z) {
  const T x = z.re, y = z.im;
  if (isinf(x) && !isfinite(y)) return {limits<T>::infinity, limits<T>::nan};
  const T c = cos(y), s = sin(y);
  // The sign of a zero imaginary part is that of sinh(x) * sin(y).
  const T zero = copysign(T(1), x) * copysign(T(0), isfinite(y) ? s : y);
  if (x == 0 || y == 0) return {x == 0 ? c : cosh(x), zero};
  if (fabs(x) > large_for_sinh<T>) {
    return {exp_times(fabs(x), T(0.5) * c), exp_times(fabs(x), T(0.5) * copysign(s, s * x))};
  }
  return {cosh(x) * c, sinh(x) * s};
}

// W. Kahan, "Branch cuts for complex elementary functions, or Much ado about nothing's sign bit",
// in The State of the Art in Numerical Analysis, Oxford 1987: CTANH.
template <class T> NW_HD complex<T> tanh(complex<T> z) {
  const T x = z.re, y = z.im;
  if (!isfinite(y) && !isinf(x)) return {x == 0 ? x : limits<T>::nan, limits<T>::nan};
  if (isnan(x)) return {x, y == 0 ? y : x};
  if (fabs(x) > large_for_sinh<T>) {
    const T turn = isfinite(y) ? sin(y) * cos(y) : copysign(T(0), y);
    return {copysign(T(1), x), 4 * turn * exp(-2 * fabs(x))};
  }
  const T t = tan(y), s = sinh(x);
  const T beta = 1 + t * t;
  const T rho = sqrt(1 + s * s);
  const T denominator = 1 + beta * s * s;
  return {beta * rho * s / denominator, t / denominator};
}

template <class T> NW_HD complex<T> sin(complex<T> z) { return times_minus_i(sinh(times_i(z))); }
template <class T> NW_HD complex<T> cos(complex<T> z) { return cosh(times_i(z)); }
template <class T> NW_HD complex<T> tan(complex<T> z) { return times_minus_i(tanh(times_i(z))); }

}  // namespace numwarp::core::math
