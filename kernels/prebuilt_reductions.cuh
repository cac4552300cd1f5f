// Instantiates a reduction for every dtype of the elements, which are converted as NumPy does.
#pragma once

#include "functors.cuh"
#include "prebuilt_ops.cuh"
#include "reduce.cuh"

namespace numwarp::kernels {

// The type a reduction computes in. Questions of truth are asked of a bool.
template <reduce_code Code, dtype Element> constexpr dtype reduction_compute() {
  constexpr bool asks =
      Code == reduce_code::any || Code == reduce_code::all || Code == reduce_code::count_nonzero;
  return asks ? dtype::bool_ : resolve(Code, Element).compute;
}

template <template <class> class R, reduce_code Code, int Tag, class Table>
void add_reduction_at(Table& table) {
  using E = type_at<Tag>;
  using T = type_at<int(reduction_compute<Code, dtype(Tag)>())>;
  using F = convert<T, E>;
  using P = reduction_parameters<1, 0>;
  // Vectors of bytes stop at eight: sixteen accumulators are more registers than they are worth.
  constexpr int width = sizeof(E) == 1 ? 8 : 16 / int(sizeof(E));
  auto& k = table.at[int(Code)][Tag];
  k.rows = reinterpret_cast<const void*>(&reduce_rows<R<T>, F, width, P>);
  k.columns = reinterpret_cast<const void*>(&reduce_columns<R<T>, F, width, P>);
  if constexpr (is_same<E, T>) k.merge = reinterpret_cast<const void*>(&reduce_merge<R<T>, T>);
  k.width = width;
  k.accumulator_bytes = int(sizeof(typename R<T>::acc));
}
template <template <class> class R, reduce_code Code, class Table, int Tag = 0>
void add_reduction(Table& table) {
  if constexpr (Tag < dtype_count) {
    add_reduction_at<R, Code, Tag>(table);
    add_reduction<R, Code, Table, Tag + 1>(table);
  }
}

}  // namespace numwarp::kernels
