// Return codes of the CUDA runtime as exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

struct CUctx_st;  // a CUcontext points to it

namespace numwarp::cuda_backend {

// "The runtime's text (its name)", and what it means where the device is lost.
std::string describe(cudaError_t code);
// Throws cuda_error, "what: description", unless code is success. The runtime forgets an
// error that is not for good.
void check(cudaError_t code, const char* what);
// Whether the device is lost to this process: every later call fails with the same error.
bool is_fatal(cudaError_t code);

// Launches a kernel without attributes. The driver's own call: the runtime's takes longer.
cudaError_t launch_kernel(cudaKernel_t kernel, ::dim3 grid, ::dim3 block, std::size_t shared_bytes,
                          cudaStream_t stream, void** arguments);

// Makes the primary context of a device current for a scope, as far as it is not; the thread's own
// is there again afterwards. Throws cuda_error. See context.cpp.
class device_scope {
 public:
  explicit device_scope(int index);
  ~device_scope();
  device_scope(const device_scope&) = delete;
  device_scope& operator=(const device_scope&) = delete;

 private:
  CUctx_st* before_ = nullptr;
  bool restores_ = false;
};

}  // namespace numwarp::cuda_backend
