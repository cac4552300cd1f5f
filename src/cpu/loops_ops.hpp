// Instantiates the loops of the ops of one arity; included by loops_unary.cpp and its siblings.
#pragma once

#include <numwarp/core/dtypes.hpp>
#include "cpu/loops.hpp"

namespace numwarp::cpu_backend {

template <class T, int K, class Op>
using argument = core::type_at<int(core::arg_dtype(Op::code, K, dtype(core::tag_of<T>)))>;

#define NW_DEFINE_LOOPS(name, attribute)                                                    \
  namespace name {                                                                          \
  template <class Op, class T>                                                              \
  attribute void run(void* out, const void* const* in, std::int64_t n) {                    \
    const auto* a = static_cast<const argument<T, 0, Op>*>(in[0]);                          \
    if constexpr (Op::arity == 1) {                                                         \
      auto* o = static_cast<decltype(Op::template call<T>(*a))*>(out);                      \
      NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) o[i] = Op::template call<T>(a[i]); \
    } else if constexpr (Op::arity == 2) {                                                  \
      const auto* b = static_cast<const T*>(in[1]);                                         \
      auto* o = static_cast<decltype(Op::template call<T>(*a, *b))*>(out);                  \
      NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i)                                   \
          o[i] = Op::template call<T>(a[i], b[i]);                                          \
    } else {                                                                                \
      const auto* b = static_cast<const T*>(in[1]);                                         \
      const auto* c = static_cast<const T*>(in[2]);                                         \
      auto* o = static_cast<decltype(Op::template call<T>(*a, *b, *c))*>(out);              \
      NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i)                                   \
          o[i] = Op::template call<T>(a[i], b[i], c[i]);                                    \
    }                                                                                       \
  }                                                                                         \
  template <class Op, int Tag>                                                              \
  constexpr loop pick() {                                                                   \
    if constexpr (Op::rule::compute(dtype(Tag)) == Tag) {                                   \
      return &run<Op, core::type_at<Tag>>;                                                  \
    } else {                                                                                \
      return nullptr;                                                                       \
    }                                                                                       \
  }                                                                                         \
  template <class Op>                                                                       \
  loop find(dtype t) {                                                                      \
    static constexpr loop table[] = {NW_ALL_TAGS(Op)};                                      \
    return table[int(t)];                                                                   \
  }                                                                                         \
  }

#define NW_ALL_TAGS(Op)                                                                      \
  pick<Op, 0>(), pick<Op, 1>(), pick<Op, 2>(), pick<Op, 3>(), pick<Op, 4>(), pick<Op, 5>(),  \
      pick<Op, 6>(), pick<Op, 7>(), pick<Op, 8>(), pick<Op, 9>(), pick<Op, 10>(),            \
      pick<Op, 11>(), pick<Op, 12>(), pick<Op, 13>(), pick<Op, 14>()

NW_FOR_EACH_ISA(NW_DEFINE_LOOPS)

template <class Op>
loop find_loop(dtype t) {
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
  if (best_isa() == isa::v3) return v3::find<Op>(t);
#endif
  return base::find<Op>(t);
}

loop unary_loop(core::op_code op, dtype compute);
loop binary_loop(core::op_code op, dtype compute);
loop ternary_loop(core::op_code op, dtype compute);

}  // namespace numwarp::cpu_backend
