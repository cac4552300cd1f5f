#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_least(reduce_table& t) { add_reduction<reduce::min, reduce_code::min>(t); }

}  // namespace numwarp::kernels
