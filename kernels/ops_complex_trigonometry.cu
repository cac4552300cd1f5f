#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_complex_trigonometry(op_table& t) {
  add_complex_ops<op::sin, op::cos, op::tan, op::arcsin, op::arccos, op::arctan, op::sinh, op::cosh,
                  op::tanh, op::arcsinh, op::arccosh, op::arctanh>(t);
}

}  // namespace numwarp::kernels
