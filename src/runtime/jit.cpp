// Control of kernels compiled at run time, as far as it does not depend on the device.
#include <atomic>
#include <numwarp/error.hpp>
#include <numwarp/jit.hpp>

#include "runtime/backend.hpp"
#include "runtime/kernel_cache.hpp"

namespace numwarp {

namespace {

// Counts order nothing, so relaxed operations do.
std::atomic<std::int64_t> events[6]{};

std::int64_t count_of(runtime::jit_event e) {
  return events[int(e)].load(std::memory_order_relaxed);
}

thread_local int compile_scopes = 0;

}  // namespace

void runtime::count_jit(jit_event e) { events[int(e)].fetch_add(1, std::memory_order_relaxed); }
bool runtime::compiles_at_once() { return compile_scopes > 0; }

namespace jit {

using runtime::current_kernel_cache;
using runtime::kernel_cache;

detail::compile_scope::compile_scope() { ++compile_scopes; }
detail::compile_scope::~compile_scope() { --compile_scopes; }

counters statistics() {
  using e = runtime::jit_event;
  return {count_of(e::launch),   count_of(e::compile), count_of(e::memory_hit),
          count_of(e::disk_hit), count_of(e::unfused), count_of(e::failure)};
}

void wait() { runtime::wait_for_compilations(); }

std::string cache_directory() { return current_kernel_cache()->directory(); }

void set_cache_directory(const std::string& directory) {
  kernel_cache made(directory, cache_limit());
  if (made.directory() != directory) {
    throw io_error("set_cache_directory: " + directory +
                   " is no directory of the user or of root that others cannot write to");
  }
  runtime::replace_kernel_cache(std::move(made));
}

std::int64_t cache_size() { return current_kernel_cache()->size(); }
std::int64_t cache_limit() { return current_kernel_cache()->limit(); }

void set_cache_limit(std::int64_t bytes) {
  if (bytes < 0) {
    throw value_error("set_cache_limit: a limit must not be negative, got " +
                      std::to_string(bytes));
  }
  runtime::replace_kernel_cache(kernel_cache(cache_directory(), bytes));
  current_kernel_cache()->trim_to(bytes);
}

void clear_cache() { current_kernel_cache()->trim_to(0); }

}  // namespace jit
}  // namespace numwarp
