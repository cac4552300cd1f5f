#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_hyperbolic(op_table& t) { add_ops<op::sinh, op::cosh, op::tanh>(t); }

}  // namespace numwarp::kernels
