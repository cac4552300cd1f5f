// NumPy 2's result types: promotion of two arrays, of an array and a weak scalar (NEP 50), and one
// struct a kind of ufunc. bfloat16 is as the package ml_dtypes registers it with NumPy.
//
// A rule answers with the dtype to compute in, `compute(promoted)`, or -1 where NumPy has no loop,
// and with the dtype that comes out, `result(compute)`. An operand is passed through `operand`
// before the operands are promoted: NumPy picks the first loop that takes all of them, so that
// arctan2(int8, uint8) is float16, and not the float32 that int16 would give.
#pragma once

#include <numwarp/core/dtypes.hpp>

namespace numwarp {

namespace core {

constexpr bool is_integer(dtype t) { return kind(t) == 'i' || kind(t) == 'u'; }
constexpr bool is_complex(dtype t) { return kind(t) == 'c'; }

// The real dtype of a complex one; any other dtype itself.
constexpr dtype real_dtype(dtype t) {
  return t == dtype::complex64 ? dtype::float32 : t == dtype::complex128 ? dtype::float64 : t;
}
constexpr dtype complex_dtype(dtype t) {
  return t == dtype::float64 || t == dtype::complex128 ? dtype::complex128 : dtype::complex64;
}
constexpr dtype signed_dtype(int bytes) {
  return bytes == 1   ? dtype::int8
         : bytes == 2 ? dtype::int16
         : bytes == 4 ? dtype::int32
                      : dtype::int64;
}

// The least floating dtype that holds the values of a bool or integer dtype (of 64 bits: nearly).
constexpr dtype floating_dtype(dtype t) {
  if (kind(t) == 'f' || is_complex(t)) return t;
  return itemsize(t) == 1 ? dtype::float16 : itemsize(t) == 2 ? dtype::float32 : dtype::float64;
}

constexpr dtype promote_integers(dtype a, dtype b) {
  if (kind(a) == kind(b)) return itemsize(a) > itemsize(b) ? a : b;
  const dtype s = kind(a) == 'i' ? a : b;
  const dtype u = kind(a) == 'i' ? b : a;
  if (itemsize(s) > itemsize(u)) return s;
  return itemsize(u) == 8 ? dtype::float64 : signed_dtype(2 * itemsize(u));
}

constexpr dtype promote_floats(dtype a, dtype b) {
  if (itemsize(a) == 2 && itemsize(b) == 2) return dtype::float32;
  return itemsize(a) > itemsize(b) ? a : b;
}

}  // namespace core

// Whether NumPy promotes the pair: bfloat16 has no common dtype with float16 and with integers of
// more than 8 bits.
constexpr bool promotable(dtype a, dtype b) {
  if (a == b || (a != dtype::bfloat16 && b != dtype::bfloat16)) return true;
  const dtype other = a == dtype::bfloat16 ? b : a;
  return other != dtype::float16 && !(core::is_integer(other) && itemsize(other) > 1);
}

// numpy.promote_types. For a pair that is not promotable: the least dtype that holds both.
constexpr dtype promote(dtype a, dtype b) {
  if (a == b) return a;
  if (kind(a) == 'b') return b;
  if (kind(b) == 'b') return a;
  if (core::is_integer(a) && core::is_integer(b)) return core::promote_integers(a, b);
  if (core::is_complex(a) || core::is_complex(b)) {
    return core::complex_dtype(promote(core::real_dtype(a), core::real_dtype(b)));
  }
  if (a == dtype::bfloat16 && core::is_integer(b) && itemsize(b) == 1) return a;
  if (b == dtype::bfloat16 && core::is_integer(a) && itemsize(a) == 1) return b;
  const dtype x = core::floating_dtype(a), y = core::floating_dtype(b);
  return x == y ? x : core::promote_floats(x, y);
}

// An array with a Python-like scalar of kind b, i, u, f or c: the scalar's size does not count.
constexpr dtype promote_weak(dtype array, char scalar_kind) {
  const bool below_float = kind(array) == 'b' || core::is_integer(array);
  if (scalar_kind == 'c') {
    return below_float ? dtype::complex128 : core::complex_dtype(array);
  }
  if (scalar_kind == 'f' && below_float) return dtype::float64;
  if ((scalar_kind == 'i' || scalar_kind == 'u') && kind(array) == 'b') return dtype::int64;
  return array;
}

namespace core::rules {

struct any {
  static constexpr dtype operand(dtype t) { return t; }
  static constexpr int compute(dtype t) { return int(t); }
  static constexpr dtype result(dtype t) { return t; }
};

// subtract, negative, positive, sign: NumPy refuses bool.
struct not_bool : any {
  static constexpr int compute(dtype t) { return kind(t) == 'b' ? -1 : int(t); }
};

// power, square, reciprocal, conjugate: bool counts as int8.
struct numeric : any {
  static constexpr int compute(dtype t) { return kind(t) == 'b' ? int(dtype::int8) : int(t); }
};

// floor_divide, remainder, fmod: what has an order.
struct numeric_real : any {
  static constexpr int compute(dtype t) { return is_complex(t) ? -1 : numeric::compute(t); }
};

// floor, ceil, trunc: integers and bool stay what they are.
struct rounding : any {
  static constexpr int compute(dtype t) { return is_complex(t) ? -1 : int(t); }
};

// absolute, real, imag.
struct magnitude : any {
  static constexpr dtype result(dtype t) { return real_dtype(t); }
};

// sqrt, exp, sin ...: integers go to the least float that holds them.
struct floating : any {
  static constexpr dtype operand(dtype t) { return floating_dtype(t); }
  static constexpr int compute(dtype t) { return int(floating_dtype(t)); }
};

// arctan2, hypot, cbrt ...: as floating, without complex numbers.
struct floating_real : floating {
  static constexpr int compute(dtype t) { return is_complex(t) ? -1 : floating::compute(t); }
};

// divide: all integers go to float64.
struct division : any {
  static constexpr int compute(dtype t) {
    return kind(t) == 'b' || is_integer(t) ? int(dtype::float64) : int(t);
  }
};

// Comparisons, logical functions, isnan, isinf, isfinite.
struct predicate : any {
  static constexpr dtype result(dtype) { return dtype::bool_; }
};

// signbit.
struct floating_predicate : floating_real {
  static constexpr dtype result(dtype) { return dtype::bool_; }
};

// bitwise_and, bitwise_or, bitwise_xor, invert.
struct bitwise : any {
  static constexpr int compute(dtype t) { return kind(t) == 'b' || is_integer(t) ? int(t) : -1; }
};

// gcd, lcm.
struct integral : any {
  static constexpr int compute(dtype t) { return is_integer(t) ? int(t) : -1; }
};

// Shifts: bool counts as int8.
struct shift : any {
  static constexpr int compute(dtype t) {
    return kind(t) == 'b' ? int(dtype::int8) : is_integer(t) ? int(t) : -1;
  }
};

}  // namespace core::rules
}  // namespace numwarp
