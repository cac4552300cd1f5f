#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_bits(op_table& t) {
  add_ops<op::bitwise_and, op::bitwise_or, op::bitwise_xor, op::invert, op::left_shift,
          op::right_shift>(t);
}

}  // namespace numwarp::kernels
