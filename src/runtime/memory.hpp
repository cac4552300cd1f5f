// The pools of the process.
#pragma once

#include <memory>

#include "runtime/pool.hpp"
#include "runtime/storage.hpp"

namespace numwarp::runtime {

// Of the CPU's arrays. Never destroyed, as all pools of the process.
pool& host_pool();
// Page-locked memory where there is a GPU, else ordinary memory.
pool& pinned_pool();
bool is_pinned(const detail::storage& s);

}  // namespace numwarp::runtime
