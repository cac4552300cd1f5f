#include "casts.cuh"
#include "prebuilt.hpp"

namespace numwarp::kernels {

void add_casts_of_unsigned(move_table& t) {
  add_casts<dtype::uint8, dtype::uint16, dtype::uint32, dtype::uint64>(t);
}

}  // namespace numwarp::kernels
