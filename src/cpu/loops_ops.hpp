// Instantiates the loops of the ops of one arity; included by loops_unary.cpp and its siblings.
#pragma once

#include <algorithm>
#include <numwarp/core/dtypes.hpp>
#include <type_traits>

#include "cpu/loops.hpp"
#include "cpu/vector_math.hpp"

namespace numwarp::cpu_backend {

template <class T, int K, class Op>
using argument = core::type_at<int(core::arg_dtype(Op::code, K, dtype(core::tag_of<T>)))>;

// Whether the formula is a libm function of float, for which there is a vector form.
template <class Op, class T>
inline constexpr bool in_whole_vectors = (std::is_same_v<T, float> || core::is_half<T>)&&(
    (Op::arity == 1 && std::is_base_of_v<core::rules::floating, typename Op::rule>) ||
    Op::code == core::op_code::power);

#define NW_DEFINE_LOOPS(name, attribute)                                                           \
  namespace name {                                                                                 \
  template <class Op, class T, class R, class... X>                                                \
  attribute __attribute__((noinline)) void whole_vectors(R* o, std::int64_t n, const X*... x) {    \
    NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) o[i] = Op::template call<T>(x[i]...);      \
  }                                                                                                \
  template <class Op, class T, class R, class... X>                                                \
  attribute void run_whole_vectors(R* o, std::int64_t n, const X*... x) {                          \
    const std::int64_t whole = n / vector_run * vector_run;                                        \
    whole_vectors<Op, T, R>(o, whole, x...);                                                       \
    if (whole == n) return;                                                                        \
    constexpr int inputs = sizeof...(X);                                                           \
    const T* const from[] = {x...};                                                                \
    T padded[2][vector_run];                                                                       \
    R result[vector_run];                                                                          \
    for (int j = 0; j < inputs; ++j) {                                                             \
      for (int k = 0; k < vector_run; ++k) padded[j][k] = from[j][std::min(whole + k, n - 1)];     \
    }                                                                                              \
    if constexpr (inputs == 1) {                                                                   \
      whole_vectors<Op, T, R>(result, vector_run, padded[0]);                                      \
    } else {                                                                                       \
      whole_vectors<Op, T, R>(result, vector_run, padded[0], padded[1]);                           \
    }                                                                                              \
    std::copy(result, result + (n - whole), o + whole);                                            \
  }                                                                                                \
  template <class Op, class T>                                                                     \
  attribute void run(void* out, const void* const* in, std::int64_t n) {                           \
    const auto* a = static_cast<const argument<T, 0, Op>*>(in[0]);                                 \
    if constexpr (in_whole_vectors<Op, T> && Op::arity == 1) {                                     \
      using R = decltype(Op::template call<T>(*a));                                                \
      run_whole_vectors<Op, T>(static_cast<R*>(out), n, a);                                        \
    } else if constexpr (in_whole_vectors<Op, T>) {                                                \
      run_whole_vectors<Op, T>(static_cast<T*>(out), n, a, static_cast<const T*>(in[1]));          \
    } else if constexpr (Op::arity == 1) {                                                         \
      auto* o = static_cast<decltype(Op::template call<T>(*a))*>(out);                             \
      NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) o[i] = Op::template call<T>(a[i]);       \
    } else if constexpr (Op::arity == 2) {                                                         \
      const auto* b = static_cast<const T*>(in[1]);                                                \
      auto* o = static_cast<decltype(Op::template call<T>(*a, *b))*>(out);                         \
      NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) o[i] = Op::template call<T>(a[i], b[i]); \
    } else {                                                                                       \
      const auto* b = static_cast<const T*>(in[1]);                                                \
      const auto* c = static_cast<const T*>(in[2]);                                                \
      auto* o = static_cast<decltype(Op::template call<T>(*a, *b, *c))*>(out);                     \
      NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) o[i] =                                   \
          Op::template call<T>(a[i], b[i], c[i]);                                                  \
    }                                                                                              \
  }                                                                                                \
  template <class Op, int Tag> constexpr loop pick() {                                             \
    if constexpr (Op::rule::compute(dtype(Tag)) == Tag) {                                          \
      return &run<Op, core::type_at<Tag>>;                                                         \
    } else {                                                                                       \
      return nullptr;                                                                              \
    }                                                                                              \
  }                                                                                                \
  template <class Op> loop find(dtype t) {                                                         \
    static constexpr loop table[] = {NW_ALL_TAGS(Op)};                                             \
    return table[int(t)];                                                                          \
  }                                                                                                \
  }

#define NW_ALL_TAGS(Op)                                                                           \
  pick<Op, 0>(), pick<Op, 1>(), pick<Op, 2>(), pick<Op, 3>(), pick<Op, 4>(), pick<Op, 5>(),       \
      pick<Op, 6>(), pick<Op, 7>(), pick<Op, 8>(), pick<Op, 9>(), pick<Op, 10>(), pick<Op, 11>(), \
      pick<Op, 12>(), pick<Op, 13>(), pick<Op, 14>()

NW_FOR_EACH_ISA(NW_DEFINE_LOOPS)

template <class Op> loop find_loop(dtype t) {
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
  if (best_isa() == isa::v3) return v3::find<Op>(t);
#endif
  return base::find<Op>(t);
}

loop unary_loop(core::op_code op, dtype compute);
loop binary_loop(core::op_code op, dtype compute);
loop ternary_loop(core::op_code op, dtype compute);

}  // namespace numwarp::cpu_backend
