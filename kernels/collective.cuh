// Joining the accumulators of the threads of a warp or a block, in an order that depends on the
// threads' numbers alone.
#pragma once

#include "vector.cuh"

namespace numwarp::kernels {

// The value of the thread `delta` further in the same group of `width` threads. All of the warp
// must call it.
template <class A> NW_DEVICE A shuffle_down(A a, int delta, int width) {
  constexpr int words = int(sizeof(A) + 3) / 4;
  u32 w[words] = {};
  memcpy(w, &a, sizeof(A));
#pragma unroll
  for (int i = 0; i < words; ++i) w[i] = __shfl_down_sync(0xffffffffu, w[i], delta, width);
  memcpy(&a, w, sizeof(A));
  return a;
}

// Joins the accumulators of each group of `group` threads, a power of two up to the block's 256;
// the group's first thread gets the result. `shared` has room for eight. All of the block must call
// it.
template <class R>
NW_DEVICE typename R::acc join_group(typename R::acc a, u32 group, typename R::acc* shared) {
  const int width = int(group < 32 ? group : 32);
#pragma unroll 1
  for (int delta = width / 2; delta > 0; delta /= 2) a = R::merge(a, shuffle_down(a, delta, width));
  if (group <= 32) return a;
  const u32 warp = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) shared[warp] = a;
  __syncthreads();
  if (threadIdx.x % group == 0) {
#pragma unroll 1
    for (u32 k = 1; k < group / 32; ++k) a = R::merge(a, shared[warp + k]);
  }
  return a;
}

}  // namespace numwarp::kernels
