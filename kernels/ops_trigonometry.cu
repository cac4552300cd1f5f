#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_trigonometry(op_table& t) { add_ops<op::sin, op::cos, op::tan>(t); }

}  // namespace numwarp::kernels
