// Random numbers: one launch a draw.
#include <algorithm>

#include "cuda/registry.hpp"
#include "prebuilt_random.hpp"

namespace numwarp::cuda_backend {

void run_random(const launch_context& c, const plan::random& p) {
  static const kernels::random_table table = kernels::random_kernels();
  const kernels::random_kernel& use = table.at[int(p.code)];
  const std::int64_t most = (plan::blocks_of(p.draw, use.size).count + 255) / 256;
  // Eight blocks fill a multiprocessor; more of them even out the end.
  const std::int64_t blocks = std::min<std::int64_t>(most, std::int64_t(c.multiprocessors) * 32);
  launch_prebuilt(c, use.kernel, {blocks, 256, 1}, &p.draw, p.name);
}

}  // namespace numwarp::cuda_backend
