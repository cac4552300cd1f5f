#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_complex_arithmetic(op_table& t) {
  add_complex_ops<op::add, op::subtract, op::multiply, op::divide, op::fma, op::negative,
                  op::positive, op::absolute, op::sign, op::conjugate, op::real, op::imag,
                  op::square, op::reciprocal, op::equal, op::not_equal, op::less, op::less_equal,
                  op::greater, op::greater_equal, op::logical_and, op::logical_or, op::logical_xor,
                  op::logical_not, op::isnan, op::isinf, op::isfinite, op::maximum, op::minimum,
                  op::fmax, op::fmin, op::clip, op::where, op::rint>(t);
}

}  // namespace numwarp::kernels
