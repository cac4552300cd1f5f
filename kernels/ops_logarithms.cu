#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_logarithms(op_table& t) {
  add_ops<op::log, op::log2, op::log10, op::log1p, op::logaddexp, op::logaddexp2>(t);
}

}  // namespace numwarp::kernels
