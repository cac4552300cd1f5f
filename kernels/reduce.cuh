// out[o] = reduction over r of f(inputs)[o, r]. R is a reducer of core/reduce_ops.hpp for elements
// of type T, F a functor that makes one T of its inputs. The order in which elements are joined
// depends on shapes and strides alone: no atomics.
#pragma once

#include <numwarp/core/complex_math.hpp>
#include <numwarp/core/reduce_ops.hpp>

#include "collective.cuh"
#include "reduce_places.cuh"

namespace numwarp::kernels {

// The values of R that carry moments take in elements in groups.
template <class A> inline constexpr bool is_moments = false;
template <class M> inline constexpr bool is_moments<reduce::moments<M>> = true;

// The values of R that carry the best element and where it is.
template <class A> inline constexpr bool is_best = false;
template <class T> inline constexpr bool is_best<reduce::best_of<T>> = true;

// Vectors in flight a thread, so that memory stays busy: at most 32 elements of an input along the
// fastest axis, 16 across it, where each has an accumulator of its own. Groups of moments share a
// division.
template <class R, int V, bool Columns>
inline constexpr int most_in_flight = is_moments<typename R::acc> ? (V >= 4 ? 4 : 8)
                                      : Columns                   ? (V >= 8 ? 2 : 4)
                                                                  : (V >= 8 ? 4 : 8);
template <class R, int V, bool Columns, int Inputs>
inline constexpr int vectors_in_flight =
    Inputs < 2                                ? most_in_flight<R, V, Columns>
    : most_in_flight<R, V, Columns> >= Inputs ? most_in_flight<R, V, Columns> / Inputs
                                              : 1;

// Takes in n of x[0, N). Moments are taken about the mean of the group (two passes in registers)
// and joined once.
template <class R, class T, int N>
NW_DEVICE typename R::acc add_moments(typename R::acc a, const T (&x)[N], int n) {
  using M = typename R::mean_type;
  M total{};
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (k < n) total = math::add(total, cast<M>(x[k]));
  }
  const M centre = math::divide(total, cast<M>(double(n)));
  double m2 = 0;
#pragma unroll
  for (int k = 0; k < N; ++k) {
    if (k < n) m2 += reduce::norm2(math::subtract(cast<M>(x[k]), centre));
  }
  return R::merge(a, {double(n), centre, m2});
}

// Takes in x, whose indices index(0) < index(1) < .. lie behind all that `a` has seen. Most groups
// hold nothing better than `a`, which their extremum tells; only the others look for the place.
template <class R, class T, int N, class F>
NW_DEVICE typename R::acc add_best(typename R::acc a, const T (&x)[N], const F& index) {
  using extremum = typename R::template extremum<T>;
  T best = x[0];
#pragma unroll
  for (int k = 1; k < N; ++k) best = extremum::add(best, x[k], 0);
  if (R::replaces(a, {best, highest<i64>()})) {
#pragma unroll
    for (int k = N - 1; k >= 0; --k) {
      if (R::same(x[k], best)) a = {x[k], index(k)};
    }
  }
  return a;
}

// A lane whose one output is kept apart.
template <class In, class Out> struct reduced_lane {
  const In& inputs;
  Out& outputs;
  int j;
  i64 first_index;
  const u64* constants;
  const reduction_header& h;

  template <int K> NW_DEVICE auto in() const { return pack<K>(inputs).e[j]; }
  template <int K, class U> NW_DEVICE void out(U x) const { pack<K>(outputs).e[0] = x; }
  template <class U, int Slot> NW_DEVICE U constant() const {
    return immediate_value<U>(constants + Slot);
  }
  NW_DEVICE i64 index() const { return first_index + j; }
  NW_DEVICE void report(error_code code, i64 value) const {
    report_error(h.errors, h.where, code, value);
  }
};

// The value that F makes of lane j.
template <class F, class In>
NW_DEVICE auto value_of(const In& in, int j, i64 index, const u64* constants,
                        const reduction_header& h) {
  using Out = packs<1, typename F::outputs>;
  Out out;
  F::run(reduced_lane<In, Out>{in, out, j, index, constants, h});
  return pack<0>(out).e[0];
}

// U whole vectors of reduced elements, the first at r, `step` elements apart.
template <class R, class F, class T, int V, int U, class In>
NW_DEVICE void take_vectors(typename R::acc (&a)[V], const In (&in)[U], i64 base, i64 r, i64 step,
                            const u64* constants, const reduction_header& h) {
  T x[U * V];
#pragma unroll
  for (int k = 0; k < U * V; ++k) {
    x[k] = value_of<F>(in[k / V], k % V, base + r + (k / V) * step, constants, h);
  }
  if constexpr (is_moments<typename R::acc>) {
    a[0] = add_moments<R, T, U * V>(a[0], x, U * V);
  } else if constexpr (is_best<typename R::acc>) {
    a[0] = add_best<R>(a[0], x, [&](int k) { return r + (k / V) * step + k % V; });
  } else {
#pragma unroll
    for (int k = 0; k < U * V; ++k) a[k % V] = R::add(a[k % V], x[k], r + (k / V) * step + k % V);
  }
}

// Up to four reduced elements `step` apart from r, in any layout.
template <class R, class F, class T, class P, int N>
NW_DEVICE typename R::acc take_elements(typename R::acc a, const P& p, const i64 (&kept)[N],
                                        i64 base, i64 r, i64 step, i64 end) {
  using In = packs<1, typename F::inputs>;
  T x[4];
  int n = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (r + k * step >= end) break;
    In in;
    load_any_list(p.operands, p.head, kept, r + k * step, 1, in);
    x[k] = value_of<F>(in, 0, base + r + k * step, p.constants, p.head);
    n = k + 1;
  }
  if constexpr (is_moments<typename R::acc>) {
    return add_moments<R, T, 4>(a, x, n);
  } else {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (k < n) a = R::add(a, x[k], r + k * step);
    }
    return a;
  }
}

// One vector of columns at each of U rows, the first at r, `step` rows apart.
template <class R, class F, class T, int V, int U, class In>
NW_DEVICE void take_rows(typename R::acc (&a)[V], const In (&in)[U], i64 r, i64 step,
                         const u64* constants, const reduction_header& h) {
#pragma unroll
  for (int j = 0; j < V; ++j) {
    T x[U];
#pragma unroll
    for (int u = 0; u < U; ++u) x[u] = value_of<F>(in[u], j, 0, constants, h);
    if constexpr (is_moments<typename R::acc>) {
      a[j] = add_moments<R, T, U>(a[j], x, U);
    } else if constexpr (is_best<typename R::acc>) {
      a[j] = add_best<R>(a[j], x, [&](int u) { return r + u * step; });
    } else {
#pragma unroll
      for (int u = 0; u < U; ++u) a[j] = R::add(a[j], x[u], r + u * step);
    }
  }
}

// Formula: as above, for reduced axes that lie closer together in memory than the kept ones.
// Threads: `group` threads share a segment (one kept index), each taking every group-th vector of V
//   reduced elements, and every group-th element of what is left or of other layouts; a block of
//   256 has 256 / group segments, and block b is split b % splits of the reduced space. Splits take
//   chunks of vectors in turn, so that blocks that run together read close together; elements of
//   other layouts they take as one run each. Lanes, threads and warps are joined in that order.
// Bytes: each input element once; one result a segment and split.
// Bound: memory bandwidth.
template <class R, class F, int V, class P>
__global__ void __launch_bounds__(256) reduce_rows(const __grid_constant__ P p) {
  using A = typename R::acc;
  using T = type_in_t<0, typename F::outputs>;
  using In = packs<V, typename F::inputs>;
  constexpr int inputs = F::inputs::count, U = vectors_in_flight<R, V, false, inputs>;
  __shared__ alignas(16) char shared[8 * sizeof(A)];
  const reduction_header& h = p.head;
  const u32 block = blockIdx.x / h.splits, split = blockIdx.x - block * h.splits;
  const i64 o = i64(block) * (blockDim.x / h.group) + threadIdx.x / h.group;
  const i64 step = i64(h.group) * V, chunk = U * step, count = o < h.outer ? h.count : 0;
  i64 kept[inputs > 0 ? inputs : 1];
  kept_offsets(kept, p.operands, h, o < h.outer ? o : 0);

  A a[V];
#pragma unroll
  for (int j = 0; j < V; ++j) a[j] = R::start();
  const i64 lane_of_group = threadIdx.x % h.group;
  i64 r = i64(split) * h.split_length;
  i64 end = r + h.split_length < count ? r + h.split_length : count;
  if (h.fast) {
    const i64 chunks = divide_index(count, chunk);
    for (r = split * chunk; r < chunks * chunk; r += h.splits * chunk) {
      In in[U];
#pragma unroll
      for (int u = 0; u < U; ++u)
        load_fast_list(p.operands, h, kept, r + lane_of_group * V + u * step, in[u]);
      take_vectors<R, F, T, V, U>(a, in, o * h.count, r + lane_of_group * V, step, p.constants, h);
    }
    r = chunks * chunk;  // what is left is the next split's
    end = chunks % h.splits == split ? count : r;
    for (; r + step <= end; r += step) {
      In in[1];
      load_fast_list(p.operands, h, kept, r + lane_of_group * V, in[0]);
      take_vectors<R, F, T, V, 1>(a, in, o * h.count, r + lane_of_group * V, step, p.constants, h);
    }
  }
  for (r += lane_of_group; r < end; r += 4 * i64(h.group)) {
    a[0] = take_elements<R, F, T>(a[0], p, kept, o * h.count, r, h.group, end);
  }
#pragma unroll
  for (int width = V / 2; width > 0; width /= 2) {
#pragma unroll
    for (int j = 0; j < width; ++j) a[j] = R::merge(a[j], a[j + width]);
  }
  const A all = join_group<R>(a[0], h.group, reinterpret_cast<A*>(shared));
  if (o < h.outer && threadIdx.x % h.group == 0) store_split<R, T>(h, all, o, split);
}

// Formula: as above, for kept axes that lie closer together in memory than the reduced ones.
// Threads: a block is blockDim.x vectors of V adjacent columns (kept elements) by blockDim.y rows
//   (reduced elements): a warp reads along the kept axis. Each thread takes every blockDim.y-th row
//   of its split; the rows of a block are joined through shared memory as a tree.
// Bytes: each input element once; one result a column and split.
// Bound: memory bandwidth.
template <class R, class F, int V, class P>
__global__ void __launch_bounds__(256) reduce_columns(const __grid_constant__ P p) {
  using A = typename R::acc;
  using T = type_in_t<0, typename F::outputs>;
  using In = packs<V, typename F::inputs>;
  constexpr int inputs = F::inputs::count, U = vectors_in_flight<R, V, true, inputs>;
  __shared__ alignas(16) char memory[256 * sizeof(A)];
  A* shared = reinterpret_cast<A*>(memory);
  const reduction_header& h = p.head;
  const u32 split = blockIdx.x / h.column_blocks, block = blockIdx.x - split * h.column_blocks;
  const i64 vectors = (h.kept_inner + V - 1) / V, q = i64(block) * blockDim.x + threadIdx.x;
  const i64 line = divide_index(q, vectors), first = (q - line * vectors) * V;
  const i64 o = line * h.kept_inner + first;
  const int n = o >= h.outer ? 0 : int(h.kept_inner - first < V ? h.kept_inner - first : i64(V));
  const i64 begin = i64(split) * h.split_length;
  i64 end = begin + h.split_length < h.count ? begin + h.split_length : h.count;
  if (n == 0) end = begin;
  i64 kept[inputs > 0 ? inputs : 1];
  kept_offsets(kept, p.operands, h, n > 0 ? o : 0);

  A a[V];
#pragma unroll
  for (int j = 0; j < V; ++j) a[j] = R::start();
  i64 r = begin + threadIdx.y;
  const i64 step = blockDim.y;
  if (h.fast && n == V) {
    for (; r + (U - 1) * step < end; r += U * step) {
      In in[U];
#pragma unroll
      for (int u = 0; u < U; ++u) load_fast_list(p.operands, h, kept, r + u * step, in[u]);
      take_rows<R, F, T, V, U>(a, in, r, step, p.constants, h);
    }
  }
  for (; r < end; r += step) {
    In in[1];
    load_any_list(p.operands, h, kept, r, n, in[0]);
    take_rows<R, F, T, V, 1>(a, in, r, step, p.constants, h);
  }
  const u32 thread = threadIdx.y * blockDim.x + threadIdx.x;
#pragma unroll
  for (int j = 0; j < V; ++j) {
    shared[thread] = a[j];
    __syncthreads();
#pragma unroll 1
    for (u32 half = blockDim.y / 2; half > 0; half /= 2) {
      if (threadIdx.y < half)
        shared[thread] = R::merge(shared[thread], shared[thread + half * blockDim.x]);
      __syncthreads();
    }
    if (threadIdx.y == 0 && j < n) store_split<R, T>(h, shared[thread], o + j, split);
    __syncthreads();
  }
}

// Formula: the partial results of one kept index joined, and finished.
// Threads: `group` threads a result, each taking every group-th split.
// Bytes: each partial result once.
// Bound: the launch; partial results are few beside the elements.
template <class R, class T>
__global__ void __launch_bounds__(256) reduce_merge(const __grid_constant__ reduction_header h) {
  using A = typename R::acc;
  __shared__ alignas(16) char shared[8 * sizeof(A)];
  const i64 o = i64(blockIdx.x) * (blockDim.x / h.group) + threadIdx.x / h.group;
  A a = R::start();
  if (o < h.outer) {
    const A* from = reinterpret_cast<const A*>(h.partial) + o * h.partial_outer;
    for (u32 s = threadIdx.x % h.group; s < h.splits; s += h.group) {
      a = R::merge(a, from[i64(s) * h.partial_split]);
    }
  }
  a = join_group<R>(a, h.group, reinterpret_cast<A*>(shared));
  if (o < h.outer && threadIdx.x % h.group == 0) store_result<R, T>(h, a, o);
}

}  // namespace numwarp::kernels
