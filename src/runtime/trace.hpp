// What profiler::trace hears of: one launch_timer around each launch.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <numwarp/profiling.hpp>
#include <string>

#include "plan/copies.hpp"
#include "plan/elementwise.hpp"
#include "plan/indexed.hpp"
#include "plan/matmul.hpp"
#include "plan/random.hpp"

namespace numwarp::runtime {

// How many traces there are.
extern std::atomic<int> tracing;

struct launch_description {
  std::string name, shapes;
  std::int64_t bytes = 0;
};
launch_description describe(const plan::elementwise& p);
launch_description describe(const plan::copies& p);
launch_description describe(const plan::reduction& p);
launch_description describe(const plan::matmul& p);
launch_description describe(const plan::random& p);
launch_description describe(const plan::indexed& p);
// Bytes that are moved, or of arrays that a kernel was given.
launch_description describe_bytes(const char* name, std::int64_t bytes);

// Runs launch(), which puts work on the current queue of d, and records how long the work takes.
void run_traced(device d, launch_description&& what, const std::function<void()>& launch);
// Here and below: one relaxed load where there is no trace.
inline bool is_traced() { return tracing.load(std::memory_order_relaxed) != 0; }
template <class F> void run_moving(device d, const char* name, std::int64_t bytes, const F& move) {
  is_traced() ? run_traced(d, describe_bytes(name, bytes), move) : move();
}

// "step > solve": the time_range scopes of the calling thread, or nothing.
std::string current_range();

}  // namespace numwarp::runtime
