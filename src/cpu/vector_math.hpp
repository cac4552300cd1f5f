// glibc's vector forms of the float functions (libmvec), for the loops that g++ vectorises.
// Seen on random and special values: at most 2.1 ulp. The double ones reach 3.3 ulp where the
// scalar functions stay below 1, so they are not used; nor are those where powers should be exact
// (log2, log10, cbrt).
#pragma once

#include <cmath>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && defined(__GLIBC__)
#  if __GLIBC_PREREQ(2, 35)
#    define NW_VECTOR_MATH 1
extern "C" {
#    define NW_SIMD(name) __attribute__((simd("notinbranch"))) float name(float) noexcept;
__attribute__((simd("notinbranch"))) float powf(float, float) noexcept;
NW_SIMD(expf)
NW_SIMD(exp2f)
NW_SIMD(expm1f)
NW_SIMD(logf)
NW_SIMD(log1pf)
NW_SIMD(sinf)
NW_SIMD(cosf)
NW_SIMD(tanf)
NW_SIMD(asinf)
NW_SIMD(acosf)
NW_SIMD(atanf)
NW_SIMD(sinhf)
NW_SIMD(coshf)
NW_SIMD(tanhf)
NW_SIMD(asinhf)
NW_SIMD(acoshf)
NW_SIMD(atanhf)
#    undef NW_SIMD
}
#  endif
#endif

namespace numwarp::cpu_backend {

// An element must get the same bits wherever it stands in a loop, so these loops run in whole
// vectors: the last elements through a padded copy, never through the scalar function.
inline constexpr int vector_run = 16;

}  // namespace numwarp::cpu_backend
