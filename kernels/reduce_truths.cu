#include "prebuilt.hpp"
#include "prebuilt_reductions.cuh"

namespace numwarp::kernels {

void add_truths(reduce_table& t) {
  add_reduction<reduce::any, reduce_code::any>(t);
  add_reduction<reduce::all, reduce_code::all>(t);
  add_reduction<reduce::count_nonzero, reduce_code::count_nonzero>(t);
}

}  // namespace numwarp::kernels
