// A program step by step through kernels built ahead of time, with temporaries: what runs until a
// fused kernel is compiled, and where none can be.
#pragma once

#include "cuda/kernels.hpp"

namespace numwarp::cuda_backend {

void run_steps(const launch_context& c, const plan::elementwise& p, std::int64_t index_base);

// The steps that the outputs need, and the last step that reads each (its own index where none
// does). Pure.
struct step_use {
  std::vector<bool> live;
  std::vector<int> last;
};
step_use uses_of(const plan::program& program, const std::vector<int>& wanted);

// Which of a few buffers holds the value of each step; -1 for steps that need none. A buffer is
// free again after the last reader of its value. Pure.
struct buffer_plan {
  std::vector<int> buffer;
  int count = 0;
  int widest = 1;  // bytes of the widest element held
};
buffer_plan assign_buffers(const plan::program& program, const step_use& use,
                           const std::vector<int>& kept);

}  // namespace numwarp::cuda_backend
