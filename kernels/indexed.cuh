// Gather and scatter by arrays of indices.
#pragma once

#include <numwarp/core/indexed_layout.hpp>

#include "elementwise.cuh"

namespace numwarp::kernels {

// An integer of any type, or a bool. uint64 beyond int64 wraps, as NumPy's conversion does.
NW_DEVICE i64 load_index(const char* at, i32 type) {
  switch (dtype(type)) {
    case dtype::int8:
      return load_one<signed char>(at);
    case dtype::int16:
      return load_one<short>(at);
    case dtype::int32:
      return load_one<int>(at);
    case dtype::uint16:
      return load_one<u16>(at);
    case dtype::uint32:
      return load_one<u32>(at);
    case dtype::int64:
    case dtype::uint64:
      return load_one<i64>(at);
    default:
      return load_one<u8>(at);
  }
}

static __device__ __noinline__ i64 wrap_index(i64 i, i64 extent) {
  i %= extent;
  return i < 0 ? i + extent : i;
}

// i becomes one of [0, extent); false where it is out of bounds and the mode is raise.
NW_DEVICE bool resolve_index(i64& i, i64 extent, index_mode mode) {
  if (u64(i) < u64(extent)) return true;
  if (mode == index_mode::clip) {
    i = i < 0 ? 0 : extent - 1;
  } else if (mode == index_mode::wrap) {
    i = wrap_index(i, extent);
  } else {
    i += i < 0 ? extent : 0;
    return u64(i) < u64(extent);
  }
  return true;
}

// As report_error, with what the index was checked against.
NW_DEVICE void report_index(error_record* r, u64 where, i64 index, i32 axis, i64 extent) {
  if (!r || atomicCAS(&r->code, 0u, u32(error_code::index_out_of_range)) != 0) return;
  r->where = where;
  r->value = index;
  r->axis = u32(axis);
  r->size = extent;
}

// What row `row` of the index space chooses: bytes, and its slot and number.
struct chosen_place {
  i64 array = 0, packed = 0, slot = 0, number = 0;
  bool inside = true;
};
// L: room for the lists, in registers where they are few.
template <int L> NW_DEVICE chosen_place find_place(const indexed_parameters& p, i64 row) {
  constexpr int unrolled = L > 2 ? 1 : L;
  chosen_place at;
  i64 offsets[L] = {};
#pragma unroll 1
  for (int d = p.rank - 1; d >= 0; --d) {
    const i64 rest = d > 0 ? divide_index(row, p.shape[d]) : 0;
    const i64 i = row - rest * p.shape[d];
    row = rest;
    at.array += i * p.array_strides[d];
    at.packed += i * p.packed_strides[d];
    at.slot += i * p.slot_strides[d];
    at.number += i * p.number_strides[d];
#pragma unroll unrolled
    for (int k = 0; k < L; ++k) {
      if (k < p.lists) offsets[k] += i * p.list[k].strides[d];
    }
  }
#pragma unroll unrolled
  for (int k = 0; k < L; ++k) {
    if (k >= p.lists) break;
    const index_list_parameters& l = p.list[k];
    const i64 given = load_index(l.data + offsets[k], l.type);
    i64 i = given;
    if (!resolve_index(i, l.extent, p.mode)) {
      if (at.inside) report_index(p.errors, p.where, given, l.axis, l.extent);
      at.inside = false;
      i = 0;
    }
    at.array += i * l.step;
    at.slot += i * l.slot_step;
  }
  return at;
}

NW_DEVICE bool is_stored(const indexed_parameters& p, const chosen_place& at) {
  if (!at.inside) return false;
  if (p.owner) return p.owner[at.slot] == u32(at.number) + 1;
  return !p.keep || p.keep[at.number] != 0;
}

// The word at `column` bytes into a row of constants.
template <class Word> NW_DEVICE Word constant_word(const indexed_parameters& p, i64 column) {
  return load_one<Word>(reinterpret_cast<const char*>(p.constant) + column % 16);
}

// Formula: packed[row] = array[place chosen by row], or the reverse.
// Threads: one word of a row each, so that neighbours share a row's indices and move it together.
// Bytes: the chosen rows twice, the indices once (neighbours find them in cache).
// Bound: memory bandwidth; sectors of 32 bytes where rows are shorter.
template <class Word, bool Scatter, int L>
__global__ void __launch_bounds__(256) indexed_rows(const __grid_constant__ indexed_parameters p) {
  if (Scatter && p.bad && *p.bad != 0) return;
  const i64 w = i64(blockIdx.x) * 256 + threadIdx.x;
  if (w >= p.rows * p.words) return;
  const i64 row = p.words == 1 ? w : divide_index(w, p.words);
  const i64 column = (w - row * p.words) * i64(sizeof(Word));
  const chosen_place at = find_place<L>(p, row);
  if constexpr (Scatter) {
    if (!is_stored(p, at)) return;
    store_one<Word>(p.array + at.array + column, p.packed
                                                     ? load_one<Word>(p.packed + at.packed + column)
                                                     : constant_word<Word>(p, column));
  } else {
    store_one<Word>(p.packed + at.packed + column,
                    at.inside ? load_one<Word>(p.array + at.array + column) : Word{});
  }
}

// Formula: every index is checked; owner[slot] = the largest number of its choices, plus one; or
//   slots and numbers are written down.
// Threads: one choice each.
// Bytes: the indices once, and a sector of `owner` a choice.
// Bound: atomics in the second-level cache.
template <int L>
__global__ void __launch_bounds__(256) indexed_claim(const __grid_constant__ indexed_parameters p) {
  const i64 row = i64(blockIdx.x) * 256 + threadIdx.x;
  if (row >= p.rows) return;
  const chosen_place at = find_place<L>(p, row);
  if (!at.inside) {
    if (p.bad) *p.bad = 1;
  } else if (p.owner) {
    atomicMax(&p.owner[at.slot], u32(at.number) + 1);
  }
  if (p.slots) {
    p.slots[row] = u64(at.slot);
    p.numbers[row] = row;
  }
}

// Formula: keep[number] = 1 for the last choice of each slot; the others stay 0.
// Threads: one choice each.
// Bytes: slots and numbers once.
// Bound: memory bandwidth.
static __global__ void __launch_bounds__(256) keep_last(const __grid_constant__ keep_parameters p) {
  const sorted_choices& s = p.sorted;
  const i64 i = i64(blockIdx.x) * 256 + threadIdx.x;
  if (i >= s.n) return;
  if (i + 1 == s.n || s.slots[i] != s.slots[i + 1]) p.keep[s.numbers[i]] = 1;
}

// An index that is read once, past the first-level cache.
template <class Index> NW_DEVICE i64 stream_index(const char* at) {
  return i64(__ldcs(reinterpret_cast<const Index*>(at)));
}

// Formula: packed[i] = array[indices[i]] for elements (or rows) of one word.
// Threads: take_unroll elements each, 256 apart: all index loads of a thread are in flight at once,
//   then all its element loads.
// Bytes: the indices, a sector of 32 bytes an element, the result.
// Bound: memory sectors, where indices are random.
template <class Word, class Index>
__global__ void __launch_bounds__(256) take_elements(const __grid_constant__ take_parameters p) {
  using W = word_of<int(sizeof(Word))>;
  if (p.elsewhere && *p.elsewhere != 0) return;
  const i64 first = i64(blockIdx.x) * (256 * take_unroll) + threadIdx.x;
  i64 at[take_unroll];
  bool inside[take_unroll];
#pragma unroll
  for (int k = 0; k < take_unroll; ++k) {
    const i64 i = first + k * 256;
    at[k] = i < p.n ? stream_index<Index>(p.indices + i * i64(sizeof(Index))) : 0;
  }
#pragma unroll
  for (int k = 0; k < take_unroll; ++k) {
    const i64 given = at[k];
    inside[k] = first + k * 256 < p.n && resolve_index(at[k], p.extent, p.mode);
    if (!inside[k] && first + k * 256 < p.n)
      report_index(p.errors, p.where, given, p.axis, p.extent);
  }
  W x[take_unroll];
#pragma unroll
  for (int k = 0; k < take_unroll; ++k) {
    x[k] = inside[k] ? __ldg(reinterpret_cast<const W*>(p.array + at[k] * p.step)) : W{};
  }
#pragma unroll
  for (int k = 0; k < take_unroll; ++k) {
    const i64 i = first + k * 256;
    if (i < p.n) __stcs(reinterpret_cast<W*>(p.packed) + i, x[k]);
  }
}

}  // namespace numwarp::kernels
