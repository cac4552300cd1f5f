// The kernels built ahead of time, and how any kernel is launched.
#pragma once

#include <cstdint>

#include "cuda/kernels.hpp"
#include "prebuilt.hpp"

namespace numwarp::cuda_backend {

// Null pointers where there is no such kernel.
const kernels::op_kernels& op_kernels_for(core::op_code op, dtype compute);
const kernels::move_table& move_kernels();
const kernels::reduce_kernels& reduce_kernels_for(reduce_code op, dtype element);
const kernels::matmul_kernel& matmul_kernel_for(dtype t, bool small);

struct grid_shape {
  std::int64_t blocks = 1;
  unsigned block_x = 256, block_y = 1;
};

// Launches a kernel whose one parameter is the struct at `parameters`. `kernel` is a pointer of
// prebuilt.hpp or a cudaKernel_t. Throws cuda_error, naming `name`.
void launch_prebuilt(const launch_context& c, const void* kernel, const grid_shape& g,
                     const void* parameters, const char* name);
void launch_handle(const launch_context& c, const void* handle, const grid_shape& g,
                   const void* parameters, const char* name);

// Throws cuda_error with the runtime's text for `code` (cudaError_t) unless it is success.
void check_launch(int code, const char* name, const char* what);

}  // namespace numwarp::cuda_backend
