// Every element type to every other: integers wrap, floats to integers saturate (NaN gives 0), any
// type to bool asks "is it not 0", complex to real drops the imaginary part, and a narrowing to
// float16 or bfloat16 rounds once.
#pragma once

#include <numwarp/core/traits.hpp>

namespace numwarp::core {

// Clamps before it converts: a conversion out of range is undefined in C++. The upper bound is the
// largest From that To holds, which for float to int32 lies below int32's own maximum.
template <integer To, floating_point From> NW_HD constexpr To saturate(From x) {
  constexpr int bits = limits<To>::width - (signed_integer<To> ? 1 : 0);
  constexpr int digits = sizeof(From) == 4 ? 24 : 53;
  constexpr u64 top_bits = bits > digits ? (u64(1) << digits) - 1 : u64(limits<To>::max);
  constexpr From top = From(top_bits) * From(bits > digits ? u64(1) << (bits - digits) : 1u);
  constexpr From low = From(limits<To>::lowest);
  const From floored = x > low ? x : low;
  const From clamped = floored < top ? floored : top;
  const To inside = To(x == x ? clamped : From(0));
  return x > top ? limits<To>::max : inside;
}

template <class To, class From> NW_HD constexpr To cast(From x) {
  if constexpr (is_same<To, From>) {
    return x;
  } else if constexpr (boolean<To>) {
    if constexpr (complex_number<From>) {
      return x.re != 0 || x.im != 0;
    } else if constexpr (is_half<From>) {
      return (x.bits & 0x7fffu) != 0;
    } else {
      return x != 0;
    }
  } else if constexpr (complex_number<From> && complex_number<To>) {
    return {real_of<To>(x.re), real_of<To>(x.im)};
  } else if constexpr (complex_number<From>) {
    return cast<To>(x.re);
  } else if constexpr (complex_number<To>) {
    return {cast<real_of<To>>(x), real_of<To>(0)};
  } else if constexpr (boolean<From>) {
    // As the byte it is: g++ 12 does not vectorise a conversion from bool.
    return cast<To>(__builtin_bit_cast(u8, x));
  } else if constexpr (is_half<From>) {
    return cast<To>(float(x));
  } else if constexpr (integer<To> && floating_point<From>) {
    return saturate<To>(x);
  } else {
    return To(x);
  }
}

}  // namespace numwarp::core
