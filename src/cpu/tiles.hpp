// Statements whose operands lie in different orders.
#pragma once

#include <vector>

#include "plan/elementwise.hpp"

namespace numwarp::cpu_backend {

// Where an input lies across the rows of the output, as in a transposition: plans that together are
// p, the first of which has the axes of a tile last, so that a block of `block` elements is a
// square of whole cache lines of both. Empty where that would not help.
std::vector<plan::elementwise> cut_into_tiles(const plan::elementwise& p, std::int64_t block);

}  // namespace numwarp::cpu_backend
