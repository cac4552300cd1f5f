// Products of matrices: which shapes go together, and the stack of products c[s] = a[s] @ b[s]
// that a backend runs. Pure functions of shapes and strides.
#pragma once

#include <cstdint>
#include <functional>
#include <numwarp/detail/matmul_algorithm.hpp>

#include "plan/elementwise.hpp"

namespace numwarp::plan {

// c = a @ b for every index of the stack; m, n, k > 0 and no empty axis in the stack. Each of a, b
// and c is a BLAS matrix (see is_blas_matrix) that starts at a multiple of its alignment; c does
// not overlap a or b.
struct matmul {
  dtype type{};  // of all three
  std::int64_t m = 0, n = 0, k = 0;
  dims stack;  // extents of the leading axes, broadcast
  matmul_algorithm algorithm = matmul_algorithm::automatic;  // one that the type has
  // Strides (bytes): the stack's axes, then rows, then columns.
  view a, b, c;
};

// What a call of matmul or dot asks for, as a stack of products.
struct product {
  numwarp::shape shape;  // of the result
  std::int64_t m = 1, n = 1, k = 0;
  dims stack;
  // For each axis of stack, rows and columns: the operand's axis, or -1 where it has none.
  std::vector<int> a, b, c;
};

// numpy.matmul of these shapes; `out`, where given, takes part in the broadcasting of the stacks.
// Throws value_error in NumPy's words.
product matmul_product(const dims& a, const dims& b, const dims* out = nullptr);
// numpy.dot of arrays of one dimension or more: the last axis of a with the last but one of b.
product dot_product(const dims& a, const dims& b, const char* function);

// The strides of an operand along the axes of a product; broadcast axes get 0.
dims product_strides(const std::vector<int>& axes, const dims& shape, const dims& strides);

// True where BLAS can take the matrix as it is, or as the transpose of one: along one axis the
// elements are neighbours, along the other they are whole numbers of elements apart, and lines do
// not overlap.
bool is_blas_matrix(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                    std::int64_t column_stride, int itemsize);

// A matrix as BLAS wants it, in elements: `transposed` means that columns are contiguous.
struct blas_matrix {
  bool transposed = false;
  std::int64_t leading = 0;
};
blas_matrix as_blas_matrix(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                           std::int64_t column_stride, int itemsize);

// Fewer and larger products: axes of the stack along which only a (or only b) advances, as further
// rows (or columns), become rows (columns); other neighbours are merged.
void collapse(matmul& p);

// A matrix in memory, strides in bytes.
struct matrix {
  char* data = nullptr;
  std::int64_t row = 0, column = 0;
  matrix transposed() const { return {data, column, row}; }
};

// One product of a stack, or a block of one.
struct single_product {
  std::int64_t m = 0, n = 0, k = 0;
  matrix a, b, c;
  // c^T = b^T @ a^T, the same product.
  single_product transposed() const {
    return {n, m, k, b.transposed(), a.transposed(), c.transposed()};
  }
};
blas_matrix as_blas_matrix(const matrix& x, std::int64_t rows, std::int64_t columns, int itemsize);

// The product at an index of the stack, counted in C order.
single_product product_at(const matmul& p, std::int64_t index);

// For libraries whose integers end at `limit`: calls f(block, accumulate) for blocks that make up
// the product; those of one part of c come in order, all but the first to be added to it. An axis
// along which lines are further apart than the limit is taken one line at a time, where that does
// not matter.
void for_each_block(const single_product& p, int itemsize, std::int64_t limit,
                    const std::function<void(const single_product&, bool)>& f);

}  // namespace numwarp::plan
