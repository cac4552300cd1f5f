#include "cuda/memory.hpp"

#include <cuda_runtime_api.h>

#include "cuda/error.hpp"
#include "runtime/cuda_entry.hpp"

namespace numwarp::cuda_backend {

namespace {

bool is_exhaustion(cudaError_t code) {
  // The second is what some drivers say of sizes beyond the address space.
  return code == cudaErrorMemoryAllocation || code == cudaErrorInvalidValue;
}

class device_upstream final : public runtime::upstream {
 public:
  explicit device_upstream(int index) : index_(index) {}

  void* allocate(std::int64_t bytes) override {
    const device_scope scope(index_);
    void* p = nullptr;
    const cudaError_t code = cudaMalloc(&p, std::size_t(bytes));
    if (code == cudaSuccess) return p;
    (void)cudaGetLastError();
    if (!is_exhaustion(code)) check(code, "cudaMalloc");
    return nullptr;
  }

  // Fails without harm after the driver has shut down.
  void release(void* p, std::int64_t) noexcept override {
    try {
      const device_scope scope(index_);
      if (cudaFree(p) != cudaSuccess) (void)cudaGetLastError();
    } catch (...) {
    }
  }

  std::int64_t free_bytes() noexcept override { return info().first; }
  std::int64_t total_bytes() noexcept override { return info().second; }

 private:
  std::pair<std::int64_t, std::int64_t> info() noexcept {
    try {
      const device_scope scope(index_);
      std::size_t free = 0, total = 0;
      check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
      return {std::int64_t(free), std::int64_t(total)};
    } catch (...) {
      return {-1, -1};
    }
  }

  const int index_;
};

class page_locked final : public runtime::upstream {
 public:
  void* allocate(std::int64_t bytes) override {
    void* p = nullptr;
    const cudaError_t code = cudaHostAlloc(&p, std::size_t(bytes), cudaHostAllocPortable);
    if (code == cudaSuccess) return p;
    (void)cudaGetLastError();
    if (!is_exhaustion(code)) check(code, "cudaHostAlloc");
    return nullptr;
  }
  void release(void* p, std::int64_t) noexcept override {
    if (cudaFreeHost(p) != cudaSuccess) (void)cudaGetLastError();
  }
};

}  // namespace

std::unique_ptr<runtime::pool> make_device_pool(int index) {
  runtime::pool_options o;
  o.name = "cuda:" + std::to_string(index);
  o.exact = runtime::pools_are_off();
  return std::make_unique<runtime::pool>(std::make_unique<device_upstream>(index), o);
}

std::unique_ptr<runtime::upstream> pinned_upstream() { return std::make_unique<page_locked>(); }

}  // namespace numwarp::cuda_backend
