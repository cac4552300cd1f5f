#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_logic(op_table& t) {
  add_ops<op::logical_and, op::logical_or, op::logical_xor, op::logical_not>(t);
}

}  // namespace numwarp::kernels
