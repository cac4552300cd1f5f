// Functions of an application's header, which several of its files use.
#pragma once

#include <numwarp/function.hpp>
#include <numwarp/ndarray.hpp>

namespace app {

// Names that the bodies do not mean.
inline float exp(float) { return 7; }
inline float where(bool, float, float) { return 7; }

NW_FUNCTION(softplus, (x), log1p(exp(x)))
NW_FUNCTION(gelu, (x), 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))))
NW_FUNCTION_BODY(leaky, (x, slope), {
  if (x > 0) return x;
  return slope * x;
})

// Called in another file than the tests: functions.cpp.
numwarp::ndarray<float> leaky_elsewhere(const numwarp::ndarray<float>& x);

}  // namespace app
