// Kernels that are compiled at run time: those of fused statements, and of NW_FUNCTION_BODY. On a
// machine without a GPU nothing is compiled: calls do nothing, and counters are zero.
//
// A program can ship its kernels. Run it with a cache directory of its own on a GPU of each kind
// (or nw::jit::compile what it will need), copy the directory, and name it at the start of the
// program:
//   nw::jit::set_cache_directory(where_the_program_lies + "/kernels");
// It may be read-only, and belong to the user or to root; others must not be able to write to it.
// Kernels are found by the build of numwarp, the compute capability of the GPU and the version of
// NVRTC; where NVRTC is not installed, by the version of the toolkit that numwarp was built with.
#pragma once

#include <cstdint>
#include <numwarp/device.hpp>
#include <string>
#include <type_traits>

namespace numwarp::jit {

// Since the process started, on all GPUs. launches: of fused kernels. compiles: by NVRTC.
// memory_hits, disk_hits: kernels that were found ready, or on disk. unfused: statements that ran
// step by step, because their kernel was not ready or not allowed. failures: texts that could not
// be compiled or loaded.
struct counters {
  std::int64_t launches = 0, compiles = 0, memory_hits = 0, disk_hits = 0, unfused = 0,
               failures = 0;
};
counters statistics();

// Until no kernel is being compiled in the background. What was launched before is not waited for.
void wait();

// Where compiled kernels are kept: NUMWARP_CACHE_DIR, or numwarp in the user's cache directory.
// Empty where they are not kept.
std::string cache_directory();
// From now on. It is made if need be; "" keeps nothing. Throws io_error for what is no directory,
// or one that others can write to.
void set_cache_directory(const std::string& directory);

// Bytes on disk, and how many there may be (256 MiB at first): the oldest kernels go. Files of
// others in the directory are not touched. Throws value_error for a negative limit.
std::int64_t cache_size();
std::int64_t cache_limit();
void set_cache_limit(std::int64_t bytes);
// Removes all kernels from the directory. Those that the process has loaded stay.
void clear_cache();

namespace detail {

// While it lives, its thread waits for the kernels that it needs.
class compile_scope {
 public:
  compile_scope();
  ~compile_scope();
  compile_scope(const compile_scope&) = delete;
  compile_scope& operator=(const compile_scope&) = delete;
};

}  // namespace detail

// Compiles ahead of first use: calls f(examples...), waits for each kernel that its statements
// need, and launches what it leaves pending; what f writes is written. Kernels depend on element
// types, on the operations, on the kind of device, and for reductions on the order of the axes in
// memory, but not on sizes: examples may be small. Where NUMWARP_JIT=off f is called, and nothing
// fused. Throws what f throws.
template <class F, class... A> void compile(const F& f, const A&... examples) {
  const detail::compile_scope scope;
  if constexpr (std::is_void_v<decltype(f(examples...))>) {
    f(examples...);
    flush();
  } else {
    const auto kept = f(examples...);  // else nobody would want it computed
    flush();
  }
}

}  // namespace numwarp::jit
