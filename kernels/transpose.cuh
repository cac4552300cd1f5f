// A copy whose fastest axis in memory differs between the input and the output.
#pragma once

#include "vector.cuh"

namespace numwarp::kernels {

inline constexpr int tile_side = 32;

// Formula: to[.., i, j] = from[.., j, i].
// Threads: a block of 32 x 8 moves one tile of 32 x 32 elements through shared memory: a warp reads
//   32 adjacent elements of the input and writes 32 adjacent elements of the output. A row of the
//   tile has one element more than 32, so that a column lies in 32 different banks.
// Bytes: each element read once and written once, both coalesced.
// Bound: memory bandwidth.
template <class T>
__global__ void __launch_bounds__(256)
    transpose_tiled(const __grid_constant__ transpose_parameters p) {
  __shared__ T tile[tile_side][tile_side + 1];
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
  i64 fast = i64(from_tile) * tile_side + threadIdx.x;
  i64 slow = i64(to_tile) * tile_side + threadIdx.y;
  for (int r = 0; r < tile_side; r += 8) {
    if (fast < p.from_fast && slow + r < p.to_fast) {
      tile[threadIdx.y + r][threadIdx.x] =
          load_one<T>(from + fast * i64(sizeof(T)) + (slow + r) * p.from_stride);
    }
  }
  __syncthreads();
  fast = i64(from_tile) * tile_side + threadIdx.y;
  slow = i64(to_tile) * tile_side + threadIdx.x;
  for (int r = 0; r < tile_side; r += 8) {
    if (fast + r < p.from_fast && slow < p.to_fast) {
      store_one<T>(to + slow * i64(sizeof(T)) + (fast + r) * p.to_stride,
                   tile[threadIdx.x][threadIdx.y + r]);
    }
  }
}

}  // namespace numwarp::kernels
