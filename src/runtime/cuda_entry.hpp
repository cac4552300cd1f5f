// What the CUDA backend gives to the registry, where it is built.
#pragma once

#include <memory>
#include <string>

#include "runtime/backend.hpp"

namespace numwarp::cuda_backend {

// The reason for which the device of that index cannot be used, or an empty string.
std::string why_unavailable(int index);
// The backend of that device, made at the first call; null where it cannot be used. Throws
// cuda_error where it could and starting it fails.
runtime::backend* find_backend(int index);
std::unique_ptr<runtime::upstream> pinned_upstream();
int device_count();
// Waits until no compilation is under way.
void jit_wait();
// Of the calling thread, on the timelines of tools.
void push_range(const char* name, int color_id) noexcept;
void pop_range() noexcept;

}  // namespace numwarp::cuda_backend
