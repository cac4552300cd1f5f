#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_greatest(reduce_table& t) { add_reduction<reduce::max, reduce_code::max>(t); }

}  // namespace numwarp::kernels
