// Return codes of the CUDA runtime as exceptions.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace numwarp::cuda_backend {

// "The runtime's text (its name)", and what it means where the device is lost.
std::string describe(cudaError_t code);
// Throws cuda_error, "what: description", unless code is success. The runtime forgets an
// error that is not for good.
void check(cudaError_t code, const char* what);
// Whether the device is lost to this process: every later call fails with the same error.
bool is_fatal(cudaError_t code);

// Makes a device current for a scope, as far as it is not.
class device_scope {
 public:
  explicit device_scope(int index);
  ~device_scope();
  device_scope(const device_scope&) = delete;
  device_scope& operator=(const device_scope&) = delete;

 private:
  int before_ = -1;  // to be set again, or -1
};

}  // namespace numwarp::cuda_backend
