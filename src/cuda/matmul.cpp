// Products: cuBLAS for the types it has and layouts it can read, else the tiled kernels.
#include <cublas_v2.h>

#include <cstring>
#include <numwarp/error.hpp>

#include "cuda/handles.hpp"
#include "cuda/matmul_layout.hpp"
#include "cuda/registry.hpp"
#include "plan/layout.hpp"

namespace numwarp::cuda_backend {

namespace {

struct blas_types {
  cudaDataType data;
  cublasComputeType_t compute;
};
bool blas_types_of(dtype t, blas_types& out) {
  switch (t) {
    case dtype::float16:
      out = {CUDA_R_16F, CUBLAS_COMPUTE_32F};
      return true;
    case dtype::bfloat16:
      out = {CUDA_R_16BF, CUBLAS_COMPUTE_32F};
      return true;
    case dtype::float32:
      out = {CUDA_R_32F, CUBLAS_COMPUTE_32F};
      return true;
    case dtype::float64:
      out = {CUDA_R_64F, CUBLAS_COMPUTE_64F};
      return true;
    case dtype::complex64:
      out = {CUDA_C_32F, CUBLAS_COMPUTE_32F};
      return true;
    case dtype::complex128:
      out = {CUDA_C_64F, CUBLAS_COMPUTE_64F};
      return true;
    default:
      return false;
  }
}

// 1 and 0 as the scale type of a product: real for real products, complex for complex ones.
struct scales {
  alignas(16) double one[2] = {}, zero[2] = {};
  explicit scales(dtype t) {
    if (t == dtype::float64 || t == dtype::complex128) {
      one[0] = 1;
    } else {
      const float single = 1;
      std::memcpy(one, &single, sizeof single);
    }
  }
};

struct blas_plan {
  blas_types types{};
  blas_matrix a, b, c;
};

// A product of a few tiles is over before cuBLAS has chosen a kernel: on an H200, 33 x 33 takes 5
// us of host time by tiles and 14 by cuBLAS.
bool is_small(const plan::matmul& p) {
  constexpr std::int64_t side = 64;
  return p.m <= side && p.n <= side && p.k <= side &&
         p.m * p.n * p.k * plan::size(p.stack) <= side * side * side;
}

// Row by row is cuBLAS's order of the transposed matrix: c^T = b^T a^T where c lies by rows.
bool plan_blas(const plan::matmul& p, blas_plan& out) {
  if (p.algorithm == matmul_algorithm::tiled || p.k == 0 || !blas_types_of(p.type, out.types))
    return false;
  if (p.algorithm == matmul_algorithm::automatic && is_small(p)) return false;
  const auto a = as_blas_matrix(p.a, p.m, p.k), b = as_blas_matrix(p.b, p.k, p.n);
  const auto c = as_blas_matrix(p.c, p.m, p.n);
  if (!a || !b || !c) return false;
  out.a = *a;
  out.b = *b;
  out.c = *c;
  return true;
}

// The matrices along the last axis of the stack, `count` of them.
struct strided_batch {
  char *a, *b, *c;
  std::int64_t a_step, b_step, c_step, count;  // steps in elements
};

void run_batch(cublasHandle_t h, const plan::matmul& p, const blas_plan& f,
               const strided_batch& s) {
  const scales scale(p.type);
  // In cuBLAS's order an operand that lies by rows is seen transposed.
  const bool swap = f.c.by_rows;
  const auto op = [&](const blas_matrix& x) {
    return x.by_rows == swap ? CUBLAS_OP_N : CUBLAS_OP_T;
  };
  const auto first = swap ? f.b : f.a, second = swap ? f.a : f.b;
  const char* const x = swap ? s.b : s.a;
  const char* const y = swap ? s.a : s.b;
  check_blas(cublasGemmStridedBatchedEx_64(
                 h, op(first), op(second), swap ? p.n : p.m, swap ? p.m : p.n, p.k, scale.one, x,
                 f.types.data, first.leading, swap ? s.b_step : s.a_step, y, f.types.data,
                 second.leading, swap ? s.a_step : s.b_step, scale.zero, s.c, f.types.data,
                 f.c.leading, s.c_step, s.count, f.types.compute, CUBLAS_GEMM_DEFAULT),
             "matmul");
}

// Walks the leading axes of the stack; cuBLAS takes the last one.
void run_blas(const launch_context& c, const plan::matmul& p, const blas_plan& f) {
  const cublasHandle_t h = blas_handle(c);
  const int rank = p.stack.size(), last = rank - 1;
  const std::int64_t size = itemsize(p.type);
  const std::int64_t count = rank > 0 ? p.stack[last] : 1;
  const std::int64_t outer = plan::size(p.stack) / count;
  for (std::int64_t i = 0; i < outer; ++i) {
    strided_batch s{p.a.data, p.b.data, p.c.data, 0, 0, 0, count};
    std::int64_t rest = i;
    for (int d = last - 1; d >= 0; --d) {
      const std::int64_t at = rest % p.stack[d];
      rest /= p.stack[d];
      s.a += at * p.a.strides[d];
      s.b += at * p.b.strides[d];
      s.c += at * p.c.strides[d];
    }
    if (rank > 0) {
      s.a_step = p.a.strides[last] / size;
      s.b_step = p.b.strides[last] / size;
      s.c_step = p.c.strides[last] / size;
    }
    run_batch(h, p, f, s);
  }
}

void run_tiled(const launch_context& c, const plan::matmul& p) {
  const core::matmul_parameters t = tiled_parameters(p);
  const auto& large = matmul_kernel_for(p.type, false);
  const std::int64_t stack = plan::size(p.stack);
  const auto tiles = [&](const kernels::matmul_kernel& k) {
    return (p.m + k.tile_m - 1) / k.tile_m * ((p.n + k.tile_n - 1) / k.tile_n) * stack;
  };
  // Small tiles where large ones would leave multiprocessors idle or be mostly outside.
  const bool small = tiles(large) < c.multiprocessors || p.m <= 32 || p.n <= 32;
  const auto& k = matmul_kernel_for(p.type, small);
  launch_prebuilt(c, k.kernel, {tiles(k), unsigned(k.threads), 1}, &t, "matmul");
}

// The plan without its first axis of the stack, at index i of it.
plan::matmul without_first_axis(const plan::matmul& p, std::int64_t i) {
  plan::matmul part = p;
  part.stack.erase(0);
  for (plan::view* v : {&part.a, &part.b, &part.c}) {
    v->data += i * v->strides[0];
    v->strides.erase(0);
  }
  return part;
}

// Merges the axes of the stack that all operands walk as one.
plan::matmul merged(const plan::matmul& p) {
  plan::matmul out = p;
  dims shape = p.stack;
  for (const std::int64_t n : {p.m, p.n}) shape.push_back(n);
  dims* const strides[] = {&out.a.strides, &out.b.strides, &out.c.strides};
  plan::merge_axes(shape, strides, 0, p.stack.size());
  out.stack = shape;
  out.stack.resize(shape.size() - 2);
  return out;
}

void run_merged(const launch_context& c, const plan::matmul& p) {
  if (p.stack.size() > core::max_outer) {
    for (std::int64_t i = 0; i < p.stack[0]; ++i) run_merged(c, without_first_axis(p, i));
    return;
  }
  blas_plan f;
  if (plan_blas(p, f)) {
    run_blas(c, p, f);
  } else if (p.algorithm == matmul_algorithm::blas && p.k > 0) {
    throw value_error("matmul: cuBLAS cannot take these operands; take tiled or automatic");
  } else {
    run_tiled(c, p);
  }
}

}  // namespace

void run_matmul(const launch_context& c, const plan::matmul& p) {
  if (p.m == 0 || p.n == 0 || plan::size(p.stack) == 0) return;
  run_merged(c, merged(p));
}

}  // namespace numwarp::cuda_backend
