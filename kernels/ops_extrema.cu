#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_extrema(op_table& t) { add_ops<op::maximum, op::minimum, op::fmax, op::fmin>(t); }

}  // namespace numwarp::kernels
