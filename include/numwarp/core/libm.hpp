// The compilers' own functions for float and double, under one name each.
#pragma once

#include <numwarp/core/traits.hpp>

namespace numwarp::core::math {

#define NW_LIBM_UNARY(name, function)                    \
  NW_HD float name(float a) { return ::function##f(a); } \
  NW_HD double name(double a) { return ::function(a); }
#define NW_LIBM_BINARY(name, function)                               \
  NW_HD float name(float a, float b) { return ::function##f(a, b); } \
  NW_HD double name(double a, double b) { return ::function(a, b); }

NW_LIBM_UNARY(fabs, fabs)
NW_LIBM_UNARY(sqrt, sqrt)
NW_LIBM_UNARY(cbrt, cbrt)
NW_LIBM_UNARY(exp, exp)
NW_LIBM_UNARY(exp2, exp2)
NW_LIBM_UNARY(expm1, expm1)
NW_LIBM_UNARY(log, log)
NW_LIBM_UNARY(log2, log2)
NW_LIBM_UNARY(log10, log10)
NW_LIBM_UNARY(log1p, log1p)
NW_LIBM_UNARY(sin, sin)
NW_LIBM_UNARY(cos, cos)
NW_LIBM_UNARY(tan, tan)
NW_LIBM_UNARY(arcsin, asin)
NW_LIBM_UNARY(arccos, acos)
NW_LIBM_UNARY(arctan, atan)
NW_LIBM_UNARY(sinh, sinh)
NW_LIBM_UNARY(cosh, cosh)
NW_LIBM_UNARY(tanh, tanh)
NW_LIBM_UNARY(arcsinh, asinh)
NW_LIBM_UNARY(arccosh, acosh)
NW_LIBM_UNARY(arctanh, atanh)
NW_LIBM_UNARY(floor, floor)
NW_LIBM_UNARY(ceil, ceil)
NW_LIBM_UNARY(trunc, trunc)
NW_LIBM_UNARY(rint, rint)
NW_LIBM_BINARY(arctan2, atan2)
NW_LIBM_BINARY(hypot, hypot)
NW_LIBM_BINARY(fmod, fmod)
NW_LIBM_BINARY(pow, pow)
NW_LIBM_BINARY(copysign, copysign)

#undef NW_LIBM_UNARY
#undef NW_LIBM_BINARY

NW_HD float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
NW_HD double fma(double a, double b, double c) { return ::fma(a, b, c); }

}  // namespace numwarp::core::math
