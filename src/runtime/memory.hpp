// The pools of the process, and which of them arrays come from.
#pragma once

#include <memory>

#include "runtime/pool.hpp"
#include "runtime/storage.hpp"

namespace numwarp::runtime {

// Of the CPU's arrays. Never destroyed, as all default pools.
pool& host_pool();
// Page-locked memory where there is a GPU, else ordinary memory.
pool& pinned_pool();
bool is_pinned(const detail::storage& s);
// Ordinary memory of the host.
std::unique_ptr<upstream> host_upstream();

// The pool that the calling thread's new arrays on d come from, or its pinned arrays. `kept` keeps
// it alive for as long as a block of it is not held.
pool& allocator_of(device d, bool pinned, std::shared_ptr<pool>& kept);

}  // namespace numwarp::runtime
