#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_variances(reduce_table& t) {
  add_reduction<reduce::var, reduce_code::var>(t);
  add_reduction<reduce::std, reduce_code::std>(t);
}

}  // namespace numwarp::kernels
