// The inverse circular and hyperbolic functions of complex numbers, with the branch cuts and the
// values at infinities, NaN and signed zeros of C99, Annex G.6.
#pragma once

#include <numwarp/core/complex_log.hpp>

namespace numwarp::core::math {

template <class T> inline constexpr T half_pi = T(1.570796326794896619231321691639751442);

// The infinite part of a result, positive where a NaN leaves its sign open: the sign of a NaN
// differs between devices.
template <class T> NW_HD T infinity_signed_as(T a) {
  return a < 0 || (a == 0 && signbit(a)) ? -limits<T>::infinity : limits<T>::infinity;
}

// arcsin and arccos after W. Kahan, "Branch cuts", 1987: CASIN, CACOS. With s = sqrt(1 - z) and
// t = sqrt(1 + z) every product below is a sum of terms of one sign: nothing cancels, and 1 - x is
// exact where x is near 1.
template <class T> NW_HD complex<T> arcsin(complex<T> z) {
  if (isinf(z)) return {arctan2(z.re, fabs(z.im)), infinity_signed_as(z.im)};
  if (isnan(z)) return {z.re == 0 ? z.re : limits<T>::nan, limits<T>::nan};
  const complex<T> s = sqrt(complex<T>{1 - z.re, -z.im});
  const complex<T> t = sqrt(complex<T>{1 + z.re, z.im});
  return {arctan(z.re / (s.re * t.re - s.im * t.im)), arcsinh(s.re * t.im - s.im * t.re)};
}

template <class T> NW_HD complex<T> arccos(complex<T> z) {
  if (isinf(z)) return {arctan2(fabs(z.im), z.re), -infinity_signed_as(z.im)};
  if (isnan(z)) return {z.re == 0 ? half_pi<T> : limits<T>::nan, limits<T>::nan};
  const complex<T> s = sqrt(complex<T>{1 - z.re, -z.im});
  const complex<T> t = sqrt(complex<T>{1 + z.re, z.im});
  return {2 * arctan(s.re / t.re), arcsinh(t.re * s.im - t.im * s.re)};
}

template <class T> NW_HD complex<T> arccosh(complex<T> z) {
  const complex<T> w = arccos(z);
  return {fabs(w.im), copysign(w.re, z.im)};
}

// x / (x * x + y * y) of numbers whose squares overflow.
template <class T> NW_HD T real_of_reciprocal(T x, T y) {
  const T larger = fmax(fabs(x), fabs(y));
  const T u = x / larger, v = y / larger;
  return u / (u * u + v * v) / larger;
}

// Re = log1p(4x / ((1 - x)^2 + y^2)) / 4, Im = arg((1 - x)(1 + x) - y^2 + 2iy) / 2, the first on
// |x| so that log1p sees no number near -1 (Kahan, CATANH; T. E. Hull et al., "Implementing complex
// elementary functions using exception handling", ACM TOMS 20 (1994) 215).
template <class T> NW_HD complex<T> arctanh(complex<T> z) {
  constexpr T log_2 = T(0.693147180559945309417232121458176568);
  const T x = fabs(z.re), y = fabs(z.im);
  if (isnan(z.re) || isnan(z.im)) {
    const bool zero = x == 0 || isinf(x) || isinf(y);
    return {zero ? copysign(T(0), z.re) : limits<T>::nan,
            isinf(y) ? copysign(half_pi<T>, z.im) : limits<T>::nan};
  }
  if (fmax(x, y) > 1 / limits<T>::epsilon) {
    const T re = isinf(x) || isinf(y) ? T(0) : real_of_reciprocal(x, y);
    return {copysign(re, z.re), copysign(half_pi<T>, z.im)};
  }
  const T near = 1 - x;
  const T re = near == 0 && y < limits<T>::epsilon ? T(0.5) * (log_2 - log(y))
                                                   : T(0.25) * log1p(4 * x / (near * near + y * y));
  return {copysign(re, z.re), T(0.5) * arctan2(2 * z.im, near * (1 + x) - y * y)};
}

template <class T> NW_HD complex<T> arcsinh(complex<T> z) {
  if (isinf(z)) return {infinity_signed_as(z.re), arctan2(z.im, fabs(z.re))};
  return times_i(arcsin(times_minus_i(z)));
}
template <class T> NW_HD complex<T> arctan(complex<T> z) {
  return times_minus_i(arctanh(times_i(z)));
}

}  // namespace numwarp::core::math
