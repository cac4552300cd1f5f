// The records in which kernels report wrong data: one a stream, in memory of the host that the
// device writes to, so that looking costs nothing.
#pragma once

#include <cstddef>
#include <mutex>
#include <numwarp/core/error_record.hpp>
#include <vector>

namespace numwarp::cuda_backend {

struct error_slot {
  core::error_record* host = nullptr;
  void* device = nullptr;
};

// Throws what the record says, of the types that the CPU throws for it.
[[noreturn]] void throw_reported(const core::error_record& r);

// Slots of one device; never given back, as the streams that own them.
class error_slots {
 public:
  // Zeroed. Null where page-locked memory cannot be had: then nothing is reported.
  error_slot take() noexcept;

 private:
  static constexpr std::size_t page = 64;  // slots that are allocated at a time
  std::mutex mutex_;
  error_slot next_;
  std::size_t left_ = 0;
};

}  // namespace numwarp::cuda_backend
