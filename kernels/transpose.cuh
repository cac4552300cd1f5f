// A copy whose fastest axis in memory differs between the input and the output.
#pragma once

#include "vector.cuh"

namespace numwarp::kernels {

// Formula: to[.., i, j] = from[.., j, i].
// Threads: a block of 32 x 8 moves one square tile through shared memory: a warp reads adjacent
//   elements of the input and writes adjacent elements of the output, both in runs of the tile's
//   side, 64 elements of up to 4 bytes or 32 of more. A thread's loads are all in flight before the
//   first one is stored. A row of the tile has one element more than it needs, so that a column
//   lies in 32 different banks.
// Bytes: each element read once and written once, both coalesced.
// Bound: memory bandwidth.
template <class T>
__global__ void __launch_bounds__(256)
    transpose_tiled(const __grid_constant__ transpose_parameters p) {
  constexpr int side = transpose_side(int(sizeof(T))), columns = side / 32, rows = side / 8;
  __shared__ T tile[side][side + 1];
  u32 b = blockIdx.x;
  const u32 from_tile = b % p.from_tiles;
  b /= p.from_tiles;
  const u32 to_tile = b % p.to_tiles;
  i64 plane = b / p.to_tiles;

  const char* from = p.from;
  char* to = p.to;
#pragma unroll
  for (int d = max_outer - 1; d >= 0; --d) {
    if (d >= p.outer_rank) continue;
    const i64 rest = plane / p.shape[d], at = plane - rest * p.shape[d];
    from += at * p.from_outer[d];
    to += at * p.to_outer[d];
    plane = rest;
  }
  // `fast` counts along the input's fastest axis, `slow` along the output's.
  i64 fast = i64(from_tile) * side + threadIdx.x;
  i64 slow = i64(to_tile) * side + threadIdx.y;
  T x[rows][columns];
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      if (fast + c * 32 < p.from_fast && slow + r * 8 < p.to_fast)
        x[r][c] =
            load_one<T>(from + (fast + c * 32) * i64(sizeof(T)) + (slow + r * 8) * p.from_stride);
    }
  }
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int c = 0; c < columns; ++c) tile[threadIdx.y + r * 8][threadIdx.x + c * 32] = x[r][c];
  }
  __syncthreads();
  fast = i64(from_tile) * side + threadIdx.y;
  slow = i64(to_tile) * side + threadIdx.x;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      if (fast + r * 8 < p.from_fast && slow + c * 32 < p.to_fast)
        store_one<T>(to + (slow + c * 32) * i64(sizeof(T)) + (fast + r * 8) * p.to_stride,
                     tile[threadIdx.x + c * 32][threadIdx.y + r * 8]);
    }
  }
}

}  // namespace numwarp::kernels
