#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_inverse_hyperbolic(op_table& t) { add_ops<op::arcsinh, op::arccosh, op::arctanh>(t); }

}  // namespace numwarp::kernels
