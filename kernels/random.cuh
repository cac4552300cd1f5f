// Random numbers, a block of the stream a thread.
#pragma once

#include <numwarp/core/random.hpp>

#include "vector.cuh"

namespace numwarp::kernels {

// Formula: out[i] = element first + i of the stream, as distribution D makes it of its words.
// Threads: a thread a block of four words, so two or four elements, in a grid that goes on in
//   strides. Where the draw starts inside a block, elements are stored one by one.
// Bytes: the output once.
// Bound: memory bandwidth for uniform numbers, arithmetic for normal ones.
template <class D>
__global__ void __launch_bounds__(256) random_blocks(const __grid_constant__ core::random::draw d) {
  using T = typename D::type;
  constexpr int size = D::size, whole = size * int(sizeof(T)) <= 16 ? size : 16 / int(sizeof(T));
  const int skipped = int(d.first % size);
  const u64 first = d.first / size;
  const i64 blocks = (d.n + skipped + size - 1) / size;
  for (i64 k = i64(blockIdx.x) * 256 + threadIdx.x; k < blocks; k += i64(gridDim.x) * 256) {
    T e[size] = {};
    core::random::draw_block<D>(d, first + u64(k), e);
    const i64 at = k * size - skipped;
    char* const to = static_cast<char*>(d.out) + at * i64(sizeof(T));
    if (skipped == 0 && at + size <= d.n) {
#pragma unroll
      for (int j = 0; j < size; j += whole) {
        vec<T, whole> v;
#pragma unroll
        for (int i = 0; i < whole; ++i) v.e[i] = e[j + i];
        store_vector(to + j * int(sizeof(T)), v);
      }
    } else {
#pragma unroll
      for (int j = 0; j < size; ++j) {
        if (at + j >= 0 && at + j < d.n) store_one(to + j * int(sizeof(T)), e[j]);
      }
    }
  }
}

}  // namespace numwarp::kernels
