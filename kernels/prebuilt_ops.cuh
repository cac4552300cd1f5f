// Instantiates the kernels of an op for every dtype that it computes in.
#pragma once

#include "elementwise.cuh"
#include "functors.cuh"

namespace numwarp::kernels {

// Elements of a 16-byte vector of the widest operand.
template <class... T> constexpr int vector_width() {
  int widest = 1;
  ((widest = int(sizeof(T)) > widest ? int(sizeof(T)) : widest), ...);
  return 16 / widest;
}

template <class F> struct width_of;
template <class List> struct list_width;
template <class... T> struct list_width<types<T...>> {
  static constexpr int value = vector_width<T...>();
};

template <class F> constexpr int functor_width() {
  constexpr int in = list_width<typename F::inputs>::value;
  constexpr int out = list_width<typename F::outputs>::value;
  return in < out ? in : out;
}

template <class F>
using parameters_of = elementwise_parameters<F::inputs::count + F::outputs::count, 0>;

template <class Op, int Tag, class Table> void add_op_at(Table& table) {
  if constexpr (compute_tag<Op, dtype(Tag)> == Tag) {
    using F = apply<Op, type_at<Tag>>;
    constexpr int width = functor_width<F>();
    table.at[int(Op::code)][Tag] = {
        reinterpret_cast<const void*>(&elementwise_rows<F, width, parameters_of<F>>),
        reinterpret_cast<const void*>(&elementwise_converting<F, parameters_of<F>>), width};
  }
}
template <class Op, class Table, int Tag = 0> void add_op(Table& table) {
  if constexpr (Tag < dtype_count) {
    add_op_at<Op, Tag>(table);
    add_op<Op, Table, Tag + 1>(table);
  }
}
template <class... Ops, class Table> void add_ops(Table& table) { (add_op<Ops>(table), ...); }

}  // namespace numwarp::kernels
