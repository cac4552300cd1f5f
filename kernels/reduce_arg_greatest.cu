#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_arg_greatest(reduce_table& t) { add_reduction<reduce::argmax, reduce_code::argmax>(t); }

}  // namespace numwarp::kernels
