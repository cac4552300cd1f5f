// Elements at random places of an array that no cache holds. Taken as they come, each costs a
// sector of 32 bytes of device memory. Here they are taken region by region: a region stays in the
// second-level cache while all that is asked of it is read.
#pragma once

#include "indexed.cuh"

namespace numwarp::kernels {

template <class Slot> inline constexpr int take_tile = take_tile_bytes / int(sizeof(Slot));
template <class Word> struct slot_of { using type = u32; };
template <> struct slot_of<u64> { using type = u64; };

// Bytes between the elements chosen by two indices.
NW_DEVICE float distance(const region_parameters& p, i64 i, i64 j) {
  const auto index = [&](i64 k) {
    return p.wide ? load_one<i64>(p.take.indices + 8 * k)
                  : i64(load_one<int>(p.take.indices + 4 * k));
  };
  return fabsf((float(index(i)) - float(index(j))) * float(p.take.step));
}

// Formula: scattered = most of a sample of indices are far from their neighbours and from those
// that
//   are read at about the same time.
// Threads: one sample each.
// Bound: latency.
static __global__ void __launch_bounds__(take_threads)
    take_sample(const __grid_constant__ region_parameters p) {
  constexpr i64 meanwhile = 65536;
  constexpr float sector = 32, cached = 8 << 20;
  const i64 i = (p.take.n - meanwhile - 1) / take_threads * threadIdx.x;
  const bool far = distance(p, i, i + 1) > sector && distance(p, i, i + meanwhile) > cached;
  const int count = __syncthreads_count(far);
  if (threadIdx.x == 0) *p.scattered = 2 * count > take_threads;
}

// The first warp: from how many indices region r has, count[r] becomes where they start.
NW_DEVICE void start_regions(u32* count, u16* starts) {
  const u32 mine = count[threadIdx.x];
  u32 sum = mine;
#pragma unroll
  for (int d = 1; d < take_regions; d *= 2) {
    const u32 other = __shfl_up_sync(0xffffffffu, sum, d);
    if (threadIdx.x >= d) sum += other;
  }
  count[threadIdx.x] = sum - mine;
  starts[threadIdx.x] = u16(sum - mine);
  if (threadIdx.x == take_regions - 1) starts[take_regions] = u16(sum);
}
static_assert(take_regions == 32, "start_regions is the work of one warp");

// Formula: slots = the tile's indices, those of one region together; places[i] = the slot of
//   element i. An index out of bounds has all bits set.
// Threads: take_tile / take_threads elements each, take_threads apart.
// Bytes: the indices, slots and places once.
// Bound: memory bandwidth; atomics in shared memory where a tile's indices are of one region.
template <class Slot, class Index>
__global__ void __launch_bounds__(take_threads)
    take_split(const __grid_constant__ region_parameters p) {
  constexpr int each = take_tile<Slot> / take_threads;
  __shared__ u32 count[take_regions];
  __shared__ Slot sorted[take_tile<Slot>];
  if (*p.scattered == 0) return;
  const i64 base = i64(blockIdx.x) * take_tile<Slot>, left = p.take.n - base;
  if (threadIdx.x < take_regions) count[threadIdx.x] = 0;
  Slot index[each];
  u32 rank[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const i64 i = k * take_threads + threadIdx.x;
    i64 at = i < left ? stream_index<Index>(p.take.indices + (base + i) * i64(sizeof(Index))) : 0;
    const i64 given = at;
    const bool inside = resolve_index(at, p.take.extent, p.take.mode);
    if (!inside) report_index(p.take.errors, p.take.where, given, p.take.axis, p.take.extent);
    index[k] = inside ? Slot(at) : ~Slot(0);
  }
  const auto region = [&](Slot at) { return at == ~Slot(0) ? 0 : int(at >> p.shift); };
  __syncthreads();
#pragma unroll
  for (int k = 0; k < each; ++k) {
    if (k * take_threads + threadIdx.x < left) rank[k] = atomicAdd(&count[region(index[k])], 1u);
  }
  __syncthreads();
  if (threadIdx.x < take_regions)
    start_regions(count, p.starts + i64(blockIdx.x) * (take_regions + 1));
  __syncthreads();
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const i64 i = k * take_threads + threadIdx.x;
    if (i >= left) break;
    const u32 place = count[region(index[k])] + rank[k];
    sorted[place] = index[k];
    p.places[base + i] = u16(place);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const i64 i = k * take_threads + threadIdx.x;
    if (i < left) static_cast<Slot*>(p.slots)[base + i] = sorted[i];
  }
}

// Formula: slot = array[slot].
// Threads: a warp a region of a tile, all tiles of a region one after the other.
// Bytes: the slots twice, the array once.
// Bound: sectors of the second-level cache.
template <class Word>
__global__ void __launch_bounds__(take_threads)
    take_read(const __grid_constant__ region_parameters p) {
  using Slot = typename slot_of<Word>::type;
  using W = word_of<int(sizeof(Word))>;
  constexpr int unroll = 4;
  if (*p.scattered == 0) return;
  const i64 warp = (i64(blockIdx.x) * take_threads + threadIdx.x) / 32;
  const i64 region = warp / p.tiles, tile = warp - region * p.tiles;
  if (region >= take_regions) return;
  const u16* const starts = p.starts + tile * (take_regions + 1) + region;
  Slot* const slots = static_cast<Slot*>(p.slots) + tile * take_tile<Slot>;
  const int end = starts[1];
#pragma unroll 1
  for (int first = starts[0] + int(threadIdx.x % 32); first < end; first += unroll * 32) {
    Slot at[unroll];
    Word x[unroll];
#pragma unroll
    for (int k = 0; k < unroll; ++k) at[k] = first + k * 32 < end ? slots[first + k * 32] : 0;
#pragma unroll
    for (int k = 0; k < unroll; ++k) {
      const bool inside = first + k * 32 < end && at[k] != ~Slot(0);
      x[k] = inside ? __builtin_bit_cast(Word, __ldg(reinterpret_cast<const W*>(
                                                   p.take.array + i64(at[k]) * p.take.step)))
                    : Word{};
    }
#pragma unroll
    for (int k = 0; k < unroll; ++k) {
      if (first + k * 32 < end) slots[first + k * 32] = Slot(x[k]);
    }
  }
}

// Formula: packed[i] = slots[places[i]] within each tile.
// Threads: take_tile / take_threads elements each.
// Bytes: slots, places and the result once.
// Bound: memory bandwidth.
template <class Word>
__global__ void __launch_bounds__(take_threads)
    take_merge(const __grid_constant__ region_parameters p) {
  using Slot = typename slot_of<Word>::type;
  constexpr int each = take_tile<Slot> / take_threads;
  __shared__ Slot slots[take_tile<Slot>];
  if (*p.scattered == 0) return;
  const i64 base = i64(blockIdx.x) * take_tile<Slot>, left = p.take.n - base;
  u16 place[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const i64 i = k * take_threads + threadIdx.x;
    if (i >= left) break;
    slots[i] = __ldcs(static_cast<const Slot*>(p.slots) + base + i);
    place[k] = __ldcs(p.places + base + i);
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const i64 i = k * take_threads + threadIdx.x;
    if (i < left)
      store_one<Word>(p.take.packed + (base + i) * i64(sizeof(Word)), Word(slots[place[k]]));
  }
}

}  // namespace numwarp::kernels
