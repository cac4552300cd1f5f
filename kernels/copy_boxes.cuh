// Copies of several boxes at once.
#pragma once

#include <numwarp/core/copies_layout.hpp>

#include "vector.cuh"

namespace numwarp::kernels {

// Formula: to = from, or a constant, for every box.
// Threads: a block belongs to one box, and to rows of it. Where both sides are adjacent and aligned
//   a thread moves a word of 16 bytes; elsewhere 16 bytes of elements that lie a row's threads
//   apart, so that each load and store of a warp is adjacent, all loads before the first store.
// Bytes: each element read once and written once.
// Bound: memory bandwidth.
template <class T>
__global__ void __launch_bounds__(copy_threads)
    copy_boxes(const __grid_constant__ copies_parameters p) {
  constexpr int width = copy_width(int(sizeof(T)));
  const copy_box& b = box_of_block(p, blockIdx.x);
  const copy_spot s = spot_in_box(b, width, blockIdx.x, threadIdx.x);
  if (!s.inside) return;
  char* const to = b.to + s.to;
  if (b.mode == u8(walk::vector)) {
    const char* const from = b.from + s.from;
    const i64 i = s.first + i64(s.thread) * width;
    if (i + width <= b.inner) {
      store_vector(to + i * i64(sizeof(T)), load_vector<T, width>(from + i * i64(sizeof(T))));
      return;
    }
    for (i64 k = i; k < b.inner; ++k)
      store_one(to + k * i64(sizeof(T)), load_one<T>(from + k * i64(sizeof(T))));
    return;
  }
  const bool immediate = b.mode == u8(walk::immediate);
  const char* const from = immediate ? nullptr : b.from + s.from;
  T x[width];
#pragma unroll
  for (int j = 0; j < width; ++j) {
    const i64 i = s.first + (i64(j) << b.row_shift) + s.thread;
    if (immediate) {
      x[j] = immediate_value<T>(&b.from);
    } else if (i < b.inner) {
      x[j] = load_one<T>(from + i * b.from_inner);
    }
  }
#pragma unroll
  for (int j = 0; j < width; ++j) {
    const i64 i = s.first + (i64(j) << b.row_shift) + s.thread;
    if (i < b.inner) store_one(to + i * b.to_inner, x[j]);
  }
}

}  // namespace numwarp::kernels
