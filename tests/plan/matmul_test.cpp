// Which products a call asks for, how stacks are folded, and how large ones are cut.
#include "plan/matmul.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using namespace numwarp::plan;
using numwarp::dims;
using numwarp::dtype;
using numwarp::shape;

dims list(std::initializer_list<std::int64_t> v) { return dims(std::span(v.begin(), v.size())); }

// A stack of C-contiguous products of int64; a stride of the stack that is 0 stays 0.
matmul plain(dims stack, std::int64_t m, std::int64_t n, std::int64_t k, bool a_moves,
             bool b_moves) {
  matmul p;
  p.type = dtype::int64;
  p.m = m;
  p.n = n;
  p.k = k;
  p.stack = stack;
  const auto strides = [&](view& v, std::int64_t rows, std::int64_t columns, bool moves) {
    v.strides = dims(stack.size(), 0);
    std::int64_t step = rows * columns * 8;
    for (int i = stack.size() - 1; i >= 0; --i, step *= stack[i + 1])
      v.strides[i] = moves ? step : 0;
    v.strides.push_back(columns * 8);
    v.strides.push_back(8);
  };
  strides(p.a, m, k, a_moves);
  strides(p.b, k, n, b_moves);
  strides(p.c, m, n, true);
  return p;
}

TEST(PlanMatmul, Products) {
  const product p = matmul_product(list({5, 1, 2, 3}), list({4, 3, 6}));
  EXPECT_EQ(p.shape, list({5, 4, 2, 6}));
  EXPECT_EQ(p.stack, list({5, 4}));
  EXPECT_EQ(p.a, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(p.b, (std::vector<int>{-1, 0, 1, 2}));
  EXPECT_EQ(p.c, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(product_strides(p.a, list({5, 1, 2, 3}), list({48, 48, 24, 8})), list({48, 0, 24, 8}));
  EXPECT_EQ(matmul_product(list({3}), list({3})).shape, shape());
  EXPECT_EQ(dot_product(list({2, 5, 3}), list({4, 3, 6}), "dot").shape, list({2, 5, 4, 6}));
  EXPECT_EQ(dot_product(list({2, 5, 3}), list({4, 3, 6}), "dot").c, (std::vector<int>{0, 2, 1, 3}));
}

TEST(PlanMatmul, WhatBlasTakes) {
  EXPECT_TRUE(is_blas_matrix(3, 4, 32, 8, 8));
  EXPECT_TRUE(is_blas_matrix(3, 4, 8, 24, 8));   // the transpose
  EXPECT_TRUE(is_blas_matrix(3, 4, 80, 8, 8));   // a slice
  EXPECT_TRUE(is_blas_matrix(1, 4, 0, 800, 8));  // a column as a row
  EXPECT_TRUE(is_blas_matrix(1, 1, -8, -8, 8));  // one element has no strides
  EXPECT_FALSE(is_blas_matrix(3, 4, 24, 8, 8));  // lines overlap
  EXPECT_FALSE(is_blas_matrix(3, 4, 36, 8, 8));  // no whole number of elements
  EXPECT_FALSE(is_blas_matrix(3, 4, -32, 8, 8));
  EXPECT_FALSE(is_blas_matrix(3, 4, 64, 16, 8));
  EXPECT_FALSE(is_blas_matrix(3, 4, 0, 8, 8));
  EXPECT_EQ(as_blas_matrix(3, 4, 80, 8, 8).leading, 10);
  EXPECT_TRUE(as_blas_matrix(3, 4, 8, 80, 8).transposed);
}

TEST(PlanMatmul, StacksOfRowsAgainstOneMatrixAreOneProduct) {
  matmul p = plain(list({5, 7}), 2, 6, 3, true, false);
  collapse(p);
  EXPECT_TRUE(p.stack.empty());
  EXPECT_EQ(p.m, 70);
  EXPECT_EQ(p.a.strides, list({24, 8}));
  p = plain(list({5, 7}), 1, 6, 3, true, false);
  collapse(p);
  EXPECT_EQ(p.m, 35);
  p = plain(list({5, 7}), 2, 6, 3, true, true);
  collapse(p);
  EXPECT_EQ(p.stack, list({35}));
  EXPECT_EQ(p.m, 2);
  p = plain(list({5, 7}), 2, 6, 3, false, true);  // b's matrices do not lie side by side
  collapse(p);
  EXPECT_EQ(p.stack, list({35}));
  p = plain(list({1, 1}), 2, 6, 3, true, true);
  collapse(p);
  EXPECT_TRUE(p.stack.empty());
}

TEST(PlanMatmul, IndicesOfTheStack) {
  char base[1];
  matmul p = plain(list({5, 7}), 2, 6, 3, true, false);
  p.a.data = p.b.data = p.c.data = base;
  const single_product one = product_at(p, 12);
  EXPECT_EQ(one.a.data - base, 12 * 48);
  EXPECT_EQ(one.b.data - base, 0);
  EXPECT_EQ(one.c.data - base, 12 * 96);
}

using ints = std::vector<std::int64_t>;

void add(const single_product& p, bool accumulate) {
  const auto at = [](const matrix& x, std::int64_t i, std::int64_t j) -> std::int64_t& {
    return *reinterpret_cast<std::int64_t*>(x.data + i * x.row + j * x.column);
  };
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t j = 0; j < p.n; ++j) {
      if (!accumulate) at(p.c, i, j) = 0;
      for (std::int64_t l = 0; l < p.k; ++l) at(p.c, i, j) += at(p.a, i, l) * at(p.b, l, j);
    }
  }
}

// Blocks make up the product, each within the limit, for lines near and far.
TEST(PlanMatmul, BlocksMakeUpTheProduct) {
  const std::int64_t m = 5, n = 7, k = 6, gap = 20;
  ints a(5 * gap * 2), b(7 * gap * 2), whole(m * n), cut(7 * gap);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = std::int64_t(i % 11) - 5;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::int64_t(i % 7) - 3;
  const auto bytes = [](ints& v) { return reinterpret_cast<char*>(v.data()); };
  const matrix as[] = {{bytes(a), k * 8, 8}, {bytes(a), gap * 8, 8}, {bytes(a), 8, gap * 8}};
  const matrix bs[] = {{bytes(b), n * 8, 8}, {bytes(b), gap * 8, 8}, {bytes(b), 8, gap * 8}};
  const matrix cs[] = {{bytes(cut), n * 8, 8}, {bytes(cut), gap * 8, 8}, {bytes(cut), 8, gap * 8}};
  for (int i = 0; i < 27 * 20; ++i) {
    const matrix x = as[i % 3], y = bs[i / 3 % 3], z = cs[i / 9 % 3];
    const std::int64_t limit = 1 + i / 27;
    add({m, n, k, x, y, {bytes(whole), n * 8, 8}}, false);
    cut.assign(cut.size(), 99);
    for_each_block({m, n, k, x, y, z}, 8, limit, [&](const single_product& p, bool more) {
      for (const std::int64_t extent : {p.m, p.n, p.k}) ASSERT_LE(extent, limit);
      ASSERT_LE(as_blas_matrix(p.a, p.m, p.k, 8).leading, limit);
      ASSERT_LE(as_blas_matrix(p.b, p.k, p.n, 8).leading, limit);
      ASSERT_LE(as_blas_matrix(p.c, p.m, p.n, 8).leading, limit);
      add(p, more);
    });
    for (std::int64_t e = 0; e < m * n; ++e) {
      const auto got = *reinterpret_cast<std::int64_t*>(z.data + e / n * z.row + e % n * z.column);
      ASSERT_EQ(got, whole[std::size_t(e)]) << "case " << i;
    }
  }
}

}  // namespace
