// Copies of several boxes at once.
#pragma once

#include <numwarp/core/copies_layout.hpp>

#include "vector.cuh"

namespace numwarp::kernels {

// The words of a thread; elements past the last whole word of a row go one by one.
template <class T>
NW_DEVICE void move_words(const copy_box& b, const copy_spot& s, const char* from, char* to) {
  constexpr int width = 16 / int(sizeof(T));
  vec<T, width> x[copy_words];
#pragma unroll
  for (int k = 0; k < copy_words; ++k) {
    const i64 i = word_start(b, s, k, width);
    if (i + width <= b.inner) x[k] = load_vector<T, width>(from + i * i64(sizeof(T)));
  }
#pragma unroll
  for (int k = 0; k < copy_words; ++k) {
    i64 i = word_start(b, s, k, width);
    if (i + width <= b.inner) {
      store_vector(to + i * i64(sizeof(T)), x[k]);
      continue;
    }
    for (; i < b.inner; ++i)
      store_one(to + i * i64(sizeof(T)), load_one<T>(from + i * i64(sizeof(T))));
  }
}

// Formula: to = from, or a constant, for every box.
// Threads: a block belongs to one box, and to rows of it. Where both sides are adjacent and aligned
//   a thread moves four words of 16 bytes; elsewhere as many elements, one by one. They lie a row's
//   threads apart, so that each load and store of a warp is adjacent, all loads before the first
//   store.
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
    move_words<T>(b, s, b.from + s.from, to);
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
