// From indices to addresses.
#pragma once

#include <cstdint>

#include "plan/indexed.hpp"

namespace numwarp::cpu_backend {

// offsets[j] += i * step for n indices i, `stride` bytes apart. False where mode raise finds one
// out of bounds; what it adds then is nothing.
using offset_loop = bool (*)(const char* indices, std::int64_t stride, std::int64_t n,
                             std::int64_t extent, std::int64_t step, std::int64_t* offsets);
offset_loop find_offset_loop(dtype type, index_mode mode);

// Throws index_error for the first index of p that is out of bounds.
void check_indices(const plan::indexed& p);

}  // namespace numwarp::cpu_backend
