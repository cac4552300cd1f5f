#include "matmul_tiled.cuh"
#include "prebuilt.hpp"

namespace numwarp::kernels {

void add_matmul_floats(matmul_table& t) {
  add_matmul<float16>(t);
  add_matmul<bfloat16>(t);
  add_matmul<float>(t);
  add_matmul<double>(t);
  add_matmul<complex<float>>(t);
  add_matmul<complex<double>>(t);
}

}  // namespace numwarp::kernels
