// Products of floating matrices by OpenBLAS.
#include <cblas.h>

#include <algorithm>
#include <climits>
#include <complex>

#include "cpu/matmul.hpp"
#include "cpu/thread_pool.hpp"

namespace numwarp::cpu_backend {

void set_blas_threads(int n) { openblas_set_num_threads(n); }

namespace {

// The routines of one type under one name. Complex scalars are passed by address.
template <class T> struct blas;

#define NW_BLAS(T, letter, Number, pass, DOT)                                                    \
  template <> struct blas<T> {                                                                   \
    static void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, const void* a, \
                     int lda, const void* b, int ldb, Number beta, void* c, int ldc) {           \
      const Number one = 1;                                                                      \
      cblas_##letter##gemm(CblasRowMajor, ta, tb, m, n, k, pass one, static_cast<const T*>(a),   \
                           lda, static_cast<const T*>(b), ldb, pass beta, static_cast<T*>(c),    \
                           ldc);                                                                 \
    }                                                                                            \
    static void gemv(CBLAS_TRANSPOSE t, int m, int n, const void* a, int lda, const void* x,     \
                     int incx, void* y, int incy) {                                              \
      const Number one = 1;                                                                      \
      cblas_##letter##gemv(CblasRowMajor, t, m, n, pass one, static_cast<const T*>(a), lda,      \
                           static_cast<const T*>(x), incx, pass one, static_cast<T*>(y), incy);  \
    }                                                                                            \
    static Number dot(int n, const void* x, int incx, const void* y, int incy) {                 \
      const T *u = static_cast<const T*>(x), *v = static_cast<const T*>(y);                      \
      Number sum;                                                                                \
      DOT;                                                                                       \
      return sum;                                                                                \
    }                                                                                            \
  };

NW_BLAS(float, s, float, , sum = cblas_sdot(n, u, incx, v, incy))
NW_BLAS(double, d, double, , sum = cblas_ddot(n, u, incx, v, incy))
NW_BLAS(std::complex<float>, c, std::complex<float>, &, cblas_cdotu_sub(n, u, incx, v, incy, &sum))
NW_BLAS(std::complex<double>, z, std::complex<double>, &,
        cblas_zdotu_sub(n, u, incx, v, incy, &sum))
#undef NW_BLAS

CBLAS_TRANSPOSE mark(const plan::blas_matrix& x) {
  return x.transposed ? CblasTrans : CblasNoTrans;
}

// Elements from one to the next of a vector; any will do for a single element.
template <class T> int increment(std::int64_t stride) {
  return std::max(1, int(stride / std::int64_t(sizeof(T))));
}

template <class T> void add_vector_product(const plan::single_product& p, bool accumulate) {
  const int incx = increment<T>(p.k > 1 ? p.b.row : 0), incy = increment<T>(p.m > 1 ? p.c.row : 0);
  T* y = reinterpret_cast<T*>(p.c.data);
  if (p.m == 1) {
    const int inca = increment<T>(p.k > 1 ? p.a.column : 0);
    const T sum = blas<T>::dot(int(p.k), p.a.data, inca, p.b.data, incx);
    *y = accumulate ? *y + sum : sum;
    return;
  }
  // Zeros instead of beta = 0, by which some versions multiply what lies there, NaN or not.
  for (std::int64_t i = 0; !accumulate && i < p.m; ++i) y[i * incy] = T(0);
  const auto a = plan::as_blas_matrix(p.a, p.m, p.k, int(sizeof(T)));
  const int rows = int(a.transposed ? p.k : p.m), columns = int(a.transposed ? p.m : p.k);
  blas<T>::gemv(mark(a), rows, columns, p.a.data, int(a.leading), p.b.data, incx, y, incy);
}

template <class T> void add_matrix_product(const plan::single_product& p, bool accumulate) {
  constexpr int size = int(sizeof(T));
  const auto a = plan::as_blas_matrix(p.a, p.m, p.k, size);
  const auto b = plan::as_blas_matrix(p.b, p.k, p.n, size);
  const auto c = plan::as_blas_matrix(p.c, p.m, p.n, size);
  blas<T>::gemm(mark(a), mark(b), int(p.m), int(p.n), int(p.k), p.a.data, int(a.leading), p.b.data,
                int(b.leading), T(accumulate ? 1 : 0), p.c.data, int(c.leading));
}

template <class T> void add_product(const plan::single_product& p, bool accumulate) {
  if (p.n == 1) return add_vector_product<T>(p, accumulate);
  if (p.m == 1) return add_vector_product<T>(p.transposed(), accumulate);
  const bool by_columns = plan::as_blas_matrix(p.c, p.m, p.n, int(sizeof(T))).transposed;
  add_matrix_product<T>(by_columns ? p.transposed() : p, accumulate);
}

template <class T> void run(const plan::single_product& p) {
  constexpr std::int64_t limit = INT_MAX;
  plan::for_each_block(p, int(sizeof(T)), limit, add_product<T>);
}

}  // namespace

void blas_product(dtype type, const plan::single_product& p) {
  switch (type) {
    case dtype::float32:
      return run<float>(p);
    case dtype::float64:
      return run<double>(p);
    case dtype::complex64:
      return run<std::complex<float>>(p);
    default:
      return run<std::complex<double>>(p);
  }
}

}  // namespace numwarp::cpu_backend
