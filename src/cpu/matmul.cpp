#include "cpu/matmul.hpp"

#include <algorithm>

#include "cpu/kernels.hpp"
#include "cpu/loops.hpp"
#include "cpu/thread_pool.hpp"
#include "plan/layout.hpp"

namespace numwarp::cpu_backend {

namespace {

void run_one(dtype type, matmul_algorithm algorithm, const plan::single_product& p) {
  if (algorithm == matmul_algorithm::tiled) {
    tiled_product(type, p);
  } else if (algorithm == matmul_algorithm::automatic && is_tiny(p)) {
    tiny_product(type, p);
  } else if (kind(type) == 'b' || kind(type) == 'i' || kind(type) == 'u') {
    integer_product(type, p);
  } else if (type == dtype::float16 || type == dtype::bfloat16) {
    half_product(type, p);
  } else {
    blas_product(type, p);
  }
}

// Above this a single product keeps all threads busy: OpenBLAS uses several from about 2^18
// multiplications of a matrix product and 9000 of a matrix with a vector.
bool is_small(const plan::matmul& p) {
  const bool vector = p.m == 1 || p.n == 1;
  return double(p.m) * double(p.n) * double(p.k) < (vector ? 9e3 : 2.5e5);
}

// Copies lines of elements into a packed matrix of another type, or back.
struct lines {
  std::int64_t count, length;
  std::int64_t stride;  // bytes
};

void convert_lines(dtype from, const char* in, const lines& source, dtype to, char* out,
                   std::int64_t out_stride) {
  const loop cast = cast_loop(from, to);
  const std::int64_t chunk = std::max<std::int64_t>(1, 16384 / source.length);
  parallel_for((source.count + chunk - 1) / chunk, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first * chunk; i < std::min(last * chunk, source.count); ++i) {
      const void* line = in + i * source.stride;
      cast(out + i * out_stride, &line, source.length);
    }
  });
}

// A matrix of floats with the elements of x; it lives in `memory`.
plan::matrix widened(dtype type, const plan::matrix& x, std::int64_t rows, std::int64_t columns,
                     float* memory) {
  const auto b = plan::as_blas_matrix(x, rows, columns, itemsize(type));
  const lines l{b.transposed ? columns : rows, b.transposed ? rows : columns,
                b.leading * itemsize(type)};
  char* out = reinterpret_cast<char*>(memory);
  convert_lines(type, x.data, l, dtype::float32, out, l.length * 4);
  return b.transposed ? plan::matrix{out, 4, l.length * 4} : plan::matrix{out, l.length * 4, 4};
}

}  // namespace

void half_product(dtype type, const plan::single_product& given, product* of_floats) {
  const bool by_columns =
      plan::as_blas_matrix(given.c, given.m, given.n, itemsize(type)).transposed;
  const plan::single_product p = by_columns ? given.transposed() : given;
  const auto b = scratch<float>(p.k * p.n);
  const plan::matrix wide_b = widened(type, p.b, p.k, p.n, b.get());
  // Rows of a and c that make some megabytes of floats.
  const std::int64_t panel = std::clamp<std::int64_t>((1 << 22) / std::max(p.k, p.n), 1, p.m);
  const auto a = scratch<float>(panel * p.k), c = scratch<float>(panel * p.n);
  for (std::int64_t i = 0; i < p.m; i += panel) {
    const std::int64_t m = std::min(panel, p.m - i);
    const plan::matrix rows{p.a.data + i * p.a.row, p.a.row, p.a.column};
    char* sums = reinterpret_cast<char*>(c.get());
    of_floats(dtype::float32,
              {m, p.n, p.k, widened(type, rows, m, p.k, a.get()), wide_b, {sums, p.n * 4, 4}});
    convert_lines(dtype::float32, sums, {m, p.n, p.n * 4}, type, p.c.data + i * p.c.row, p.c.row);
  }
}

void run_matmul(const plan::matmul& p) {
  const std::int64_t count = plan::size(p.stack);
  const auto run = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      run_one(p.type, p.algorithm, plan::product_at(p, i));
  };
  if (count == 1 || !is_small(p)) return run(0, count);
  const std::int64_t group = std::max<std::int64_t>(1, 20000 / (p.m * p.n * p.k));
  parallel_for((count + group - 1) / group, [&](std::int64_t first, std::int64_t last) {
    run(first * group, std::min(last * group, count));
  });
}

}  // namespace numwarp::cpu_backend
