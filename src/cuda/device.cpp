#include "cuda/device.hpp"

#include <cuda_runtime_api.h>

#include "cuda/error.hpp"

namespace numwarp::cuda_backend {

namespace {

std::string version_text(int v) {
  return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10);
}

std::string describe(cudaError_t code, int supported) {
  if (supported == 0) return "no CUDA driver";
  if (code == cudaErrorInsufficientDriver) {
    return "driver too old: supports CUDA " + version_text(supported) +
           ", numwarp was built with " + version_text(CUDART_VERSION);
  }
  if (code == cudaErrorNoDevice || code == cudaSuccess) return "no CUDA device";
  return std::string("CUDA does not start: ") + cudaGetErrorString(code);
}

driver_state look() {
  driver_state s;
  int supported = 0, n = 0;
  if (cudaDriverGetVersion(&supported) != cudaSuccess) supported = 0;
  const cudaError_t code = cudaGetDeviceCount(&n);
  (void)cudaGetLastError();
  if (code == cudaSuccess && n > 0) {
    s.devices = n;
  } else {
    s.problem = describe(code, supported);
  }
  return s;
}

int attribute(cudaDeviceAttr what, int index) {
  int v = 0;
  check(cudaDeviceGetAttribute(&v, what, index), "cudaDeviceGetAttribute");
  return v;
}

}  // namespace

const driver_state& driver() {
  static const driver_state* const s = new driver_state(look());
  return *s;
}

device_facts query_device(int index) {
  device_facts f;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  f.name = properties.name;
  f.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, index);
  f.major = attribute(cudaDevAttrComputeCapabilityMajor, index);
  f.minor = attribute(cudaDevAttrComputeCapabilityMinor, index);
  return f;
}

}  // namespace numwarp::cuda_backend
