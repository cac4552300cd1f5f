// Every op, conversion, reduction, product and distribution has its kernel ahead of time. Needs no
// GPU: nothing is launched.
#include "cuda/registry.hpp"

#include <gtest/gtest.h>

#include <numwarp/dtype.hpp>

#include "prebuilt_random.hpp"

namespace numwarp::cuda_backend {
namespace {

TEST(cuda_registry, has_every_op_of_every_dtype) {
  for (int code = 0; code < core::op_count; ++code) {
    for (int tag = 0; tag < dtype_count; ++tag) {
      dtype compute, result;
      const bool has =
          core::resolve(core::op_code(code), dtype(tag), compute, result) && int(compute) == tag;
      const auto& k = op_kernels_for(core::op_code(code), dtype(tag));
      EXPECT_EQ(k.rows != nullptr, has)
          << core::op_name(core::op_code(code)) << ' ' << name(dtype(tag));
      EXPECT_EQ(k.converting != nullptr, has);
    }
  }
}

TEST(cuda_registry, has_every_conversion_and_copy) {
  const auto& t = move_kernels();
  for (int from = 0; from < dtype_count; ++from) {
    for (int to = 0; to < dtype_count; ++to)
      EXPECT_EQ(t.cast[from][to].rows != nullptr, from != to);
  }
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(t.copy[i].rows && t.transpose[i]);
    EXPECT_EQ(t.copy[i].width, 16 >> i);
  }
  EXPECT_TRUE(t.index.rows);
}

TEST(cuda_registry, has_every_reduction) {
  for (int code = 0; code < kernels::reduce_count; ++code) {
    for (int tag = 0; tag < dtype_count; ++tag) {
      const auto op = reduce_code(code);
      const bool asks =
          op == reduce_code::any || op == reduce_code::all || op == reduce_code::count_nonzero;
      const auto& k = reduce_kernels_for(op, dtype(tag));
      const dtype compute = asks ? dtype::bool_ : numwarp::resolve(op, dtype(tag)).compute;
      EXPECT_TRUE(k.rows && k.columns) << reduce_name(op) << ' ' << name(dtype(tag));
      EXPECT_TRUE(reduce_kernels_for(op, compute).merge) << reduce_name(op) << ' ' << name(compute);
      EXPECT_EQ(reduce_kernels_for(op, compute).accumulator_bytes, k.accumulator_bytes);
    }
  }
}

TEST(cuda_registry, has_every_product) {
  for (int tag = 0; tag < dtype_count; ++tag) {
    for (const bool small : {false, true}) {
      const auto& k = matmul_kernel_for(dtype(tag), small);
      EXPECT_TRUE(k.kernel) << name(dtype(tag));
      EXPECT_EQ(k.threads, 256);
    }
  }
}

TEST(cuda_registry, has_every_distribution) {
  const kernels::random_table table = kernels::random_kernels();
  for (const auto& k : table.at) EXPECT_TRUE(k.kernel && (k.size == 2 || k.size == 4));
}

}  // namespace
}  // namespace numwarp::cuda_backend
