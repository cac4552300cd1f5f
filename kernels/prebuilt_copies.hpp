// The kernel of several copies at once: takes copies_parameters, copy_threads threads.
#pragma once

#include <numwarp/core/copies_layout.hpp>

namespace numwarp::kernels {

struct copies_table {
  const void* at[5];  // by size of an element, 1 to 16 bytes
};
copies_table copies_kernels();

}  // namespace numwarp::kernels
