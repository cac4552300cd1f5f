// Parameters of the kernels that select rows by a mask.
#pragma once

#include <numwarp/core/portable.hpp>

namespace numwarp::core {

// Elements of the mask that one block looks at.
inline constexpr int select_block = 4096;
// Such parts that one block counts.
inline constexpr int select_count_parts = 4;

struct select_parameters {
  const bool* mask;
  i64 n;
  i64 blocks;
  i64* starts;  // of each block: its true elements, then after the scan those before it
  i64* total;
  const char* from;
  char* to;
  i64* indices;  // of the true elements, for rows of any size
  i64 row_bytes;
};

}  // namespace numwarp::core
