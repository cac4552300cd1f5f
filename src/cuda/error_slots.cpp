#include "cuda/error_slots.hpp"

#include <cuda_runtime_api.h>

#include <cstring>
#include <numwarp/error.hpp>
#include <string>

namespace numwarp::cuda_backend {

namespace {

// A cache line each, so that two streams do not write to one.
constexpr std::size_t slot_bytes = 128;
static_assert(sizeof(core::error_record) <= slot_bytes);

}  // namespace

error_slot error_slots::take() noexcept {
  std::lock_guard lock(mutex_);
  if (left_ == 0) {
    void *host = nullptr, *device = nullptr;
    const unsigned flags = cudaHostAllocMapped | cudaHostAllocPortable;
    if (cudaHostAlloc(&host, page * slot_bytes, flags) != cudaSuccess ||
        cudaHostGetDevicePointer(&device, host, 0) != cudaSuccess) {
      (void)cudaGetLastError();
      return {};
    }
    std::memset(host, 0, page * slot_bytes);
    next_ = {static_cast<core::error_record*>(host), device};
    left_ = page;
  }
  const error_slot taken = next_;
  next_.host =
      reinterpret_cast<core::error_record*>(reinterpret_cast<char*>(next_.host) + slot_bytes);
  next_.device = static_cast<char*>(next_.device) + slot_bytes;
  --left_;
  return taken;
}

void throw_reported(const core::error_record& r) {
  const char* where = reinterpret_cast<const char*>(static_cast<std::uintptr_t>(r.where));
  const std::string name = where ? where : "numwarp";
  const std::string value = std::to_string(r.value);
  switch (core::error_code(r.code)) {
    case core::error_code::negative_exponent:
      // Only power has exponents, whatever statement it was fused into; the CPU says the same.
      throw value_error("power: Integers to negative integer powers are not allowed, got " + value);
    case core::error_code::index_out_of_range:
      throw index_error(name + ": index " + value + " is out of bounds for axis " +
                        std::to_string(r.axis) + " with size " + std::to_string(r.size));
    default:
      throw error(name + ": a kernel reported error " + std::to_string(r.code));
  }
}

}  // namespace numwarp::cuda_backend
