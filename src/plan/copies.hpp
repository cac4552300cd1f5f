// Copies that are launched as one: an array put together from parts of others.
#pragma once

#include <vector>

#include "plan/elementwise.hpp"

namespace numwarp::plan {

// Each copy is a collapsed plan of one output, whose program loads its only input or is a constant
// of the output's type; all are of one element type. The outputs do not overlap, nor does an output
// overlap an input. Sizes are not zero.
struct copies {
  std::vector<elementwise> list;
  const char* name = "";
};

}  // namespace numwarp::plan
