// What a functor sees of its operands. A functor names the types it reads and makes,
//   using inputs = types<float, int>;  using outputs = types<float>;
// and computes one element from a lane: run(x) calls x.in<K>(), x.constant<T, K>(), x.index() and
// x.out<K>(value). The same functor runs in elementwise kernels and as the loader of reductions.
#pragma once

#include "vector.cuh"

namespace numwarp::kernels {

template <class... T> struct types { static constexpr int count = int(sizeof...(T)); };

template <int K, class List> struct type_in;
template <int K, class H, class... R>
struct type_in<K, types<H, R...>> : type_in<K - 1, types<R...>> {};
template <class H, class... R> struct type_in<0, types<H, R...>> { using type = H; };
template <int K, class List> using type_in_t = typename type_in<K, List>::type;

// One vector of V elements for each type of a list.
template <int V, class List> struct packs;
template <int V> struct packs<V, types<>> {};
template <int V, class H, class... R> struct packs<V, types<H, R...>> {
  vec<H, V> head;
  packs<V, types<R...>> rest;
};
template <int K, class P> NW_DEVICE auto& pack(P& p) {
  if constexpr (K == 0) {
    return p.head;
  } else {
    return pack<K - 1>(p.rest);
  }
}

// Element `j` of the vectors that a thread holds.
template <class In, class Out> struct lane {
  const In& inputs;
  Out& outputs;
  int j;
  i64 first_index;
  const u64* constants;
  error_record* errors;
  u64 where;

  template <int K> NW_DEVICE auto in() const { return pack<K>(inputs).e[j]; }
  template <int K, class T> NW_DEVICE void out(T x) const { pack<K>(outputs).e[j] = x; }
  template <class T, int Slot> NW_DEVICE T constant() const {
    return immediate_value<T>(constants + Slot);
  }
  NW_DEVICE i64 index() const { return first_index + j; }
  NW_DEVICE void report(error_code code, i64 value) const {
    report_error(errors, where, code, value);
  }
};

}  // namespace numwarp::kernels
