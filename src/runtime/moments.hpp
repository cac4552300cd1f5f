// mean, var and std of the elements that a mask chooses.
#pragma once

#include <numwarp/detail/call.hpp>

namespace numwarp::detail {

// The moment as float64 or complex128, its reduced axes kept with length one. The caller has
// checked the options, of which axis, where and ddof are read; elements are converted to
// `element` first. Where nothing is chosen the result is NaN.
any_array masked_moment(reduce_code op, operand a, const reduce_options& options, dtype element);

}  // namespace numwarp::detail
