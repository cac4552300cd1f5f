#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_means(reduce_table& t) { add_reduction<reduce::mean, reduce_code::mean>(t); }

}  // namespace numwarp::kernels
