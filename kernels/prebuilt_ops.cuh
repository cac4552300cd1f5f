// Instantiates the kernels of an op for every dtype that it computes in.
#pragma once

#include "elementwise.cuh"
#include "functors.cuh"

namespace numwarp::kernels {

struct element_sizes {
  int narrowest = 16, widest = 1;
  constexpr void add(int bytes) {
    narrowest = bytes < narrowest ? bytes : narrowest;
    widest = bytes > widest ? bytes : widest;
  }
};
template <class... In, class... Out> constexpr element_sizes sizes_of(types<In...>, types<Out...>) {
  element_sizes s;
  (s.add(int(sizeof(In))), ...);
  (s.add(int(sizeof(Out))), ...);
  return s;
}

template <class F> constexpr int functor_width() {
  constexpr element_sizes s = sizes_of(typename F::inputs{}, typename F::outputs{});
  return vector_width(s.narrowest, s.widest);
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
template <class Op, bool Complex, class Table, int Tag = 0> void add_op(Table& table) {
  if constexpr (Tag < dtype_count) {
    constexpr bool is_complex = dtype(Tag) == dtype::complex64 || dtype(Tag) == dtype::complex128;
    if constexpr (is_complex == Complex) add_op_at<Op, Tag>(table);
    add_op<Op, Complex, Table, Tag + 1>(table);
  }
}
// Complex types have files of their own: a file is one module, and the first call of an op waits
// for the driver to load the module.
template <class... Ops, class Table> void add_ops(Table& table) {
  (add_op<Ops, false>(table), ...);
}
template <class... Ops, class Table> void add_complex_ops(Table& table) {
  (add_op<Ops, true>(table), ...);
}

}  // namespace numwarp::kernels
