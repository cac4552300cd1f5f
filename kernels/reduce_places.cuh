// Where the elements of a reduction lie, and where its results go.
#pragma once

#include "elementwise.cuh"

namespace numwarp::kernels {

// Byte offsets of a kept index in each operand.
template <int N>
NW_DEVICE void kept_offsets(i64 (&at)[N], const reduced_operand* o, const reduction_header& h,
                            i64 index) {
  const i64 rest = h.kept_rank == 0 ? 0 : divide_index(index, h.kept_inner);
  const i64 inner = index - rest * h.kept_inner;
#pragma unroll
  for (int k = 0; k < N; ++k) at[k] = inner * o[k].kept_inner;
  add_outer(at, o, rest, h.shape, 0, h.kept_rank);
}

// Byte offset of a reduced index. Not inlined: the plain cases below do without.
static __device__ __noinline__ i64 reduced_offset_any(const reduced_operand& o,
                                                      const reduction_header& h, i64 r) {
  const i64 rest = h.reduced_rank == 0 ? 0 : divide_index(r, h.reduced_inner);
  i64 at[1] = {(r - rest * h.reduced_inner) * o.reduced_inner};
  add_outer(at, &o, rest, h.shape, h.kept_rank, h.reduced_rank);
  return at[0];
}
// For at most one axis beside the last.
NW_DEVICE i64 reduced_offset_fast(const reduced_operand& o, const reduction_header& h, i64 r) {
  if (h.reduced_rank == 0) return r * o.reduced_inner;
  const i64 rest = divide_index(r, h.reduced_inner);
  return (r - rest * h.reduced_inner) * o.reduced_inner + rest * o.outer[h.kept_rank];
}

template <class T, int V> NW_DEVICE vec<T, V> repeated(T value) {
  vec<T, V> x;
#pragma unroll
  for (int j = 0; j < V; ++j) x.e[j] = value;
  return x;
}

// A whole vector at reduced index r, in launches whose header says `fast`.
template <class T, int V>
NW_DEVICE vec<T, V> load_fast(const reduced_operand& o, const reduction_header& h, i64 kept,
                              i64 r) {
  if (o.mode == walk::immediate) return repeated<T, V>(immediate_value<T>(&o));
  const char* at = o.data + kept + reduced_offset_fast(o, h, r);
  return o.mode == walk::same ? repeated<T, V>(load_one<T>(at)) : load_vector<T, V>(at);
}

// The first n of V adjacent columns at reduced index r, in any layout. Lanes from n on repeat the
// first.
template <class T, int V>
NW_DEVICE vec<T, V> load_any(const reduced_operand& o, const reduction_header& h, i64 kept, i64 r,
                             int n) {
  if (o.mode == walk::immediate) return repeated<T, V>(immediate_value<T>(&o));
  const char* at = o.data + kept + reduced_offset_any(o, h, r);
  vec<T, V> x;
#pragma unroll
  for (int j = 0; j < V; ++j) x.e[j] = load_one<T>(at + (j < n ? j * o.kept_inner : 0));
  return x;
}

template <int V>
NW_DEVICE void load_fast_list(const reduced_operand*, const reduction_header&, const i64*, i64,
                              packs<V, types<>>&) {}
template <int V, class H, class... Rest>
NW_DEVICE void load_fast_list(const reduced_operand* o, const reduction_header& h, const i64* kept,
                              i64 r, packs<V, types<H, Rest...>>& x) {
  x.head = load_fast<H, V>(*o, h, *kept, r);
  load_fast_list(o + 1, h, kept + 1, r, x.rest);
}
template <int V>
NW_DEVICE void load_any_list(const reduced_operand*, const reduction_header&, const i64*, i64, int,
                             packs<V, types<>>&) {}
template <int V, class H, class... Rest>
NW_DEVICE void load_any_list(const reduced_operand* o, const reduction_header& h, const i64* kept,
                             i64 r, int n, packs<V, types<H, Rest...>>& x) {
  x.head = load_any<H, V>(*o, h, *kept, r, n);
  load_any_list(o + 1, h, kept + 1, r, n, x.rest);
}

// Where a result is written, treated as an operand so that it shares the walk over the axes.
struct result_strides {
  const i64* outer;
};

// Finishes the accumulator of kept index o, converts and stores it. Not inlined: it is long, and
// runs once a result.
template <class R, class T>
__device__ __noinline__ void store_result(const reduction_header& h, typename R::acc a, i64 o) {
  if (h.has_initial) a = R::add(a, immediate_value<T>(h.initial), 0);
  const i64 rest = h.kept_rank == 0 ? 0 : divide_index(o, h.kept_inner);
  i64 at[1] = {(o - rest * h.kept_inner) * h.out_inner};
  const result_strides strides{h.out_outer};
  add_outer(at, &strides, rest, h.shape, 0, h.kept_rank);
  store_as(h.out + at[0], h.out_type, R::finish(a, h.count, h.ddof));
}
// The same, or a partial result where the reduced space is split.
template <class R, class T>
NW_DEVICE void store_split(const reduction_header& h, typename R::acc a, i64 o, u32 s) {
  using A = typename R::acc;
  if (h.splits == 1) return store_result<R, T>(h, a, o);
  reinterpret_cast<A*>(h.partial)[o * h.partial_outer + i64(s) * h.partial_split] = a;
}

}  // namespace numwarp::kernels
