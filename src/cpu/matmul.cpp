#include "cpu/kernels.hpp"

namespace numwarp::cpu_backend {

void run_matmul(const plan::matmul&) {}

}  // namespace numwarp::cpu_backend
