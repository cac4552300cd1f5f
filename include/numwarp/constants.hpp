// NumPy's constants, as double. As scalars they are weak: a float32 array times pi stays float32.
#pragma once

#include <limits>
#include <numbers>

namespace numwarp {

inline constexpr double pi = std::numbers::pi;
inline constexpr double e = std::numbers::e;
inline constexpr double euler_gamma = std::numbers::egamma;
inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace numwarp
