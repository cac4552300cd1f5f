#include "casts.cuh"
#include "prebuilt.hpp"

namespace numwarp::kernels {

void add_casts_of_floats(move_table& t) {
  add_casts<dtype::float16, dtype::bfloat16, dtype::float32, dtype::float64, dtype::complex64,
            dtype::complex128>(t);
}

}  // namespace numwarp::kernels
