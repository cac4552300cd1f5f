#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

void add_power(op_table& t) { add_ops<op::power>(t); }

}  // namespace numwarp::kernels
