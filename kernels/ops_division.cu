#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_division(op_table& t) { add_ops<op::floor_divide, op::remainder, op::fmod>(t); }

}  // namespace numwarp::kernels
