#include "cuda/memory.hpp"

#include <cuda_runtime_api.h>

#include <numwarp/error.hpp>

#include "cuda/backend.hpp"
#include "cuda/error.hpp"
#include "runtime/cuda_entry.hpp"

namespace numwarp::cuda_backend {

namespace {

// What f(&p) allocates, or null where there is no room; other failures are thrown.
template <class F> void* allocated(const char* what, const F& f) {
  void* p = nullptr;
  const cudaError_t code = f(&p);
  if (code == cudaSuccess) return p;
  (void)cudaGetLastError();
  // The second is what some drivers say of sizes beyond the address space.
  if (code == cudaErrorMemoryAllocation || code == cudaErrorInvalidValue) return nullptr;
  check(code, what);
  return nullptr;
}

// Frees fail without harm after the driver has shut down.
void forget(cudaError_t code) {
  if (code != cudaSuccess) (void)cudaGetLastError();
}

class device_upstream : public runtime::upstream {
 public:
  explicit device_upstream(int index) : index_(index) {}

  void* allocate(std::int64_t bytes, runtime::queue*) override {
    const device_scope scope(index_);
    return allocated("cudaMalloc", [=](void** p) { return cudaMalloc(p, std::size_t(bytes)); });
  }
  // Fails without harm after the driver has shut down.
  void release(void* p, std::int64_t, runtime::queue*) noexcept override {
    try {
      const device_scope scope(index_);
      forget(cudaFree(p));
    } catch (...) {
    }
  }

  std::int64_t free_bytes() noexcept override { return info().first; }
  std::int64_t total_bytes() noexcept override { return info().second; }

 protected:
  const int index_;

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
};

class managed_upstream final : public device_upstream {
 public:
  using device_upstream::device_upstream;
  void* allocate(std::int64_t bytes, runtime::queue*) override {
    const device_scope scope(index_);
    return allocated("cudaMallocManaged", [=](void** p) {
      return cudaMallocManaged(p, std::size_t(bytes), cudaMemAttachGlobal);
    });
  }
};

// A pool of the driver's.
class async_upstream final : public device_upstream {
 public:
  async_upstream(int index, std::int64_t keep) : device_upstream(index) {
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = index;
    check(cudaMemPoolCreate(&pool_, &props), "cudaMemPoolCreate");
    std::uint64_t threshold = keep < 0 ? UINT64_MAX : std::uint64_t(keep);
    const cudaError_t code =
        cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &threshold);
    if (code != cudaSuccess) forget(cudaMemPoolDestroy(pool_));
    check(code, "cudaMemPoolSetAttribute");
  }
  ~async_upstream() override { forget(cudaMemPoolDestroy(pool_)); }

  void* allocate(std::int64_t bytes, runtime::queue* q) override {
    const device_scope scope(index_);
    const cudaStream_t stream = q ? static_cast<cuda_queue*>(q)->stream() : nullptr;
    return allocated("cudaMallocAsync", [=, this](void** p) {
      return cudaMallocFromPoolAsync(p, std::size_t(bytes), pool_, stream);
    });
  }
  void release(void* p, std::int64_t, runtime::queue* q) noexcept override {
    try {
      const device_scope scope(index_);
      forget(cudaFreeAsync(p, stream_to_free_on(static_cast<cuda_queue*>(q))));
    } catch (...) {  // the driver has shut down
    }
  }
  bool ordered() const override { return true; }
  std::int64_t cached_bytes() noexcept override {
    return attribute(cudaMemPoolAttrReservedMemCurrent) - attribute(cudaMemPoolAttrUsedMemCurrent);
  }
  // What streams have yet to free is not given back before they have.
  void trim() override {
    wait_for_streams(index_);
    const device_scope scope(index_);
    check(cudaStreamSynchronize(nullptr), "free_all_blocks");  // where the host's blocks are freed
    check(cudaMemPoolTrimTo(pool_, 0), "free_all_blocks");
  }

 private:
  // The stream of a queue that is retired may be gone: its work is waited for.
  static cudaStream_t stream_to_free_on(cuda_queue* q) {
    if (!q) return nullptr;
    if (!q->retired()) return q->stream();
    q->wait(q->now());
    return nullptr;
  }
  std::int64_t attribute(cudaMemPoolAttr what) noexcept {
    std::uint64_t value = 0;
    forget(cudaMemPoolGetAttribute(pool_, what, &value));
    return std::int64_t(value);
  }

  cudaMemPool_t pool_ = nullptr;
};

// In the context of device 0, for all: memory of another context goes with that.
class page_locked final : public runtime::upstream {
 public:
  void* allocate(std::int64_t bytes, runtime::queue*) override {
    const device_scope scope(0);
    return allocated("cudaHostAlloc", [=](void** p) {
      return cudaHostAlloc(p, std::size_t(bytes), cudaHostAllocPortable);
    });
  }
  void release(void* p, std::int64_t, runtime::queue*) noexcept override {
    try {
      const device_scope scope(0);
      forget(cudaFreeHost(p));
    } catch (...) {  // the driver has shut down
    }
  }
};

int attribute_of(int index, cudaDeviceAttr what) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, what, index), "memory_pool");
  return value;
}

}  // namespace

std::unique_ptr<runtime::pool> make_device_pool(int index) {
  runtime::pool_options o;
  o.where = numwarp::cuda(index);
  o.name = to_string(o.where);
  o.exact = runtime::pools_are_off();
  return std::make_unique<runtime::pool>(std::make_unique<device_upstream>(index), o);
}

std::unique_ptr<runtime::upstream> new_upstream(int index, memory_kind k, std::int64_t keep) {
  const auto demand = [&](cudaDeviceAttr what, const char* name) {
    if (attribute_of(index, what) != 0) return;
    throw device_error("memory_pool: " + to_string(numwarp::cuda(index)) + " has no " + name);
  };
  if (k == memory_kind::managed) {
    demand(cudaDevAttrManagedMemory, "managed memory (cudaMallocManaged)");
    return std::make_unique<managed_upstream>(index);
  }
  if (k == memory_kind::async) {
    demand(cudaDevAttrMemoryPoolsSupported, "memory pools of its driver (cudaMallocAsync)");
    return std::make_unique<async_upstream>(index, keep);
  }
  return std::make_unique<device_upstream>(index);
}

std::unique_ptr<runtime::upstream> pinned_upstream() { return std::make_unique<page_locked>(); }

namespace {

// Before CUDA 13 a place was the number of a device, -1 for the host.
#if CUDART_VERSION >= 13000
cudaMemLocation place_of(device d) {
  cudaMemLocation at = {};
  at.type = d.is_cpu() ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  at.id = d.is_cpu() ? 0 : d.index();
  return at;
}
cudaError_t prefetch_to(const void* p, std::size_t bytes, device d, cudaStream_t s) {
  return cudaMemPrefetchAsync(p, bytes, place_of(d), 0, s);
}
#else
int place_of(device d) { return d.is_cpu() ? cudaCpuDeviceId : d.index(); }
cudaError_t prefetch_to(const void* p, std::size_t bytes, device d, cudaStream_t s) {
  return cudaMemPrefetchAsync(p, bytes, place_of(d), s);
}
#endif

cudaMemoryAdvise code_of(memory_advice a) {
  switch (a) {
    case memory_advice::read_mostly:
      return cudaMemAdviseSetReadMostly;
    case memory_advice::unset_read_mostly:
      return cudaMemAdviseUnsetReadMostly;
    case memory_advice::preferred_location:
      return cudaMemAdviseSetPreferredLocation;
    case memory_advice::unset_preferred_location:
      return cudaMemAdviseUnsetPreferredLocation;
    case memory_advice::accessed_by:
      return cudaMemAdviseSetAccessedBy;
    case memory_advice::unset_accessed_by:
      return cudaMemAdviseUnsetAccessedBy;
  }
  return cudaMemAdviseSetReadMostly;
}

}  // namespace

void prefetch(cuda_queue& q, const void* p, std::int64_t bytes, device to) {
  const device_scope scope(q.where.index());
  q.note("prefetch");
  q.check(prefetch_to(p, std::size_t(bytes), to, q.stream()), "prefetch");
}

void advise(int index, const void* p, std::int64_t bytes, memory_advice advice, device d) {
  const device_scope scope(index);
  check(cudaMemAdvise(p, std::size_t(bytes), code_of(advice), place_of(d)), "advise");
}

bool can_use(int index, const void* p) {
  const device_scope scope(index);
  cudaPointerAttributes a = {};
  check(cudaPointerGetAttributes(&a, p), "wrap");
  if (a.type != cudaMemoryTypeUnregistered) return a.devicePointer != nullptr;
  // Ordinary memory of the host, which some systems let a GPU use.
  return attribute_of(index, cudaDevAttrPageableMemoryAccess) != 0;
}

}  // namespace numwarp::cuda_backend
