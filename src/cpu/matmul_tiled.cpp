// Products by numwarp's own loops, for every type.
#include <complex>

#include "cpu/matmul.hpp"

namespace numwarp::cpu_backend {

namespace {

// The real or the imaginary parts of a complex matrix.
template <class R> plan::matrix part(const plan::matrix& x, int imaginary) {
  return {x.data + imaginary * int(sizeof(R)), x.row, x.column};
}

// The four products of parts, then re = rr - ii and im = ri + ir.
template <class R> void complex_product(dtype real, const plan::single_product& p) {
  const std::int64_t size = p.m * p.n;
  const auto sums = scratch<R>(4 * size);
  for (int q = 0; q < 4; ++q) {
    const plan::matrix c{reinterpret_cast<char*>(sums.get() + q * size),
                         p.n * std::int64_t(sizeof(R)), sizeof(R)};
    strided_product(real, {p.m, p.n, p.k, part<R>(p.a, q / 2), part<R>(p.b, q % 2), c});
  }
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t j = 0; j < p.n; ++j) {
      const R* s = sums.get() + i * p.n + j;
      *reinterpret_cast<std::complex<R>*>(p.c.data + i * p.c.row + j * p.c.column) = {
          s[0] - s[3 * size], s[size] + s[2 * size]};
    }
  }
}

}  // namespace

void tiled_product(dtype type, const plan::single_product& p) {
  switch (type) {
    case dtype::float16:
    case dtype::bfloat16:
      return half_product(type, p, real_product);
    case dtype::float32:
    case dtype::float64:
      return real_product(type, p);
    case dtype::complex64:
      return complex_product<float>(dtype::float32, p);
    case dtype::complex128:
      return complex_product<double>(dtype::float64, p);
    default:
      return integer_product(type, p);
  }
}

}  // namespace numwarp::cpu_backend
