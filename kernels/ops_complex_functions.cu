#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_complex_functions(op_table& t) {
  add_complex_ops<op::exp, op::exp2, op::expm1, op::log, op::log2, op::log10, op::log1p, op::power,
                  op::sqrt>(t);
}

}  // namespace numwarp::kernels
