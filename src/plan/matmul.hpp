// A stack of matrix products c[s] = a[s] @ b[s].
#pragma once

#include <cstdint>

#include "plan/elementwise.hpp"

namespace numwarp::plan {

struct matmul {
  dtype type{};                 // of all three
  std::int64_t m = 0, n = 0, k = 0;
  dims stack;                   // extents of the leading axes, broadcast
  // Strides (bytes): the stack's axes, then rows, then columns.
  view a, b, c;
};

}  // namespace numwarp::plan
