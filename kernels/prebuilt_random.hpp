// The kernels of random numbers. All take core::random::draw; 256 threads, any number of blocks.
#pragma once

#include <numwarp/core/random.hpp>

namespace numwarp::kernels {

struct random_kernel {
  const void* kernel = nullptr;
  int size = 1;  // elements a thread and step
};
struct random_table {
  random_kernel at[core::random::code_count];
};
random_table random_kernels();

}  // namespace numwarp::kernels
