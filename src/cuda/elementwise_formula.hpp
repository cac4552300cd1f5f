// Users' formulas inside elementwise_rows.
#pragma once

#include "cuda/kernels.hpp"
#include "plan/formula.hpp"

namespace numwarp::cuda_backend {

// Compiles the formula of a plan of at most max_axes axes where it is new, which takes a second at
// most, and launches it. Throws compile_error, value_error for more parameters than a kernel takes.
void run_formula(const launch_context& c, const plan::elementwise& p, std::int64_t index_base);

}  // namespace numwarp::cuda_backend
