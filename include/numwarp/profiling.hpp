// What the library has done so far, for tests and benches of fusion and of memory use.
#pragma once

#include <cstdint>

namespace numwarp {

// Plans run by all devices since the process started: a fused statement, a reduction, a matrix
// product count one each. Work on empty arrays is none. Never waits.
std::int64_t launch_count();

// Buffers allocated on all devices since the process started. Never waits.
std::int64_t allocation_count();

// Fused kernels since the process started, on all GPUs; all zero without one. launches: of fused
// kernels. compiles: by NVRTC. memory_hits, disk_hits: kernels that were found ready, or on disk.
// unfused: statements that ran step by step, because their kernel was not ready or not allowed.
// failures: texts that could not be compiled or loaded.
struct jit_statistics {
  std::int64_t launches = 0, compiles = 0, memory_hits = 0, disk_hits = 0, unfused = 0,
               failures = 0;
};
jit_statistics get_jit_statistics();

}  // namespace numwarp
