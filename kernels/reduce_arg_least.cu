#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_arg_least(reduce_table& t) { add_reduction<reduce::argmin, reduce_code::argmin>(t); }

}  // namespace numwarp::kernels
