#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_inverse_trigonometry(op_table& t) {
  add_ops<op::arcsin, op::arccos, op::arctan, op::arctan2>(t);
}

}  // namespace numwarp::kernels
