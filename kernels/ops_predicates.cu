#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_predicates(op_table& t) { add_ops<op::isnan, op::isinf, op::isfinite, op::signbit>(t); }

}  // namespace numwarp::kernels
