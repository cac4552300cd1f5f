#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_rounding(op_table& t) {
  add_ops<op::floor, op::ceil, op::trunc, op::rint, op::degrees, op::radians>(t);
}

}  // namespace numwarp::kernels
