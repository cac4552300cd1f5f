// The values of an expression that is written down instead of computed: each is a step of a
// program, and knows its element type.
#pragma once

#include <numwarp/detail/function_calls.hpp>
#include <numwarp/detail/traits.hpp>

namespace numwarp::detail {

template <class T> struct traced;

struct by_steps {
  template <class Op, class... A> static auto apply(A... a) {
    constexpr core::op_tags tags = core::tags_for<Op, A...>();
    constexpr bool defined = tags.compute >= 0;
    static_assert(defined, "numwarp: this function is not defined for these types");
    if constexpr (!defined) {
      return core::first_of(a...);  // the one message is enough
    } else {
      plan::program* const p = program_of(a...);
      const traced_argument arguments[] = {argument(a)...};
      return traced<core::type_at<tags.result>>(
          p, trace_op(*p, Op::code, dtype(tags.compute), dtype(tags.result), arguments));
    }
  }
  template <element To, class A> static auto astype(A a) {
    using T = typename core_type<To>::type;
    return traced<T>(a.program, trace_cast(*a.program, a.step, dtype_of<To>));
  }

 private:
  template <class A, class... B> static plan::program* program_of(A a, B... b) {
    if constexpr (core::in_body<A>) {
      return a.program;
    } else {
      return program_of(b...);
    }
  }
  template <class A> static traced_argument argument(A a) {
    if constexpr (core::in_body<A>) {
      return {a.step, {}};
    } else if constexpr (core::complex_number<A>) {
      return {-1, std::complex<double>(double(a.re), double(a.im))};
    } else {
      return {-1, a};
    }
  }
};

template <class T> struct traced : core::body_value {
  using value_type = T;
  using means = by_steps;
  plan::program* program;
  int step;

  traced(plan::program* p, int s) : program(p), step(s) {}
  template <class U> explicit operator U() const {
    static_assert(sizeof(U) == 0,
                  "numwarp: NW_FUNCTION takes one expression without branches: write "
                  "where(condition, a, b), or use NW_FUNCTION_BODY");
    return {};
  }
};

}  // namespace numwarp::detail
