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

}  // namespace

const driver_state& driver() {
  static const driver_state* const s = new driver_state(look());
  return *s;
}

device_properties query_device(int index) {
  cudaDeviceProp d{};
  check(cudaGetDeviceProperties(&d, index), "cudaGetDeviceProperties");
  device_properties p;
  p.name = d.name;
  p.major = d.major;
  p.minor = d.minor;
  p.multiprocessors = d.multiProcessorCount;
  p.warp_size = d.warpSize;
  p.max_threads_per_block = d.maxThreadsPerBlock;
  p.max_threads_per_multiprocessor = d.maxThreadsPerMultiProcessor;
  p.total_memory = std::int64_t(d.totalGlobalMem);
  p.shared_memory_per_block = std::int64_t(d.sharedMemPerBlock);
  p.most_shared_memory = std::int64_t(d.sharedMemPerBlockOptin);
  p.registers_per_block = d.regsPerBlock;
  p.l2_cache = d.l2CacheSize;
  const device_scope scope(index);
  check(cudaDeviceGetStreamPriorityRange(&p.least_priority, &p.greatest_priority),
        "cudaDeviceGetStreamPriorityRange");
  return p;
}

}  // namespace numwarp::cuda_backend
