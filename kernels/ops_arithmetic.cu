#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_arithmetic(op_table& t) {
  add_ops<op::add, op::subtract, op::multiply, op::divide, op::fma>(t);
}

}  // namespace numwarp::kernels
