// The only file that asks which compiler reads the core: g++, clang, nvcc or NVRTC.
#pragma once

#if defined(__CUDACC__)
#  define NW_HD __host__ __device__ __forceinline__
#else
#  define NW_HD __attribute__((always_inline)) inline
#endif

// One in the passes that generate code for a GPU. nvcc reads each function twice, so it may choose
// between bodies, never between declarations.
#if defined(__CUDA_ARCH__)
#  define NW_DEVICE_CODE 1
#else
#  define NW_DEVICE_CODE 0
#endif

#if !defined(__CUDACC_RTC__)
#  include <cmath>
#endif

namespace numwarp::core {

// The core names its integers itself: NVRTC has no <cstdint>. These are the types that
// std::intN_t names on every supported (LP64) system.
using i8 = signed char;
using i16 = short;
using i32 = int;
using i64 = long;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long;
static_assert(sizeof(i64) == 8 && sizeof(i32) == 4, "numwarp needs an LP64 system");

#if NW_DEVICE_CODE
// One instruction each: done on the bits, float16 kernels would be bound by arithmetic.
namespace device {

__device__ __forceinline__ float float_from_float16(u16 h) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(h));
  return x;
}
__device__ __forceinline__ u16 float16_from_float(float x) {
  u16 h;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(x));
  return h;
}
__device__ __forceinline__ u16 float16_from_double(double x) {
  u16 h;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(x));
  return h;
}
__device__ __forceinline__ u16 bfloat16_from_float(float x) {
#  if __CUDA_ARCH__ >= 800
  u16 h;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(h) : "f"(x));
  return h;
#  else  // the instruction is younger: to nearest, ties to even, by the bits
  if (x != x) return 0x7fff;
  const u32 bits = __float_as_uint(x);
  return u16((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
#  endif
}

}  // namespace device
#endif

}  // namespace numwarp::core
