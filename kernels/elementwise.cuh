// out = f(inputs), element by element.
#pragma once

#include "lanes.cuh"

namespace numwarp::kernels {

// 64-bit division is a hundred instructions and not inlined, 32-bit division some twenty.
static __device__ __noinline__ i64 divide_wide(i64 a, i64 b) { return a / b; }
NW_DEVICE i64 divide_index(i64 a, i64 b) {
  return (a | b) >> 32 ? divide_wide(a, b) : i64(u32(a) / u32(b));
}

// Adds to each operand's offset what an index over the axes [first, first + rank) of `shape` is
// worth. A loop and not unrolled: all operands share one division an axis, and code stays short.
template <int N, class Operand>
NW_DEVICE void add_outer(i64 (&offsets)[N], const Operand* o, i64 index, const i64* shape,
                         int first, int rank) {
#pragma unroll 1
  for (int d = first + rank - 1; d >= first; --d) {
    const i64 rest = d > first ? divide_index(index, shape[d]) : 0;
    const i64 at = index - rest * shape[d];
    index = rest;
#pragma unroll
    for (int k = 0; k < N; ++k) offsets[k] += at * o[k].outer[d];
  }
}

// Elements [i, i + n) of the row that starts at `row`, n <= V. Lanes past n repeat the first
// element: they are computed and not stored.
template <class T, int V>
NW_DEVICE vec<T, V> load_lanes(const operand& o, const char* row, i64 i, int n) {
  if (o.mode == walk::vector && n == V) return load_vector<T, V>(row + i * int(sizeof(T)));
  vec<T, V> x;
  if (o.mode == walk::immediate || o.mode == walk::same) {
    const T value = o.mode == walk::immediate ? immediate_value<T>(&o) : load_one<T>(row);
#pragma unroll
    for (int j = 0; j < V; ++j) x.e[j] = value;
    return x;
  }
  const char* at = row + i * o.inner;
#pragma unroll
  for (int j = 0; j < V; ++j) x.e[j] = load_one<T>(at + (j < n ? j * o.inner : 0));
  return x;
}

template <class T, int V>
NW_DEVICE void store_lanes(const operand& o, char* row, i64 i, int n, const vec<T, V>& x) {
  if (o.mode == walk::vector && n == V) return store_vector(row + i * int(sizeof(T)), x);
  char* at = row + i * o.inner;
#pragma unroll
  for (int j = 0; j < V; ++j) {
    if (j < n) store_one(at + j * o.inner, x.e[j]);
  }
}

template <int V>
NW_DEVICE void load_list(const operand*, const i64*, i64, int, packs<V, types<>>&) {}
template <int V, class H, class... R>
NW_DEVICE void load_list(const operand* o, const i64* row, i64 i, int n,
                         packs<V, types<H, R...>>& x) {
  x.head = load_lanes<H, V>(*o, o->data + *row, i, n);
  load_list(o + 1, row + 1, i, n, x.rest);
}
template <int V>
NW_DEVICE void store_list(const operand*, const i64*, i64, int, const packs<V, types<>>&) {}
template <int V, class H, class... R>
NW_DEVICE void store_list(const operand* o, const i64* row, i64 i, int n,
                          const packs<V, types<H, R...>>& x) {
  store_lanes<H, V>(*o, o->data + *row, i, n, x.head);
  store_list(o + 1, row + 1, i, n, x.rest);
}

// The thread's row and its first vector in it; false outside.
struct spot {
  i64 row, vector;
};
NW_DEVICE spot spot_of(const launch_header& h) {
  const u32 group = h.chunks.quotient(blockIdx.x), chunk = blockIdx.x - group * h.chunks.by;
  return {i64(group) * blockDim.y + threadIdx.y, i64(chunk) * blockDim.x + threadIdx.x};
}

// Formula: F, element by element, on operands of F's own types.
// Threads: a block is blockDim.x vectors of V elements of a row by blockDim.y rows; blocks lie
//   `chunks` to a row, then row group by row group. One vector a thread: with full occupancy the
//   loads in flight cover the latency of memory, and there is no loop to pay for in small launches.
// Bytes: each element of each operand once; rows that several others share come from cache.
// Bound: memory bandwidth for cheap ops, arithmetic for transcendental ones.
template <class F, int V, class P>
__global__ void __launch_bounds__(256) elementwise_rows(const __grid_constant__ P p) {
  constexpr int operands = F::inputs::count + F::outputs::count;
  const launch_header& h = p.head;
  const spot at = spot_of(h);
  const i64 i = at.vector * V;
  if (i >= h.inner || at.row >= h.rows) return;
  const int n = int(h.inner - i < V ? h.inner - i : i64(V));
  i64 rows[operands] = {};
  add_outer(rows, p.operands, at.row, h.shape, 0, h.outer_rank);

  using In = packs<V, typename F::inputs>;
  using Out = packs<V, typename F::outputs>;
  In in;
  Out out;
  load_list(p.operands, rows, i, n, in);
#pragma unroll
  for (int j = 0; j < V; ++j) {
    F::run(lane<In, Out>{in, out, j, h.index_base + at.row * h.inner + i, p.constants, h.errors,
                         h.where});
  }
  store_list(p.operands + F::inputs::count, rows + F::inputs::count, i, n, out);
}

template <class List> struct converting;
template <> struct converting<types<>> {
  static NW_DEVICE void load(const operand*, const i64*, i64, packs<1, types<>>&) {}
  static NW_DEVICE void store(const operand*, const i64*, i64, const packs<1, types<>>&) {}
};
template <class H, class... R> struct converting<types<H, R...>> {
  using list = packs<1, types<H, R...>>;
  static NW_DEVICE void load(const operand* o, const i64* row, i64 i, list& x) {
    x.head.e[0] = o->mode == walk::immediate ? immediate_value<H>(o)
                                             : load_as<H>(o->data + *row + i * o->inner, o->type);
    converting<types<R...>>::load(o + 1, row + 1, i, x.rest);
  }
  static NW_DEVICE void store(const operand* o, const i64* row, i64 i, const list& x) {
    store_as<H>(o->data + *row + i * o->inner, o->type, x.head.e[0]);
    converting<types<R...>>::store(o + 1, row + 1, i, x.rest);
  }
};

// Formula: F on operands of any dtypes, converted at the load and the store.
// Threads: as elementwise_rows with V = 1.
// Bytes: each element of each operand once.
// Bound: the instructions of the conversions; a fused kernel takes over where that matters.
template <class F, class P>
__global__ void __launch_bounds__(256) elementwise_converting(const __grid_constant__ P p) {
  constexpr int operands = F::inputs::count + F::outputs::count;
  const launch_header& h = p.head;
  const spot at = spot_of(h);
  if (at.vector >= h.inner || at.row >= h.rows) return;
  i64 rows[operands] = {};
  add_outer(rows, p.operands, at.row, h.shape, 0, h.outer_rank);
  using In = packs<1, typename F::inputs>;
  using Out = packs<1, typename F::outputs>;
  In in;
  Out out;
  converting<typename F::inputs>::load(p.operands, rows, at.vector, in);
  F::run(lane<In, Out>{in, out, 0, h.index_base + at.row * h.inner + at.vector, p.constants,
                       h.errors, h.where});
  converting<typename F::outputs>::store(p.operands + F::inputs::count, rows + F::inputs::count,
                                         at.vector, out);
}

}  // namespace numwarp::kernels
