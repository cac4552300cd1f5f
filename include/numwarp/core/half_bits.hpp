// Bits of float16 and bfloat16 to and from float and double. Rounding is to nearest, ties to even,
// once; subnormals are kept. Branch-free, so that a loop over them vectorises.
#pragma once

#include <numwarp/core/portable.hpp>

namespace numwarp::core {

NW_HD constexpr u32 bits_of(float x) { return __builtin_bit_cast(u32, x); }
NW_HD constexpr u64 bits_of(double x) { return __builtin_bit_cast(u64, x); }
NW_HD constexpr float float_of(u32 bits) { return __builtin_bit_cast(float, bits); }
NW_HD constexpr double double_of(u64 bits) { return __builtin_bit_cast(double, bits); }

NW_HD constexpr float float_from_float16(u16 h) {
#if NW_DEVICE_CODE
  if (!__builtin_is_constant_evaluated()) return device::float_from_float16(h);
#endif
  const u32 magnitude = u32(h & 0x7fffu) << 13;
  const u32 exponent = magnitude & 0x0f800000u;
  // Exponents 0 (subnormal) and 31 (inf, nan) are not merely re-biased by 127 - 15. A subnormal is
  // put under an implicit one, which an exact subtraction takes away again.
  const u32 normal = magnitude + (112u << 23) + (exponent == 0x0f800000u ? 112u << 23 : 0u);
  const u32 subnormal = bits_of(float_of(magnitude + (113u << 23)) - float_of(113u << 23));
  return float_of((exponent == 0 ? subnormal : normal) | u32(h & 0x8000u) << 16);
}

NW_HD constexpr u16 float16_from_float(float x) {
#if NW_DEVICE_CODE
  if (!__builtin_is_constant_evaluated()) return device::float16_from_float(x);
#endif
  const u32 bits = bits_of(x);
  const u32 m = bits & 0x7fffffffu;
  // Adding 2^-1 leaves 10 fraction bits worth 2^-24 each: the sum rounds as a subnormal must.
  const u32 subnormal = bits_of(float_of(m) + 0.5f) - bits_of(0.5f);
  const u32 normal = (m - (112u << 23) + 0xfffu + (m >> 13 & 1u)) >> 13;
  const u32 special = m > 0x7f800000u ? 0x7e00u | (m >> 13 & 0x3ffu) : 0x7c00u;
  const u32 r = m < 113u << 23 ? subnormal : m < 143u << 23 ? normal : special;
  return u16(r | (bits >> 16 & 0x8000u));
}

NW_HD constexpr u16 float16_from_double(double x) {
#if NW_DEVICE_CODE
  if (!__builtin_is_constant_evaluated()) return device::float16_from_double(x);
#endif
  const u64 bits = bits_of(x);
  const u64 m = bits & 0x7fffffffffffffffu;
  const u64 subnormal = bits_of(double_of(m) + 0x1p28) - bits_of(0x1p28);
  const u64 normal = (m - (u64(1008) << 52) + 0x1ffffffffffu + (m >> 42 & 1u)) >> 42;
  const u64 special = m > u64(2047) << 52 ? 0x7e00u | (m >> 42 & 0x3ffu) : 0x7c00u;
  const u64 r = m < u64(1009) << 52 ? subnormal : m < u64(1039) << 52 ? normal : special;
  return u16(r | (bits >> 48 & 0x8000u));
}

NW_HD constexpr float float_from_bfloat16(u16 h) { return float_of(u32(h) << 16); }

NW_HD constexpr u16 bfloat16_from_float(float x) {
#if NW_DEVICE_CODE
  if (!__builtin_is_constant_evaluated()) return device::bfloat16_from_float(x);
#endif
  const u32 bits = bits_of(x);
  const u32 rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  return u16((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : rounded);
}

// The float next to x whose last bit is one if x is not a float itself: rounding that once more to
// a shorter format gives what rounding x at once would give.
NW_HD constexpr float round_to_odd(double x) {
  const float f = float(x);
  const double back = double(f);
  const u32 bits = bits_of(f);
  const double size = x < 0 ? -x : x;
  const double back_size = back < 0 ? -back : back;
  const bool even_and_inexact = (bits & 1u) == 0 && (back < x || back > x);
  return float_of(bits + (even_and_inexact ? (back_size > size ? ~0u : 1u) : 0u));
}

NW_HD constexpr u16 bfloat16_from_double(double x) { return bfloat16_from_float(round_to_odd(x)); }

// As round_to_odd: 64-bit integers beyond 2^53 keep the fact that they had lower bits.
NW_HD constexpr double sticky_double(u64 x) {
  const u64 sticky = (x | ((x & 0x7ffu) + 0x7ffu)) & ~u64(0x7ff);
  return double(x >> 53 ? sticky : x);
}

}  // namespace numwarp::core
