#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_selection(op_table& t) { add_ops<op::clip, op::where, op::heaviside>(t); }

}  // namespace numwarp::kernels
