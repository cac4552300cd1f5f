// ufunc.at: elements updated for one choice after the other.
#pragma once

#include <numwarp/core/ops.hpp>

#include "indexed.cuh"

namespace numwarp::kernels {

// Element e of a choice: bytes beyond its first one.
struct element_place {
  i64 array = 0, packed = 0;
};
static __device__ __noinline__ element_place element_of(const update_parameters& p, i64 e) {
  element_place at;
#pragma unroll 1
  for (int d = p.rank - 1; d >= 0; --d) {
    const i64 rest = d > 0 ? divide_index(e, p.shape[d]) : 0;
    const i64 i = e - rest * p.shape[d];
    e = rest;
    at.array += i * p.array_strides[d];
    at.packed += i * p.packed_strides[d];
  }
  return at;
}

// Not inlined: these kernels are many, and short but for this.
static __device__ __noinline__ chosen_place choice_at(const indexed_parameters& p, i64 number) {
  return find_place<max_index_lists>(p, number);
}

template <class T> NW_DEVICE T update_value(const update_parameters& p, i64 packed) {
  return load_one<T>(p.choices.packed ? p.choices.packed + packed
                                      : reinterpret_cast<const char*>(p.choices.constant));
}

// One more update of x by an op that computes in C; that of one operand has nothing in packed.
template <class Op, class T, class C>
NW_DEVICE T updated(const update_parameters& p, T x, i64 packed) {
  if constexpr (Op::arity == 1) {
    return cast<T>(Op::template call<C>(cast<C>(x)));
  } else {
    return cast<T>(Op::template call<C>(cast<C>(x), update_value<C>(p, packed)));
  }
}

// Formula: array[slot] = op(... op(array[slot], packed[first]) ..., packed[last]) over the choices
//   of a slot, in order.
// Threads: one element of a choice each; the first choice of a slot goes through all of them.
// Bytes: the chosen elements twice, the packed ones and the sorted choices once.
// Bound: memory sectors; latency where few slots have most of the choices.
template <class Op, class T, class C>
__global__ void __launch_bounds__(256) update_runs(const __grid_constant__ update_parameters p) {
  if (*p.choices.bad != 0) return;
  const i64 t = i64(blockIdx.x) * 256 + threadIdx.x;
  if (t >= p.sorted.n * p.each) return;
  i64 j = p.each == 1 ? t : divide_index(t, p.each);
  const element_place e = element_of(p, t - j * p.each);
  const u64 slot = p.sorted.slots[j];
  if (j > 0 && p.sorted.slots[j - 1] == slot) return;
  chosen_place at = choice_at(p.choices, p.sorted.numbers[j]);
  char* const to = p.choices.array + at.array + e.array;
  T x = load_one<T>(to);
  for (;;) {
    x = updated<Op, T, C>(p, x, at.packed + e.packed);
    if (++j == p.sorted.n || p.sorted.slots[j] != slot) break;
    at = choice_at(p.choices, p.sorted.numbers[j]);
  }
  store_one<T>(to, x);
}

template <class Op, class T> NW_DEVICE void update_atomically(T* at, T x) {
  if constexpr (Op::code == op_code::add) {
    atomicAdd(at, x);
  } else if constexpr (Op::code == op_code::maximum) {
    atomicMax(at, x);
  } else {
    atomicMin(at, x);
  }
}
// The type that the device's atomics know. Sums of signed integers wrap as unsigned ones.
template <class Op, class T> struct atomic_type { using type = T; };
template <class Op> struct atomic_type<Op, u64> { using type = unsigned long long; };
template <class Op> struct atomic_type<Op, i64> {
  using type = conditional_t<Op::code == op_code::add, unsigned long long, long long>;
};

// Formula: as update_runs, in any order.
// Threads: one element of a choice each.
// Bytes: the chosen elements twice, the packed ones and the indices once.
// Bound: atomics in the second-level cache.
template <class Op, class T>
__global__ void __launch_bounds__(256) update_atomic(const __grid_constant__ update_parameters p) {
  if (*p.choices.bad != 0) return;
  const i64 t = i64(blockIdx.x) * 256 + threadIdx.x;
  if (t >= p.sorted.n * p.each) return;
  const i64 j = p.each == 1 ? t : divide_index(t, p.each);
  const element_place e = element_of(p, t - j * p.each);
  const chosen_place at = choice_at(p.choices, j);
  using A = typename atomic_type<Op, T>::type;
  update_atomically<Op, A>(reinterpret_cast<A*>(p.choices.array + at.array + e.array),
                           A(update_value<T>(p, at.packed + e.packed)));
}

}  // namespace numwarp::kernels
