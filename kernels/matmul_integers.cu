#include "matmul_tiled.cuh"
#include "prebuilt.hpp"

namespace numwarp::kernels {

void add_matmul_integers(matmul_table& t) {
  add_matmul<bool>(t);
  add_matmul<i8>(t);
  add_matmul<i16>(t);
  add_matmul<i32>(t);
  add_matmul<i64>(t);
  add_matmul<u8>(t);
  add_matmul<u16>(t);
  add_matmul<u32>(t);
  add_matmul<u64>(t);
}

}  // namespace numwarp::kernels
