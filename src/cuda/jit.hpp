// Fused kernels: compiled at run time, kept in memory and on disk. NUMWARP_JIT says when the caller
// waits: async (compiles in a background thread, the default), sync, off (never compiles).
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cuda/codegen.hpp"
#include "cuda/elementwise_layout.hpp"
#include "cuda/kernels.hpp"

namespace numwarp::cuda_backend {

// A kernel by its key. Lives as long as the process.
struct fused_kernel {
  functor_text functor;
  int width = 1;
  std::string source;
  // Text of the user: his options, and the toolkit's headers are found.
  std::optional<std::vector<std::string>> user_options;
  bool on_disk = true;  // false where the text alone does not decide what is compiled
  std::string log;      // of a compilation that failed
  int arch = 0, device = 0;
  enum state_t : int { fresh, queued, ready, failed };
  std::atomic<int> state{fresh};
  const void* handle = nullptr;  // cudaKernel_t, once ready
};

// The kernel of `key` on the device of c; `fill` writes functor, width and source where it is new.
fused_kernel& find_fused(const launch_context& c, std::string key,
                         const std::function<void(fused_kernel&)>& fill);
// Its handle, or null while it is being compiled, where it cannot be compiled and where
// NUMWARP_JIT=off.
const void* ready_handle(fused_kernel& k);
// Its handle, compiled now if need be; null where it cannot be compiled and where NUMWARP_JIT=off.
const void* build_handle(fused_kernel& k);

// Its handle, compiled now if need be, whatever NUMWARP_JIT says: there is no other way to run it.
// Throws compile_error with the compiler's log, device_error where NVRTC is not installed.
const void* demand_handle(fused_kernel& k, const char* name);

// Fills the slots of the constants that the text takes from the parameters.
void fill_constants(const functor_text& f, const plan::program& program, std::uint64_t* slots);

// Launches the fused kernel of a plan of at most max_axes axes. False where there is none yet.
bool run_fused(const launch_context& c, const plan::elementwise& p, std::int64_t index_base);
// The same for the plan of one call of a user's function, by demand_handle.
void run_compiled(const launch_context& c, const plan::elementwise& p, std::int64_t index_base);

}  // namespace numwarp::cuda_backend
