// The primary contexts of the devices, which the CUDA runtime and other CUDA code of the process
// use as well. They are retained for good and never reset. Other code may have a context of its own
// current in a thread; the runtime's calls would then go there, and know none of our streams.
#include <cuda.h>

#include <array>
#include <atomic>
#include <mutex>
#include <numwarp/error.hpp>
#include <string>

#include "cuda/error.hpp"

namespace numwarp::cuda_backend {

namespace {

template <class F> F* driver_function(const char* name) {
  void* f = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found), name);
  if (found != cudaDriverEntryPointSuccess) throw cuda_error(std::string(name) + ": not found");
  return reinterpret_cast<F*>(f);
}

// Found at run time: programs start without a driver.
struct driver_functions {
  decltype(cuInit)* init = driver_function<decltype(cuInit)>("cuInit");
  decltype(cuCtxGetCurrent)* get = driver_function<decltype(cuCtxGetCurrent)>("cuCtxGetCurrent");
  decltype(cuCtxSetCurrent)* set = driver_function<decltype(cuCtxSetCurrent)>("cuCtxSetCurrent");
  decltype(cuDeviceGet)* device = driver_function<decltype(cuDeviceGet)>("cuDeviceGet");
  decltype(cuDevicePrimaryCtxRetain)* retain =
      driver_function<decltype(cuDevicePrimaryCtxRetain)>("cuDevicePrimaryCtxRetain");
  decltype(cuLaunchKernel)* launch = driver_function<decltype(cuLaunchKernel)>("cuLaunchKernel");
};

const driver_functions& driver_calls() {
  static const auto* const f = new driver_functions;
  return *f;
}

// The driver's codes are those of the runtime.
void check_driver(CUresult code, const char* what) { check(cudaError_t(code), what); }

CUcontext retain_primary(int index) {
  const driver_functions& cu = driver_calls();
  check_driver(cu.init(0), "cuInit");
  CUdevice device = 0;
  check_driver(cu.device(&device, index), "cuDeviceGet");
  CUcontext context = nullptr;
  check_driver(cu.retain(&context, device), "cuDevicePrimaryCtxRetain");
  return context;
}

CUcontext primary_context(int index) {
  static std::array<std::atomic<CUcontext>, 64> known{};
  static std::mutex mutex;
  auto& entry = known.at(std::size_t(index));
  if (CUcontext c = entry.load(std::memory_order_acquire)) return c;
  std::lock_guard lock(mutex);
  if (!entry.load(std::memory_order_relaxed)) entry.store(retain_primary(index));
  return entry.load(std::memory_order_relaxed);
}

}  // namespace

device_scope::device_scope(int index) {
  const CUcontext wanted = primary_context(index);
  check_driver(driver_calls().get(&before_), "cuCtxGetCurrent");
  if (before_ == wanted) return;
  check_driver(driver_calls().set(wanted), "cuCtxSetCurrent");
  // A thread without a context uses device 0: any call of the runtime would give it this one.
  restores_ = before_ || index != 0;
}

cudaError_t launch_kernel(cudaKernel_t kernel, ::dim3 grid, ::dim3 block, std::size_t shared_bytes,
                          cudaStream_t stream, void** arguments) {
  // A CUkernel stands for its function in the current context. Codes are those of the runtime.
  return cudaError_t(driver_calls().launch(reinterpret_cast<CUfunction>(kernel), grid.x, grid.y,
                                           grid.z, block.x, block.y, block.z,
                                           unsigned(shared_bytes), stream, arguments, nullptr));
}

device_scope::~device_scope() {
  if (restores_) (void)driver_calls().set(before_);
}

}  // namespace numwarp::cuda_backend
