// The order in memory of an array that others are joined into.
#pragma once

#include <numwarp/any_array.hpp>
#include <span>

namespace numwarp::plan {

// Dense strides for `shape` in the order of the arrays' axes, by the rule that NumPy has for joins:
// where the arrays differ C order wins, axes of length one have no say, broadcast axes are the
// fastest.
dims joined_strides(const dims& shape, std::span<const any_array> arrays, int itemsize);

}  // namespace numwarp::plan
