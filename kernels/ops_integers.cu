#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_integers(op_table& t) { add_ops<op::gcd, op::lcm>(t); }

}  // namespace numwarp::kernels
