// Where the pools get their segments, and what is said of managed memory.
#pragma once

#include <memory>

#include "cuda/stream.hpp"
#include "runtime/pool.hpp"

namespace numwarp::cuda_backend {

std::unique_ptr<runtime::pool> make_device_pool(int index);
// Throws device_error where the device has no such memory.
std::unique_ptr<runtime::upstream> new_upstream(int index, memory_kind k, std::int64_t keep);

void prefetch(cuda_queue& q, const void* p, std::int64_t bytes, device to);
void advise(int index, const void* p, std::int64_t bytes, memory_advice advice, device d);
bool can_use(int index, const void* p);

}  // namespace numwarp::cuda_backend
