// The functions that ops.def names, for real types: NumPy's values, without undefined behaviour and
// with selects in place of branches where that is cheap.
#pragma once

#include <numwarp/core/integer_math.hpp>
#include <numwarp/core/libm.hpp>

namespace numwarp::core::math {

template <floating_point T> NW_HD T add(T a, T b) { return a + b; }
template <floating_point T> NW_HD T subtract(T a, T b) { return a - b; }
template <floating_point T> NW_HD T multiply(T a, T b) { return a * b; }
template <floating_point T> NW_HD T divide(T a, T b) { return a / b; }
template <floating_point T> NW_HD T negative(T a) { return -a; }
template <floating_point T> NW_HD T absolute(T a) { return fabs(a); }
template <floating_point T> NW_HD T square(T a) { return a * a; }
template <floating_point T> NW_HD T reciprocal(T a) { return T(1) / a; }
template <floating_point T> NW_HD T power(T a, T b) { return pow(a, b); }
template <floating_point T> NW_HD bool isnan(T a) { return a != a; }
template <floating_point T> NW_HD bool isinf(T a) { return fabs(a) == limits<T>::infinity; }
template <floating_point T> NW_HD bool isfinite(T a) { return fabs(a) <= limits<T>::max; }
template <floating_point T> NW_HD bool signbit(T a) { return bits_of(a) >> (8 * sizeof(T) - 1); }
// NaN stays NaN, zero is +0.
template <floating_point T> NW_HD T sign(T a) {
  const T size = a == 0 ? T(0) : T(1);
  return a != a ? a : a < 0 ? -size : size;
}
template <real_number T> NW_HD T positive(T a) { return a; }
template <real_number T> NW_HD T conjugate(T a) { return a; }
template <real_number T> NW_HD T real(T a) { return a; }
template <real_number T> NW_HD T imag(T) { return T(0); }
template <floating_point T> NW_HD T degrees(T a) {
  return a * T(180.0 / 3.141592653589793238462643383279502884);
}
template <floating_point T> NW_HD T radians(T a) {
  return a * T(3.141592653589793238462643383279502884 / 180.0);
}

// Python's sign: fmod first, which is exact, then moved towards the divisor's sign. The floor of
// the quotient would be wrong: 4.4 / 0.1 rounds up to 44 in float32.
template <floating_point T> NW_HD T remainder(T a, T b) {
  const T mod = fmod(a, b);
  const T moved = (b < 0) != (mod < 0) ? mod + b : mod;
  return b == 0 ? mod : mod != 0 ? moved : copysign(T(0), b);
}
template <floating_point T> NW_HD T floor_divide(T a, T b) {
  const T mod = fmod(a, b);
  const T exact = (a - mod) / b;
  const T div = mod != 0 && (b < 0) != (mod < 0) ? exact - 1 : exact;
  const T low = floor(div);
  const T nearest = div - low > T(0.5) ? low + 1 : low;
  return b == 0 ? a / b : div != 0 ? nearest : copysign(T(0), a / b);
}

// The first NaN wins; of two equal values (zeros of either sign) the first.
template <floating_point T> NW_HD T maximum(T a, T b) { return ((a >= b) | (a != a)) ? a : b; }
template <floating_point T> NW_HD T minimum(T a, T b) { return ((a <= b) | (a != a)) ? a : b; }
template <floating_point T> NW_HD T fmax(T a, T b) { return ((a >= b) | (b != b)) ? a : b; }
template <floating_point T> NW_HD T fmin(T a, T b) { return ((a <= b) | (b != b)) ? a : b; }
template <floating_point T> NW_HD T clip(T a, T lowest, T highest) {
  const T raised = ((a > lowest) | (a != a)) ? a : lowest;
  return ((raised < highest) | (raised != raised)) ? raised : highest;
}

template <floating_point T> NW_HD T heaviside(T a, T at_zero) {
  return a > 0 ? T(1) : a < 0 ? T(0) : a == 0 ? at_zero : a;
}

// Equal operands are apart because inf - inf is NaN.
template <floating_point T> NW_HD T logaddexp(T a, T b) {
  constexpr T log_2 = T(0.693147180559945309417232121458176568);
  const T gap = a - b;
  return a == b ? a + log_2 : (gap > 0 ? a : b) + log1p(exp(-fabs(gap)));
}
template <floating_point T> NW_HD T logaddexp2(T a, T b) {
  constexpr T log2_e = T(1.442695040888963407359924681001892137);
  const T gap = a - b;
  return a == b ? a + 1 : (gap > 0 ? a : b) + log2_e * log1p(exp2(-fabs(gap)));
}

// One step in the format's own bits, which count up from zero on both sides.
template <class Bits> NW_HD Bits step_towards(Bits a, Bits b) {
  constexpr Bits sign_bit = Bits(Bits(1) << (8 * sizeof(Bits) - 1));
  const Bits size_mask = Bits(sign_bit - 1);
  const bool inwards = ((a ^ b) & sign_bit) != 0 || (a & size_mask) > (b & size_mask);
  const Bits next = Bits(inwards ? a - 1 : a + 1);
  return (a & size_mask) == 0 ? Bits((b & sign_bit) | 1) : next;
}
NW_HD float nextafter(float a, float b) {
  const float next = float_of(step_towards(bits_of(a), bits_of(b)));
  return a != a || b != b ? a + b : a == b ? b : next;
}
NW_HD double nextafter(double a, double b) {
  const double next = double_of(step_towards(bits_of(a), bits_of(b)));
  return a != a || b != b ? a + b : a == b ? b : next;
}
// Of two equal operands C gives the second, NumPy's float16 the first.
template <half T> NW_HD T nextafter(T a, T b) {
  const T next = T::from_bits(step_towards(a.bits, b.bits));
  const float x = float(a), y = float(b);
  return x != x || y != y ? T(x + y) : x != y ? next : is_same<T, float16> ? a : b;
}

template <real_number T> NW_HD bool equal(T a, T b) { return a == b; }
template <real_number T> NW_HD bool not_equal(T a, T b) { return a != b; }
template <real_number T> NW_HD bool less(T a, T b) { return a < b; }
template <real_number T> NW_HD bool less_equal(T a, T b) { return a <= b; }
template <real_number T> NW_HD bool truth(T a) { return a != 0; }

// By masks: g++ 12 does not vectorise a select on a bool from memory.
template <class T> NW_HD T where(bool condition, T a, T b) {
  if constexpr (complex_number<T>) {
    return {where(condition, a.re, b.re), where(condition, a.im, b.im)};
  } else {
    using bits = unsigned_of<T>;
    const bits mask = bits(bits(0) - bits(__builtin_bit_cast(u8, condition)));
    const bits chosen =
        bits((__builtin_bit_cast(bits, a) & mask) | (__builtin_bit_cast(bits, b) & bits(~mask)));
    return __builtin_bit_cast(T, chosen);
  }
}

}  // namespace numwarp::core::math
