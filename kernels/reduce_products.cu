#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_products(reduce_table& t) { add_reduction<reduce::prod, reduce_code::prod>(t); }

}  // namespace numwarp::kernels
