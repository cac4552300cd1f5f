// Elementwise plans: one kernel ahead of time where that is all it takes, else a fused kernel, else
// step by step.
#include <limits>

#include "cuda/elementwise_formula.hpp"
#include "cuda/elementwise_single.hpp"
#include "cuda/elementwise_slices.hpp"
#include "cuda/elementwise_steps.hpp"
#include "cuda/jit.hpp"
#include "runtime/backend.hpp"

namespace numwarp::cuda_backend {

namespace {

// Below this a kernel that converts at the load costs no more than a fused one.
constexpr std::int64_t worth_fusing = 1 << 16;

void run_part(const launch_context& c, const plan::elementwise& p, std::int64_t index_base) {
  if (p.formula) return run_formula(c, p, index_base);
  const auto one = as_single(p);
  const bool small = p.size < worth_fusing && !runtime::compiles_at_once();
  const bool plain = one && (one->native || small);
  if (plain && run_single(c, p.shape, *one, p.name, index_base)) return;
  if (run_fused(c, p, index_base)) return;
  if (one && run_single(c, p.shape, *one, p.name, index_base)) return;
  run_steps(c, p, index_base);
}

}  // namespace

void run_elementwise(const launch_context& c, const plan::elementwise& p) {
  if (p.shape.size() <= max_axes) return run_part(c, p, 0);
  for_each_slice(
      p, max_axes, std::numeric_limits<std::int64_t>::max(),
      [&](const plan::elementwise& part, std::int64_t base) { run_part(c, part, base); });
}

}  // namespace numwarp::cuda_backend
