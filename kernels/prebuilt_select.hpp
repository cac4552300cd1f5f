// The kernels of mask selection. All take select_parameters; 256 threads, the scan 1024.
#pragma once

#include <numwarp/core/select_layout.hpp>

namespace numwarp::kernels {

struct select_table {
  const void *count, *scan, *indices;
  // By size of the word, 1 to 16 bytes, and direction: [0] packs, [1] puts back.
  const void* elements[5][2];
  const void* rows[5][2];
};
select_table select_kernels();

}  // namespace numwarp::kernels
