// Rows chosen by a mask: counted, packed, and put back.
#pragma once

#include <numwarp/core/select_layout.hpp>

#include "vector.cuh"

namespace numwarp::kernels {

// 16 mask elements from `first` on; those past the end are false.
NW_DEVICE uint4 mask_words(const select_parameters& p, i64 first) {
  const u8* from = reinterpret_cast<const u8*>(p.mask) + first;
  if (first + 16 <= p.n && reinterpret_cast<u64>(from) % 16 == 0)
    return *reinterpret_cast<const uint4*>(from);
  vec<u8, 16> bytes;
#pragma unroll
  for (int j = 0; j < 16; ++j) bytes.e[j] = first + j < p.n ? from[j] : u8(0);
  return __builtin_bit_cast(uint4, bytes);
}
// Elements other than zero among four.
NW_DEVICE int count_true_bytes(u32 word) { return __popc(__vminu4(word, 0x01010101u)); }

// A block reads its 4096 mask elements by words, then a warp looks at 512 of them, 32 at a time:
// bit j of rounds[k] is element 32 k + j. Returns how many are true.
inline constexpr int select_rounds = select_block / 256;
NW_DEVICE int warp_rounds(const select_parameters& p, u32 (&rounds)[select_rounds]) {
  __shared__ alignas(16) u8 part[select_block];
  reinterpret_cast<uint4*>(part)[threadIdx.x] =
      mask_words(p, i64(blockIdx.x) * select_block + threadIdx.x * 16);
  __syncthreads();
  int count = 0;
#pragma unroll
  for (int k = 0; k < select_rounds; ++k) {
    const u32 i = (threadIdx.x / 32 * select_rounds + k) * 32 + threadIdx.x % 32;
    rounds[k] = __ballot_sync(0xffffffffu, part[i] != 0);
    count += __popc(rounds[k]);
  }
  return count;
}
NW_DEVICE i64 warp_start() {
  return i64(blockIdx.x) * select_block + i64(threadIdx.x / 32) * (32 * select_rounds);
}

// Formula: starts[b] = the number of true elements of part b of the mask.
// Threads: a block counts select_count_parts parts, 16 elements of each a thread, all in flight at
//   once; the counts of its threads are added up by warps.
// Bytes: the mask once.
// Bound: memory bandwidth.
static __global__ void __launch_bounds__(256)
    select_count(const __grid_constant__ select_parameters p) {
  constexpr int parts = select_count_parts;
  __shared__ int counts[parts][8];
  uint4 words[parts];
#pragma unroll
  for (int k = 0; k < parts; ++k)
    words[k] = mask_words(p, (i64(blockIdx.x) * parts + k) * select_block + threadIdx.x * 16);
#pragma unroll
  for (int k = 0; k < parts; ++k) {
    const int count = count_true_bytes(words[k].x) + count_true_bytes(words[k].y) +
                      count_true_bytes(words[k].z) + count_true_bytes(words[k].w);
    int all = count;
#pragma unroll
    for (int delta = 16; delta > 0; delta /= 2) all += __shfl_down_sync(0xffffffffu, all, delta);
    if (threadIdx.x % 32 == 0) counts[k][threadIdx.x / 32] = all;
  }
  __syncthreads();
  const i64 part = i64(blockIdx.x) * parts + threadIdx.x;
  if (threadIdx.x >= parts || part >= p.blocks) return;
  int all = 0;
  for (int w = 0; w < 8; ++w) all += counts[threadIdx.x][w];
  p.starts[part] = all;
}

NW_DEVICE i64 warp_scan(i64 x) {
  const int lane = int(threadIdx.x % 32);
#pragma unroll
  for (int distance = 1; distance < 32; distance *= 2) {
    const i64 before = __shfl_up_sync(0xffffffffu, x, distance);
    if (lane >= distance) x += before;
  }
  return x;
}

// Formula: starts becomes its exclusive prefix sum, total its sum.
// Threads: one block; each of 32 warps adds up one piece in reads of 32 adjacent counts, the sums
//   of the pieces are scanned, and each piece is gone through again.
// Bytes: starts twice: eight bytes for 4096 of the mask.
// Bound: latency.
static __global__ void __launch_bounds__(1024)
    select_scan(const __grid_constant__ select_parameters p) {
  __shared__ i64 sums[32];
  const int warp = int(threadIdx.x / 32), lane = int(threadIdx.x % 32);
  const i64 piece = (p.blocks + 1023) / 1024 * 32, first = warp * piece;
  const i64 last = first + piece < p.blocks ? first + piece : p.blocks;
  i64 sum = 0;
#pragma unroll 8
  for (i64 i = first + lane; i < last; i += 32) sum += p.starts[i];
  sum = warp_scan(sum);
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) sums[lane] = warp_scan(sums[lane]);
  __syncthreads();
  i64 before = warp == 0 ? 0 : sums[warp - 1];
  for (i64 i = first; i < last; i += 32) {
    const i64 count = i + lane < last ? p.starts[i + lane] : 0;
    const i64 scanned = warp_scan(count);
    if (i + lane < last) p.starts[i + lane] = before + scanned - count;
    before += __shfl_sync(0xffffffffu, scanned, 31);
  }
  if (threadIdx.x == 0) *p.total = sums[31];
}

// The true elements of the warp's part: bits as warp_rounds makes them, and how many of the mask
// lie before them.
NW_DEVICE i64 warp_places(const select_parameters& p, u32 (&rounds)[select_rounds]) {
  __shared__ int counts[8];
  const int warp = int(threadIdx.x / 32), count = warp_rounds(p, rounds);
  if (threadIdx.x % 32 == 0) counts[warp] = count;
  __syncthreads();
  i64 before = p.starts[blockIdx.x];
  for (int w = 0; w < warp; ++w) before += counts[w];
  return before;
}

// Calls f(k, i, at) for each round k in which this lane's element i is true, the at-th one of the
// mask.
template <class F>
NW_DEVICE void for_each_true(const u32 (&rounds)[select_rounds], i64 before, const F& f) {
  const int lane = int(threadIdx.x % 32);
  const i64 first = warp_start() + lane;
#pragma unroll
  for (int k = 0; k < select_rounds; ++k) {
    if (rounds[k] >> lane & 1)
      f(k, first + k * 32, before + __popc(rounds[k] & ((1u << lane) - 1)));
    before += __popc(rounds[k]);
  }
}

// Formula: to[k] = from[i], or the reverse, for the k-th true element i; elements of one word.
// Threads: a lane an element of the mask, so that reads and writes of a warp are close together;
//   all loads of a lane are in flight before the first store.
// Bytes: the mask, the chosen elements twice.
// Bound: memory bandwidth.
template <class T, bool Scatter>
__global__ void __launch_bounds__(256)
    select_elements(const __grid_constant__ select_parameters p) {
  constexpr i64 size = sizeof(T);
  u32 rounds[select_rounds];
  const i64 before = warp_places(p, rounds);
  T x[select_rounds];
  for_each_true(rounds, before, [&](int k, i64 i, i64 at) {
    x[k] = load_one<T>(p.from + (Scatter ? at : i) * size);
  });
  for_each_true(rounds, before, [&](int k, i64 i, i64 at) {
    store_one<T>(p.to + (Scatter ? i : at) * size, x[k]);
  });
}

// Formula: indices[k] = i for the k-th true element i.
// Threads, bytes, bound: as select_elements.
static __global__ void __launch_bounds__(256)
    select_indices(const __grid_constant__ select_parameters p) {
  u32 rounds[select_rounds];
  const i64 before = warp_places(p, rounds);
  for_each_true(rounds, before, [&](int, i64 i, i64 at) { p.indices[at] = i; });
}

// Formula: row k of `to` = row indices[k] of `from`, or the reverse.
// Threads: one word of a row each, in a grid that goes on in strides: the number of rows is known
//   to the device only.
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
