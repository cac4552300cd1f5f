// Rows chosen by a mask: counted, packed, and put back.
#pragma once

#include <numwarp/core/select_layout.hpp>

#include "vector.cuh"

namespace numwarp::kernels {

// A warp looks at 512 mask elements, 32 at a time; bit j of rounds[k] is element 32 k + j.
inline constexpr int select_rounds = select_block / 256;
NW_DEVICE int warp_rounds(const select_parameters& p, i64 first, u32 (&rounds)[select_rounds]) {
  int count = 0;
#pragma unroll
  for (int k = 0; k < select_rounds; ++k) {
    const i64 i = first + k * 32 + threadIdx.x % 32;
    rounds[k] = __ballot_sync(0xffffffffu, i < p.n && p.mask[i]);
    count += __popc(rounds[k]);
  }
  return count;
}
NW_DEVICE i64 warp_start() {
  return i64(blockIdx.x) * select_block + i64(threadIdx.x / 32) * (32 * select_rounds);
}

// Formula: starts[b] = the number of true elements of block b's part of the mask.
// Threads: a warp counts 512 elements by votes; a block's eight warps are added up.
// Bytes: the mask once.
// Bound: memory bandwidth.
static __global__ void __launch_bounds__(256)
    select_count(const __grid_constant__ select_parameters p) {
  __shared__ int counts[8];
  u32 rounds[select_rounds];
  const int count = warp_rounds(p, warp_start(), rounds);
  if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int all = 0;
  for (int w = 0; w < 8; ++w) all += counts[w];
  p.starts[blockIdx.x] = all;
}

// Formula: starts becomes its exclusive prefix sum, total its sum.
// Threads: one block; each of 1024 threads adds up one piece, the pieces' sums are scanned in
// shared
//   memory, and each piece is gone through again.
// Bytes: starts twice: eight bytes for 4096 of the mask.
// Bound: latency.
static __global__ void __launch_bounds__(1024)
    select_scan(const __grid_constant__ select_parameters p) {
  __shared__ i64 sums[1024];
  const i64 piece = (p.blocks + 1023) / 1024;
  const i64 first = threadIdx.x * piece;
  const i64 last = first + piece < p.blocks ? first + piece : p.blocks;
  i64 sum = 0;
  for (i64 i = first; i < last; ++i) sum += p.starts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = 1; distance < 1024; distance *= 2) {
    const i64 before = int(threadIdx.x) >= distance ? sums[threadIdx.x - distance] : 0;
    __syncthreads();
    sums[threadIdx.x] += before;
    __syncthreads();
  }
  i64 at = sums[threadIdx.x] - sum;
  for (i64 i = first; i < last; ++i) {
    const i64 count = p.starts[i];
    p.starts[i] = at;
    at += count;
  }
  if (threadIdx.x == 1023) *p.total = sums[1023];
}

// Calls f(i, k) for each true element i, the k-th one of the mask.
template <class F> NW_DEVICE void for_each_true(const select_parameters& p, const F& f) {
  __shared__ int counts[8];
  u32 rounds[select_rounds];
  const i64 first = warp_start();
  const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
  const int count = warp_rounds(p, first, rounds);
  if (lane == 0) counts[warp] = count;
  __syncthreads();
  i64 at = p.starts[blockIdx.x];
  for (int w = 0; w < warp; ++w) at += counts[w];
#pragma unroll
  for (int k = 0; k < select_rounds; ++k) {
    if (rounds[k] >> lane & 1)
      f(first + k * 32 + lane, at + __popc(rounds[k] & ((1u << lane) - 1)));
    at += __popc(rounds[k]);
  }
}

// Formula: to[k] = from[i], or the reverse, for the k-th true element i; elements of one word.
// Threads: a lane an element of the mask, so that reads and writes of a warp are close together.
// Bytes: the mask, the chosen elements twice.
// Bound: memory bandwidth.
template <class T, bool Scatter>
__global__ void __launch_bounds__(256)
    select_elements(const __grid_constant__ select_parameters p) {
  for_each_true(p, [&](i64 i, i64 k) {
    const i64 from = Scatter ? k : i, to = Scatter ? i : k;
    store_one<T>(p.to + to * i64(sizeof(T)), load_one<T>(p.from + from * i64(sizeof(T))));
  });
}

// Formula: indices[k] = i for the k-th true element i.
// Threads, bytes, bound: as select_elements.
static __global__ void __launch_bounds__(256)
    select_indices(const __grid_constant__ select_parameters p) {
  for_each_true(p, [&](i64 i, i64 k) { p.indices[k] = i; });
}

// Formula: row k of `to` = row indices[k] of `from`, or the reverse.
// Threads: one word of a row each, in a grid that goes on in strides: the number of rows is known
// to
//   the device only.
// Bytes: the chosen rows twice.
// Bound: memory bandwidth.
template <class Word, bool Scatter>
__global__ void __launch_bounds__(256) select_rows(const __grid_constant__ select_parameters p) {
  const i64 words = p.row_bytes / i64(sizeof(Word)), all = *p.total * words;
  for (i64 w = i64(blockIdx.x) * 256 + threadIdx.x; w < all; w += i64(gridDim.x) * 256) {
    const i64 k = w / words, column = (w - k * words) * i64(sizeof(Word)), i = p.indices[k];
    const i64 from = Scatter ? k : i, to = Scatter ? i : k;
    store_one<Word>(p.to + to * p.row_bytes + column,
                    load_one<Word>(p.from + from * p.row_bytes + column));
  }
}

}  // namespace numwarp::kernels
