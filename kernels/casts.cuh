// Instantiates the conversions from one dtype to all others.
#pragma once

#include "prebuilt_ops.cuh"

namespace numwarp::kernels {

template <int From, int To, class Table> void add_cast(Table& table) {
  if constexpr (From != To) {
    using F = convert<type_at<To>, type_at<From>>;
    constexpr int width = 16 / sizes_of(typename F::inputs{}, typename F::outputs{}).widest;
    table.cast[From][To] = {
        reinterpret_cast<const void*>(&elementwise_rows<F, width, parameters_of<F>>), width};
  }
}
template <int From, class Table, int To = 0> void add_casts_from(Table& table) {
  if constexpr (To < dtype_count) {
    add_cast<From, To>(table);
    add_casts_from<From, Table, To + 1>(table);
  }
}
template <dtype... From, class Table> void add_casts(Table& table) {
  (add_casts_from<int(From)>(table), ...);
}

}  // namespace numwarp::kernels
