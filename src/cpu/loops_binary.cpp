#define NW_NO_FMA ",no-fma"
#include "cpu/loops_ops.hpp"

namespace numwarp::cpu_backend {

loop binary_loop(core::op_code op, dtype compute) {
  switch (op) {
#define NW_BINARY(name, rule, ...) \
  case core::op_code::name:        \
    return find_loop<core::op::name>(compute);
#include <numwarp/core/ops.def>
    default:
      return nullptr;
  }
}

}  // namespace numwarp::cpu_backend
