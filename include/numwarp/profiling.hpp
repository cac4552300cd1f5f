// What the library has done so far, for tests and benches of fusion and of memory use.
#pragma once

#include <cstdint>

namespace numwarp {

// Plans run by all devices since the process started: a fused statement, a reduction, a matrix
// product count one each. Work on empty arrays is none. Never waits.
std::int64_t launch_count();

// Buffers allocated on all devices since the process started. Never waits.
std::int64_t allocation_count();

}  // namespace numwarp
