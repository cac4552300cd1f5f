#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_exponentials(op_table& t) { add_ops<op::exp, op::exp2, op::expm1>(t); }

}  // namespace numwarp::kernels
