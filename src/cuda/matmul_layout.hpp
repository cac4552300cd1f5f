// What a product needs of its operands: parameters of the tiled kernel, and whether cuBLAS can read
// an operand as it lies. Pure: no device.
#pragma once

#include <numwarp/core/layout.hpp>
#include <optional>

#include "plan/matmul.hpp"

namespace numwarp::cuda_backend {

// The tiled kernel's parameters for the last max_outer axes of the stack at most; `stack_at` is the
// number of the first of them where there are more.
core::matmul_parameters tiled_parameters(const plan::matmul& p);

// A matrix for cuBLAS, whose own order is by columns: adjacent elements along one axis, `leading`
// elements apart along the other.
struct blas_matrix {
  bool by_rows = false;  // adjacent along a row
  std::int64_t leading = 0;
};
std::optional<blas_matrix> as_blas_matrix(const plan::view& v, std::int64_t rows,
                                          std::int64_t columns);

}  // namespace numwarp::cuda_backend
