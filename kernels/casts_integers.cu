#include "casts.cuh"
#include "prebuilt.hpp"

namespace numwarp::kernels {

void add_casts_of_integers(move_table& t) {
  add_casts<dtype::bool_, dtype::int8, dtype::int16, dtype::int32, dtype::int64>(t);
}

}  // namespace numwarp::kernels
