#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_comparisons(op_table& t) {
  add_ops<op::equal, op::not_equal, op::less, op::less_equal, op::greater, op::greater_equal>(t);
}

}  // namespace numwarp::kernels
