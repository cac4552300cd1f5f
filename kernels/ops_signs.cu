#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_signs(op_table& t) {
  add_ops<op::negative, op::positive, op::absolute, op::fabs, op::sign, op::conjugate, op::real,
          op::imag, op::copysign, op::nextafter>(t);
}

}  // namespace numwarp::kernels
