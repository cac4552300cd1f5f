#include "cuda/matmul_layout.hpp"

#include <algorithm>

namespace numwarp::cuda_backend {

core::matmul_parameters tiled_parameters(const plan::matmul& p) {
  const int rank = p.stack.size();
  const std::int64_t size = itemsize(p.type);
  core::matmul_parameters t{};
  t.a = p.a.data;
  t.b = p.b.data;
  t.c = p.c.data;
  t.m = p.m;
  t.n = p.n;
  t.k = p.k;
  t.a_row = p.a.strides[rank] / size;
  t.a_column = p.a.strides[rank + 1] / size;
  t.b_row = p.b.strides[rank] / size;
  t.b_column = p.b.strides[rank + 1] / size;
  t.c_row = p.c.strides[rank] / size;
  t.c_column = p.c.strides[rank + 1] / size;
  t.stack_rank = rank;
  for (int d = 0; d < rank; ++d) {
    t.stack_shape[d] = p.stack[d];
    t.a_stack[d] = p.a.strides[d] / size;
    t.b_stack[d] = p.b.strides[d] / size;
    t.c_stack[d] = p.c.strides[d] / size;
  }
  return t;
}

std::optional<blas_matrix> as_blas_matrix(const plan::view& v, std::int64_t rows,
                                          std::int64_t columns) {
  const int n = v.strides.size();
  const std::int64_t size = itemsize(v.type), row = v.strides[n - 2], column = v.strides[n - 1];
  if ((column == size || columns == 1) &&
      (rows == 1 || (row >= columns * size && row % size == 0))) {
    return blas_matrix{true, rows == 1 ? columns : row / size};
  }
  if ((row == size || rows == 1) &&
      (columns == 1 || (column >= rows * size && column % size == 0))) {
    return blas_matrix{false, columns == 1 ? rows : column / size};
  }
  return std::nullopt;
}

}  // namespace numwarp::cuda_backend
