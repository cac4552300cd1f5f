// Arithmetic, comparisons and extrema of complex numbers, by NumPy's own formulas on every
// compiler.
#pragma once

#include <numwarp/core/math.hpp>

namespace numwarp::core::math {

template <class T> NW_HD complex<T> add(complex<T> a, complex<T> b) { return a + b; }
template <class T> NW_HD complex<T> subtract(complex<T> a, complex<T> b) { return a - b; }
template <class T> NW_HD complex<T> multiply(complex<T> a, complex<T> b) { return a * b; }
template <class T> NW_HD complex<T> divide(complex<T> a, complex<T> b) { return a / b; }
template <class T> NW_HD complex<T> negative(complex<T> a) { return -a; }
template <class T> NW_HD complex<T> positive(complex<T> a) { return a; }
template <class T> NW_HD complex<T> conjugate(complex<T> a) { return {a.re, -a.im}; }
template <class T> NW_HD T real(complex<T> a) { return a.re; }
template <class T> NW_HD T imag(complex<T> a) { return a.im; }
template <class T> NW_HD T absolute(complex<T> a) { return hypot(a.re, a.im); }
template <class T> NW_HD complex<T> square(complex<T> a) { return a * a; }
template <class T> NW_HD complex<T> rint(complex<T> a) { return {rint(a.re), rint(a.im)}; }

// Smith's algorithm (see operator/) for 1 / a; unlike there, NumPy divides by the denominator.
template <class T> NW_HD complex<T> reciprocal(complex<T> a) {
  const bool by_re = fabs(a.im) <= fabs(a.re);
  const T large = by_re ? a.re : a.im;
  const T small = by_re ? a.im : a.re;
  const T ratio = small / large;
  const T denominator = large + small * ratio;
  return {(by_re ? T(1) : ratio) / denominator, (by_re ? -ratio : T(-1)) / denominator};
}

// a / |a|: of an infinite number only the infinite part counts, and two infinite parts are no
// direction.
template <class T> NW_HD complex<T> sign(complex<T> a) {
  const T size = absolute(a);
  if (size == limits<T>::infinity) {
    const bool re = isinf(a.re), im = isinf(a.im);
    if (re && im) return {limits<T>::nan, limits<T>::nan};
    return {re ? copysign(T(1), a.re) : T(0), im ? copysign(T(1), a.im) : T(0)};
  }
  if (size != size) return {size, size};
  return {size == 0 ? T(0) : a.re / size, size == 0 ? T(0) : a.im / size};
}

// bitwise_and and bitwise_or of bool: without the branches of && and || the loops vectorise.
template <class T> NW_HD bool isnan(complex<T> a) { return bitwise_or(isnan(a.re), isnan(a.im)); }
template <class T> NW_HD bool isinf(complex<T> a) { return bitwise_or(isinf(a.re), isinf(a.im)); }
template <class T> NW_HD bool isfinite(complex<T> a) {
  return bitwise_and(isfinite(a.re), isfinite(a.im));
}
template <class T> NW_HD bool truth(complex<T> a) { return bitwise_or(a.re != 0, a.im != 0); }

// Lexicographic. A NaN in an imaginary part makes every order false, also where the real parts
// would decide.
template <class T> NW_HD bool real_part_less(complex<T> a, complex<T> b) {
  return bitwise_and(a.re < b.re, bitwise_and(a.im == a.im, b.im == b.im));
}
template <class T> NW_HD bool less(complex<T> a, complex<T> b) {
  return bitwise_or(real_part_less(a, b), bitwise_and(a.re == b.re, a.im < b.im));
}
template <class T> NW_HD bool less_equal(complex<T> a, complex<T> b) {
  return bitwise_or(real_part_less(a, b), bitwise_and(a.re == b.re, a.im <= b.im));
}
template <class T> NW_HD bool equal(complex<T> a, complex<T> b) { return a == b; }
template <class T> NW_HD bool not_equal(complex<T> a, complex<T> b) { return !(a == b); }

template <class T> NW_HD complex<T> maximum(complex<T> a, complex<T> b) {
  return isnan(a) || less_equal(b, a) ? a : b;
}
template <class T> NW_HD complex<T> minimum(complex<T> a, complex<T> b) {
  return isnan(a) || less_equal(a, b) ? a : b;
}
template <class T> NW_HD complex<T> fmax(complex<T> a, complex<T> b) {
  return isnan(b) || less_equal(b, a) ? a : b;
}
template <class T> NW_HD complex<T> fmin(complex<T> a, complex<T> b) {
  return isnan(b) || less_equal(a, b) ? a : b;
}
// Unlike in a comparison, in clip the real parts decide even next to a NaN: so in NumPy.
template <class T> NW_HD bool less_in_clip(complex<T> a, complex<T> b) {
  return a.re == b.re ? a.im < b.im : a.re < b.re;
}
template <class T> NW_HD complex<T> clip(complex<T> a, complex<T> lowest, complex<T> highest) {
  const complex<T> raised = isnan(a) || less_in_clip(lowest, a) ? a : lowest;
  return isnan(raised) || less_in_clip(raised, highest) ? raised : highest;
}

// i * a and -i * a. By multiplication a zero would lose its sign and an infinity become NaN.
template <class T> NW_HD complex<T> times_i(complex<T> a) { return {-a.im, a.re}; }
template <class T> NW_HD complex<T> times_minus_i(complex<T> a) { return {a.im, -a.re}; }

}  // namespace numwarp::core::math
