#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_roots(op_table& t) {
  add_ops<op::square, op::sqrt, op::cbrt, op::reciprocal, op::hypot>(t);
}

}  // namespace numwarp::kernels
