// What a program costs: counters, benchmarks, ranges for profilers, traces of all launches, and
// scopes in which nothing may wait.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <numwarp/device.hpp>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace numwarp {

// Plans run by all devices since the process started: a fused statement, a reduction, a matrix
// product count one each. Work on empty arrays is none. Never waits.
std::int64_t launch_count();

// Buffers allocated on all devices since the process started. Never waits.
std::int64_t allocation_count();

namespace profiler {

struct benchmark_options {
  std::string name = "benchmark";
  int n_repeat = 10000;
  int n_warmup = 10;
  // Seconds after which no further repetition is started, but the first.
  double max_duration = std::numeric_limits<double>::infinity();
  // Whose current streams are timed; by default the default device's, if it is a GPU.
  std::vector<device> devices = {};
};

// Seconds of each repetition: on the host until the call has returned and its pending operations
// have been launched; on each GPU between two events on its current stream.
struct benchmark_result {
  std::string name;
  std::vector<double> cpu_times;
  std::vector<device> devices;                 // GPUs
  std::vector<std::vector<double>> gpu_times;  // one list a device

  // "name :    CPU:    5.110 us   +/-  0.211 (min:    4.950 / max:    6.302) us     GPU-0: ..."
  std::string to_string() const;
};

namespace detail {
benchmark_result benchmark(const std::function<void()>& f, benchmark_options&& o);
// A pending result is part of the work.
template <class F> void call_and_compute(F& f) {
  if constexpr (requires { f().compute(); }) {
    f().compute();
  } else {
    f();
  }
}
}  // namespace detail

// Calls f() n_warmup times, then n_repeat times, each waited for on the GPUs. An array that f
// returns is computed. Throws value_error for n_repeat < 1, n_warmup < 0 or a negative
// max_duration, device_error for a device that is not there, and what f throws.
template <class F> benchmark_result benchmark(F&& f, benchmark_options o = {}) {
  return detail::benchmark([&f] { detail::call_and_compute(f); }, std::move(o));
}

// Names a stretch of the calling thread's work while it lives: for NVIDIA's profilers (NVTX, where
// a tool is attached and the library was built with CUDA), for traces, and for line_profile_hook.
// Ranges nest and end in the order opposite to that in which they began. Without a message the
// place in the source is the name. Never waits.
class time_range {
 public:
  // color_id picks one of a few colours of the profiler's timeline; -1: its own choice.
  explicit time_range(std::string_view message = {}, int color_id = -1,
                      std::source_location where = std::source_location::current());
  ~time_range();
  time_range(const time_range&) = delete;
  time_range& operator=(const time_range&) = delete;

  const std::string& name() const { return name_; }
  const time_range* outer() const { return outer_; }

 private:
  std::string name_;
  const time_range* outer_;
};

// A launch as a trace saw it.
struct launch_record {
  std::string name;    // of the function, with the ops fused into it: "sum(multiply)"
  std::string shapes;  // "(1000, 3)"
  std::string range;   // the time_range scopes around it: "step > solve"
  numwarp::device device;
  std::int64_t bytes = 0;  // read and written, each element once
  // On the device. Where a GPU had nothing else to do, this includes the host's way to the launch.
  // NaN where it could not be measured.
  double seconds = 0;
};

// Records every launch of the process while it lives, whichever thread makes it: statements,
// reductions, products, copies between devices, users' kernels. On a GPU a launch is timed by two
// events, on the CPU by the clock. Without a trace, a launch costs one relaxed load more. With
// NUMWARP_TRACE=1 in the environment the whole process is traced, and the table printed to stderr
// at its end.
class trace {
 public:
  trace();
  ~trace();
  trace(const trace&) = delete;
  trace& operator=(const trace&) = delete;

  // In the order of their launches, so far. Launches the calling thread's pending operations, and
  // waits for those launches.
  std::vector<launch_record> records() const;
  std::string to_string() const;  // the same as a table

 private:
  std::uint64_t first_;
};

// While an allow_synchronize(false) lives, whatever makes the calling thread wait for a GPU throws
// synchronization_error before anything is done: item, to_vector, asnumpy and other blocking
// copies, printing, masks whose true elements must be counted, host access to pinned memory that a
// stream still uses, a pool that would have to give memory back; and the explicit synchronize of
// devices, streams and events. Destructors still wait where they must. true allows it again, for an
// inner scope. On the CPU nothing waits, and nothing throws.
class allow_synchronize {
 public:
  explicit allow_synchronize(bool allow);
  ~allow_synchronize();
  allow_synchronize(const allow_synchronize&) = delete;
  allow_synchronize& operator=(const allow_synchronize&) = delete;

 private:
  bool before_;
};

}  // namespace profiler
}  // namespace numwarp
