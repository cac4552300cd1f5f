// Arithmetic of bool and the integers, as NumPy's loops do it: wrap-around, division by zero gives
// 0, Python's sign in floor_divide and remainder, any count in a shift.
#pragma once

#include <numwarp/core/traits.hpp>

namespace numwarp::core::math {

template <integer T> NW_HD T add(T a, T b) { return T(wrapping_of<T>(a) + wrapping_of<T>(b)); }
template <integer T> NW_HD T subtract(T a, T b) { return T(wrapping_of<T>(a) - wrapping_of<T>(b)); }
template <integer T> NW_HD T multiply(T a, T b) { return T(wrapping_of<T>(a) * wrapping_of<T>(b)); }
template <integer T> NW_HD T negative(T a) { return T(wrapping_of<T>(0) - wrapping_of<T>(a)); }
template <integer T> NW_HD T absolute(T a) {
  if constexpr (unsigned_integer<T>) {
    return a;
  } else {
    return a < 0 ? negative(a) : a;
  }
}
template <integer T> NW_HD T square(T a) { return multiply(a, a); }
template <integer T> NW_HD T sign(T a) {
  if constexpr (unsigned_integer<T>) {
    return T(a != 0);
  } else {
    return T((a > 0) - (a < 0));
  }
}

NW_HD bool add(bool a, bool b) { return a | b; }
NW_HD bool multiply(bool a, bool b) { return a & b; }
NW_HD bool absolute(bool a) { return a; }

// The C quotient, or 0 where C leaves it undefined (division by zero) and the wrapped value for
// lowest / -1. The divisor is replaced before the division, since a processor would trap.
template <integer T> NW_HD T quotient(T a, T b) {
  if constexpr (unsigned_integer<T>) {
    return b == 0 ? T(0) : T(a / (b == 0 ? T(1) : b));
  } else {
    const T safe = b == 0 || b == -1 ? T(1) : b;
    return b == 0 ? T(0) : b == -1 ? negative(a) : T(a / safe);
  }
}
template <integer T> NW_HD T fmod(T a, T b) {
  if constexpr (unsigned_integer<T>) {
    return b == 0 ? T(0) : T(a % (b == 0 ? T(1) : b));
  } else {
    return b == 0 || b == -1 ? T(0) : T(a % (b == 0 || b == -1 ? T(1) : b));
  }
}
template <integer T> NW_HD T remainder(T a, T b) {
  const T mod = fmod(a, b);
  if constexpr (unsigned_integer<T>) {
    return mod;
  } else {
    return mod != 0 && (mod < 0) != (b < 0) ? T(mod + b) : mod;
  }
}
template <integer T> NW_HD T floor_divide(T a, T b) {
  const T div = quotient(a, b);
  if constexpr (unsigned_integer<T>) {
    return div;
  } else {
    const T mod = subtract(a, multiply(div, b));
    return b != 0 && mod != 0 && (mod < 0) != (b < 0) ? T(div - 1) : div;
  }
}
template <integer T> NW_HD T reciprocal(T a) { return quotient(T(1), a); }

// By squaring, in T. A negative exponent has no integer answer except for bases 1 and -1: who calls
// has checked, and gets 0.
template <integer T> NW_HD T power(T a, T b) {
  if constexpr (signed_integer<T>) {
    if (b < 0) return a == 1 ? T(1) : a == -1 ? T(b & 1 ? -1 : 1) : T(0);
  }
  wrapping_of<T> result = 1, base = wrapping_of<T>(a);
  for (unsigned_of<T> left = unsigned_of<T>(b); left != 0; left = unsigned_of<T>(left >> 1)) {
    result *= left & 1 ? base : wrapping_of<T>(1);
    base *= base;
  }
  return T(result);
}

// A count that is negative or not below the width shifts everything out.
template <integer T> NW_HD T left_shift(T a, T b) {
  const bool inside = unsigned_of<T>(b) < limits<T>::width;
  return inside ? T(wrapping_of<T>(a) << (inside ? b : T(0))) : T(0);
}
// Short integers are shifted as 32 bits wide, where a count of 31 empties them.
template <integer T> NW_HD T right_shift(T a, T b) {
  const unsigned_of<T> count = unsigned_of<T>(b);
  if constexpr (signed_integer<T> || sizeof(T) < 4) {
    constexpr unsigned_of<T> most = sizeof(T) < 4 ? 31 : limits<T>::width - 1;
    return T(a >> (count < most ? count : most));
  } else {
    const bool inside = count < limits<T>::width;
    return inside ? a >> (inside ? count : T(0)) : T(0);
  }
}

template <integer T> NW_HD T bitwise_and(T a, T b) { return T(a & b); }
template <integer T> NW_HD T bitwise_or(T a, T b) { return T(a | b); }
template <integer T> NW_HD T bitwise_xor(T a, T b) { return T(a ^ b); }
template <integer T> NW_HD T invert(T a) { return T(~a); }
// Not && and !, which g++ 12 does not vectorise on bool.
NW_HD bool bitwise_and(bool a, bool b) { return a & b; }
NW_HD bool bitwise_or(bool a, bool b) { return a | b; }
NW_HD bool bitwise_xor(bool a, bool b) { return a ^ b; }
NW_HD bool invert(bool a) { return __builtin_bit_cast(u8, a) == 0; }

// Euclid on the sizes, which as unsigned numbers always exist.
template <integer T> NW_HD unsigned_of<T> size_of(T a) { return unsigned_of<T>(absolute(a)); }
template <unsigned_integer T> NW_HD T gcd_of_sizes(T a, T b) {
  while (b != 0) {
    const T rest = T(a % b);
    a = b;
    b = rest;
  }
  return a;
}
template <integer T> NW_HD T gcd(T a, T b) { return T(gcd_of_sizes(size_of(a), size_of(b))); }
template <integer T> NW_HD T lcm(T a, T b) {
  const unsigned_of<T> common = gcd_of_sizes(size_of(a), size_of(b));
  return common == 0 ? T(0) : T(wrapping_of<T>(size_of(a) / common) * wrapping_of<T>(size_of(b)));
}

// Without NaN the four extrema are two; bool and the integers round to themselves.
template <class T>
concept exact = integer<T> || boolean<T>;

template <exact T> NW_HD T maximum(T a, T b) { return a > b ? a : b; }
template <exact T> NW_HD T minimum(T a, T b) { return a < b ? a : b; }
template <exact T> NW_HD T fmax(T a, T b) { return maximum(a, b); }
template <exact T> NW_HD T fmin(T a, T b) { return minimum(a, b); }
template <exact T> NW_HD T clip(T a, T lowest, T highest) {
  return minimum(maximum(a, lowest), highest);
}
template <exact T> NW_HD T floor(T a) { return a; }
template <exact T> NW_HD T ceil(T a) { return a; }
template <exact T> NW_HD T trunc(T a) { return a; }
template <exact T> NW_HD bool isnan(T) { return false; }
template <exact T> NW_HD bool isinf(T) { return false; }
template <exact T> NW_HD bool isfinite(T) { return true; }

}  // namespace numwarp::core::math
