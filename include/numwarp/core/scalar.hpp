// The scalar types that C++ lacks: float16, bfloat16, and a complex number every compiler accepts.
#pragma once

#include <numwarp/core/half_bits.hpp>

namespace numwarp {
namespace core {

// Whatever may be added to a pointer: the integer types, bool and the character types.
template <class T>
concept any_integer = requires(T t, const char* p) {
  p + t;
};

template <any_integer T> NW_HD constexpr double sticky_double_of(T x) {
  if constexpr (sizeof(T) < 8) {
    return double(x);
  } else if constexpr (T(-1) > T(0)) {
    return sticky_double(u64(x));
  } else {
    const u64 size = x < 0 ? u64(0) - u64(x) : u64(x);
    return x < 0 ? -sticky_double(size) : sticky_double(size);
  }
}

}  // namespace core

// IEEE binary16. Arithmetic is done in float and rounded after every operation, as in NumPy.
// Widening to float is exact, so it is implicit; that also gives the comparisons.
struct float16 {
  unsigned short bits;

  float16() = default;
  NW_HD constexpr explicit float16(float x) : bits(core::float16_from_float(x)) {}
  NW_HD constexpr explicit float16(double x) : bits(core::float16_from_double(x)) {}
  template <core::any_integer T>
  NW_HD constexpr explicit float16(T x)
      : bits(core::float16_from_double(core::sticky_double_of(x))) {}
  NW_HD constexpr operator float() const { return core::float_from_float16(bits); }

  NW_HD static constexpr float16 from_bits(unsigned short bits) {
    float16 x{};
    x.bits = bits;
    return x;
  }
};

// The upper half of a float: 8 bits of precision with float's range.
struct bfloat16 {
  unsigned short bits;

  bfloat16() = default;
  NW_HD constexpr explicit bfloat16(float x) : bits(core::bfloat16_from_float(x)) {}
  NW_HD constexpr explicit bfloat16(double x) : bits(core::bfloat16_from_double(x)) {}
  template <core::any_integer T>
  NW_HD constexpr explicit bfloat16(T x)
      : bits(core::bfloat16_from_double(core::sticky_double_of(x))) {}
  NW_HD constexpr operator float() const { return core::float_from_bfloat16(bits); }

  NW_HD static constexpr bfloat16 from_bits(unsigned short bits) {
    bfloat16 x{};
    x.bits = bits;
    return x;
  }
};

namespace core {

template <class T> inline constexpr bool is_half = false;
template <> inline constexpr bool is_half<float16> = true;
template <> inline constexpr bool is_half<bfloat16> = true;
template <class T>
concept half = is_half<T>;

}  // namespace core

template <core::half T> NW_HD constexpr T operator-(T a) { return T::from_bits(a.bits ^ 0x8000u); }
template <core::half T> NW_HD constexpr T operator+(T a, T b) { return T(float(a) + float(b)); }
template <core::half T> NW_HD constexpr T operator-(T a, T b) { return T(float(a) - float(b)); }
template <core::half T> NW_HD constexpr T operator*(T a, T b) { return T(float(a) * float(b)); }
template <core::half T> NW_HD constexpr T operator/(T a, T b) { return T(float(a) / float(b)); }
template <core::half T> NW_HD constexpr T& operator+=(T& a, T b) { return a = a + b; }
template <core::half T> NW_HD constexpr T& operator-=(T& a, T b) { return a = a - b; }
template <core::half T> NW_HD constexpr T& operator*=(T& a, T b) { return a = a * b; }
template <core::half T> NW_HD constexpr T& operator/=(T& a, T b) { return a = a / b; }

namespace core {

// The layout of std::complex<T>. Its operators are NumPy's formulas on every compiler; std::complex
// leaves them to the compiler.
template <class T> struct complex {
  using value_type = T;
  T re, im;

  complex() = default;
  NW_HD constexpr complex(T real, T imag = T(0)) : re(real), im(imag) {}
};

template <class T> NW_HD constexpr complex<T> operator-(complex<T> a) { return {-a.re, -a.im}; }
template <class T> NW_HD constexpr complex<T> operator+(complex<T> a, complex<T> b) {
  return {a.re + b.re, a.im + b.im};
}
template <class T> NW_HD constexpr complex<T> operator-(complex<T> a, complex<T> b) {
  return {a.re - b.re, a.im - b.im};
}
template <class T> NW_HD constexpr complex<T> operator*(complex<T> a, complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T> NW_HD constexpr bool operator==(complex<T> a, complex<T> b) {
  return a.re == b.re && a.im == b.im;
}

// R. L. Smith, "Algorithm 116: complex division", Comm. ACM 5 (1962) 435. Selects instead of
// branches; the two forms of the imaginary part differ in the sign of a zero.
template <class T> NW_HD constexpr complex<T> operator/(complex<T> a, complex<T> b) {
  const T re_size = b.re < 0 ? -b.re : b.re;
  const T im_size = b.im < 0 ? -b.im : b.im;
  const bool by_re = re_size >= im_size;
  const T large = by_re ? b.re : b.im;
  const T small = by_re ? b.im : b.re;
  const T ratio = small / large;
  const T scale = T(1) / (large + small * ratio);
  const T x = by_re ? a.re : a.im;
  const T y = by_re ? a.im : a.re;
  const T im = by_re ? y - x * ratio : x * ratio - y;
  const bool by_zero = by_re && re_size == 0;
  const T zero = re_size + T(0);  // +0 also where re_size is -0
  return {by_zero ? a.re / zero : (x + y * ratio) * scale, by_zero ? a.im / zero : im * scale};
}

}  // namespace core
}  // namespace numwarp
