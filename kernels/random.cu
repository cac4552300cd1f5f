#include "prebuilt_random.hpp"
#include "random.cuh"

namespace numwarp::kernels {

random_table random_kernels() {
  random_table t;
  using core::random::code;
#define NW_ADD(name, ...)                                                                \
  {                                                                                      \
    using D = core::random::distribution<code::name>;                                    \
    t.at[int(code::name)] = {reinterpret_cast<const void*>(&random_blocks<D>), D::size}; \
  }
  NW_FOR_EACH_DISTRIBUTION(NW_ADD)
#undef NW_ADD
  return t;
}

}  // namespace numwarp::kernels
