#include <atomic>
#include <numwarp/profiling.hpp>

#include "runtime/backend.hpp"

namespace numwarp {

namespace {

// Counts order nothing, so relaxed operations do.
std::atomic<std::int64_t> launches{0}, allocations{0}, jit_events[6]{};

std::int64_t count_of(runtime::jit_event e) {
  return jit_events[int(e)].load(std::memory_order_relaxed);
}

}  // namespace

std::int64_t launch_count() { return launches.load(std::memory_order_relaxed); }
std::int64_t allocation_count() { return allocations.load(std::memory_order_relaxed); }

jit_statistics get_jit_statistics() {
  using e = runtime::jit_event;
  return {count_of(e::launch),   count_of(e::compile), count_of(e::memory_hit),
          count_of(e::disk_hit), count_of(e::unfused), count_of(e::failure)};
}

void runtime::count_jit(jit_event e) { jit_events[int(e)].fetch_add(1, std::memory_order_relaxed); }
void runtime::count_launch() { launches.fetch_add(1, std::memory_order_relaxed); }
void runtime::count_allocation() { allocations.fetch_add(1, std::memory_order_relaxed); }

}  // namespace numwarp
