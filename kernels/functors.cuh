// The functors of kernels built ahead of time: one op, one conversion, one move.
#pragma once

#include <numwarp/core/ops.hpp>

#include "lanes.cuh"

namespace numwarp::kernels {

// Complex transcendental functions are hundreds of instructions: called, not copied into every
// lane.
template <class Op, class T>
inline constexpr bool is_long = complex_number<T> && (is_same<typename Op::rule, rules::floating> ||
                                                      Op::code == op_code::power);
template <class Op, class T> __device__ __noinline__ T call_long(T a) {
  return Op::template call<T>(a);
}
template <class Op, class T> __device__ __noinline__ T call_long(T a, T b) {
  return Op::template call<T>(a, b);
}

// One op on values, with the checks that depend on the data.
template <class Op, class T, class Lane, class A> NW_DEVICE auto call(const Lane&, A a) {
  if constexpr (is_long<Op, T>) {
    return call_long<Op, T>(a);
  } else {
    return Op::template call<T>(a);
  }
}
template <class Op, class T, class Lane, class A> NW_DEVICE auto call(const Lane& x, A a, T b) {
  if constexpr (Op::code == op_code::power && signed_integer<T>) {
    if (b < 0) x.report(error_code::negative_exponent, i64(b));
  }
  if constexpr (is_long<Op, T>) {
    return call_long<Op, T>(a, b);
  } else {
    return Op::template call<T>(a, b);
  }
}
template <class Op, class T, class Lane, class A> NW_DEVICE auto call(const Lane&, A a, T b, T c) {
  return Op::template call<T>(a, b, c);
}

template <class Op, class T> struct op_types {
  using first = type_at<int(arg_dtype(Op::code, 0, dtype(tag_of<T>)))>;
  using result = type_at<int(result_dtype<Op, dtype(tag_of<T>)>)>;
};

template <int Arity, class First, class T> struct op_inputs { using list = types<First>; };
template <class First, class T> struct op_inputs<2, First, T> { using list = types<First, T>; };
template <class First, class T> struct op_inputs<3, First, T> { using list = types<First, T, T>; };

template <class Op, class T> struct apply {
  using inputs = typename op_inputs<Op::arity, typename op_types<Op, T>::first, T>::list;
  using outputs = types<typename op_types<Op, T>::result>;
  template <class Lane> static NW_DEVICE void run(const Lane& x) {
    if constexpr (Op::arity == 1) {
      x.template out<0>(call<Op, T>(x, x.template in<0>()));
    } else if constexpr (Op::arity == 2) {
      x.template out<0>(call<Op, T>(x, x.template in<0>(), x.template in<1>()));
    } else {
      x.template out<0>(call<Op, T>(x, x.template in<0>(), x.template in<1>(), x.template in<2>()));
    }
  }
};

template <class To, class From> struct convert {
  using inputs = types<From>;
  using outputs = types<To>;
  template <class Lane> static NW_DEVICE void run(const Lane& x) {
    x.template out<0>(cast<To>(x.template in<0>()));
  }
};

template <class T> struct move_bits {
  using inputs = types<T>;
  using outputs = types<T>;
  template <class Lane> static NW_DEVICE void run(const Lane& x) {
    x.template out<0>(x.template in<0>());
  }
};

// A constant written into the text of a fused kernel, by its bytes.
template <class T> NW_DEVICE T bits_value(u64 low, u64 high) {
  const u64 words[2] = {low, high};
  return immediate_value<T>(words);
}

struct linear_index {
  using inputs = types<>;
  using outputs = types<i64>;
  template <class Lane> static NW_DEVICE void run(const Lane& x) { x.template out<0>(x.index()); }
};

}  // namespace numwarp::kernels
