// Bytes between the host and a device.
#pragma once

#include <cstdint>

#include "cuda/stream.hpp"

namespace numwarp::cuda_backend {

// On q. Ordinary memory of the host has been read or written when they return.
void upload(cuda_queue& q, void* to, const void* from_host, std::int64_t bytes, bool pinned);
void download(cuda_queue& q, void* to_host, const void* from, std::int64_t bytes, bool pinned);
// Between devices, or within one.
void copy(cuda_queue& q, void* to, int to_device, const void* from, int from_device,
          std::int64_t bytes);

}  // namespace numwarp::cuda_backend
