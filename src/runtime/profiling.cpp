#include <atomic>
#include <numwarp/profiling.hpp>

#include "runtime/backend.hpp"

namespace numwarp {

namespace {

// Counts order nothing, so relaxed operations do.
std::atomic<std::int64_t> launches{0}, allocations{0};

}  // namespace

std::int64_t launch_count() { return launches.load(std::memory_order_relaxed); }
std::int64_t allocation_count() { return allocations.load(std::memory_order_relaxed); }

void runtime::count_launch() { launches.fetch_add(1, std::memory_order_relaxed); }
void runtime::count_allocation() { allocations.fetch_add(1, std::memory_order_relaxed); }

}  // namespace numwarp
