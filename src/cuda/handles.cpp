#include "cuda/handles.hpp"

#include <mutex>
#include <numwarp/error.hpp>
#include <string>
#include <vector>

#include "cuda/error.hpp"

namespace numwarp::cuda_backend {

namespace {

// cuBLAS's own advice for compute capability 9.0 and later; 4 MiB would do for the older ones.
constexpr std::int64_t workspace_bytes = std::int64_t(32) << 20;

struct owned_handle {
  int device;
  cublasHandle_t handle;
};

// Handles without a thread. Destroying one waits for the device and fails after the driver has shut
// down, so that none ever is.
struct spare_handles {
  std::mutex mutex;
  std::vector<owned_handle> list;

  cublasHandle_t take(int device) {
    std::lock_guard lock(mutex);
    for (auto at = list.begin(); at != list.end(); ++at) {
      if (at->device != device) continue;
      const cublasHandle_t h = at->handle;
      list.erase(at);
      return h;
    }
    return nullptr;
  }
};

spare_handles& spare() {
  static spare_handles* const s = new spare_handles;
  return *s;
}

struct handles_of_thread {
  std::vector<owned_handle> list;
  ~handles_of_thread() {
    try {
      std::lock_guard lock(spare().mutex);
      spare().list.insert(spare().list.end(), list.begin(), list.end());
    } catch (...) {  // lost, which costs memory and nothing else
    }
  }
};
thread_local handles_of_thread mine;

cublasHandle_t handle_for(int device) {
  for (const owned_handle& o : mine.list) {
    if (o.device == device) return o.handle;
  }
  mine.list.reserve(mine.list.size() + 1);
  cublasHandle_t h = spare().take(device);
  if (!h) check_blas(cublasCreate(&h), "cublasCreate");
  mine.list.push_back({device, h});
  return h;
}

}  // namespace

void check_blas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw cuda_error(std::string(what) + ": " + cublasGetStatusString(status));
}

void prepare_handles(int device) {
  const device_scope scope(device);
  handle_for(device);
}

cublasHandle_t blas_handle(const launch_context& c) {
  const cublasHandle_t h = handle_for(c.device);
  check_blas(cublasSetStream(h, static_cast<cudaStream_t>(c.stream)), "cublasSetStream");
  // After the stream: setting it puts cuBLAS's default work area back.
  check_blas(cublasSetWorkspace(h, c.borrow(workspace_bytes), std::size_t(workspace_bytes)),
             "cublasSetWorkspace");
  return h;
}

}  // namespace numwarp::cuda_backend
