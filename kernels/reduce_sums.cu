#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_sums(reduce_table& t) { add_reduction<reduce::sum, reduce_code::sum>(t); }

}  // namespace numwarp::kernels
