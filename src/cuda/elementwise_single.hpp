// Plans that are one kernel built ahead of time: an op, a conversion, a copy or the index, whose
// operands may be converted on the way. Pure: looks at the plan alone.
#pragma once

#include <optional>

#include "cuda/elementwise_layout.hpp"
#include "plan/elementwise.hpp"

namespace numwarp::cuda_backend {

struct single_op {
  plan::step_kind kind{};  // load: a copy; cast; op; index
  core::op_code op{};
  dtype compute{};  // op: the type computed in; cast: the type converted from
  dtype result{};
  std::vector<source> sources;  // the inputs, then the output
  bool native = true;           // no operand of an op needs a conversion
};

// Nothing where the plan takes more than one kernel.
std::optional<single_op> as_single(const plan::elementwise& p);

// Launches it. False where there is no such kernel ahead of time.
bool run_single(const launch_context& c, const dims& shape, const single_op& s, const char* name,
                std::int64_t index_base = 0);

}  // namespace numwarp::cuda_backend
