// Counters, ranges, and scopes without waits.
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

namespace profiler {

namespace {

thread_local const time_range* innermost_range = nullptr;

std::string place_of(const std::source_location& at) {
  const std::string_view path = at.file_name();
  return std::string(path.substr(path.rfind('/') + 1)) + ':' + std::to_string(at.line());
}

void append_path(const time_range* r, std::string& text) {
  if (!r) return;
  append_path(r->outer(), text);
  text += (text.empty() ? "" : " > ") + r->name();
}

}  // namespace

time_range::time_range(std::string_view message, int color_id, std::source_location where)
    : name_(message.empty() ? place_of(where) : std::string(message)), outer_(innermost_range) {
  runtime::push_tool_range(name_.c_str(), color_id);
  innermost_range = this;
}

time_range::~time_range() {
  innermost_range = outer_;
  runtime::pop_tool_range();
}

allow_synchronize::allow_synchronize(bool allow)
    : before_(runtime::exchange_waiting_forbidden(!allow)) {}
allow_synchronize::~allow_synchronize() { runtime::exchange_waiting_forbidden(before_); }

}  // namespace profiler

std::string runtime::current_range() {
  std::string text;
  profiler::append_path(profiler::innermost_range, text);
  return text;
}

}  // namespace numwarp
