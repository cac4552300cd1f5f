// Products of bool, integer and real matrices: packed into panels, multiplied in registers, tile by
// tile.
//
// The tiling is that of K. Goto and R. van de Geijn, "Anatomy of high-performance matrix
// multiplication", ACM TOMS 34 (2008). Signed and unsigned types share the loops, since both wrap
// around; 8-bit ones are multiplied as 16 bits, which vector units can do.
#include <algorithm>
#include <type_traits>

#include "cpu/loops.hpp"
#include "cpu/matmul.hpp"
#include "cpu/thread_pool.hpp"

namespace numwarp::cpu_backend {

namespace {

#define NW_INLINE inline __attribute__((always_inline))

// Sizes in elements. A register tile is `height` x one panel of 64 bytes: 12 vectors of AVX2.
constexpr int height = 6, tile_rows = 96, depth = 256, panels = 8;

// How W elements are combined; bool is held as bytes that are 0 or 1.
template <class W> struct arithmetic {
  static constexpr int width = 64 / int(sizeof(W));
  static constexpr bool logical = sizeof(W) == 1;
  typedef W vector __attribute__((vector_size(32), may_alias));

  template <class V> static NW_INLINE void add_product(V& sum, const V& x, const V& y) {
    if constexpr (logical) {
      sum |= x & y;
    } else if constexpr (std::is_integral_v<V>) {
      sum = V(sum + V(1u * x * y));  // 16 bits would be promoted to int, which overflows
    } else {
      sum += x * y;
    }
  }
};

// sums (height x width, rows `pitch` apart) += left (k groups of `height`) @ right (k groups of
// `width`).
template <class W>
NW_INLINE void multiply_panel(const W* left, const W* right, std::int64_t k, W* sums,
                              std::int64_t pitch) {
  using vector = typename arithmetic<W>::vector;
  constexpr int half = arithmetic<W>::width / 2;
  vector acc[height][2];
  for (int i = 0; i < height; ++i) {
    acc[i][0] = *reinterpret_cast<const vector*>(sums + i * pitch);
    acc[i][1] = *reinterpret_cast<const vector*>(sums + i * pitch + half);
  }
  for (std::int64_t l = 0; l < k; ++l, left += height, right += 2 * half) {
    const vector y0 = *reinterpret_cast<const vector*>(right);
    const vector y1 = *reinterpret_cast<const vector*>(right + half);
#pragma GCC unroll 6
    for (int i = 0; i < height; ++i) {
      const vector x = left[i] - vector{};
      arithmetic<W>::add_product(acc[i][0], x, y0);
      arithmetic<W>::add_product(acc[i][1], x, y1);
    }
  }
  for (int i = 0; i < height; ++i) {
    *reinterpret_cast<vector*>(sums + i * pitch) = acc[i][0];
    *reinterpret_cast<vector*>(sums + i * pitch + half) = acc[i][1];
  }
}

// The sum of x[i] * y[i].
template <class T, class W> NW_INLINE W dot(const T* x, const W* y, std::int64_t n) {
  W sum = 0;
  for (std::int64_t i = 0; i < n; ++i) arithmetic<W>::add_product(sum, W(x[i]), y[i]);
  return sum;
}

// sums += x * y, y a number.
template <class T, class W> NW_INLINE void add_scaled(W* sums, const T* x, W y, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) arithmetic<W>::add_product(sums[i], W(x[i]), y);
}

// The loops for each instruction set: always-inline functions take on that of their caller.
template <class T, class W> struct kernels {
  void (*panel)(const W*, const W*, std::int64_t, W*, std::int64_t);
  W (*dot)(const T*, const W*, std::int64_t);
  void (*add_scaled)(W*, const T*, W, std::int64_t);
};

#define NW_DEFINE_KERNELS(name, attribute)                                                     \
  namespace name {                                                                             \
  template <class W>                                                                           \
  attribute void panel(const W* x, const W* y, std::int64_t k, W* sums, std::int64_t pitch) {  \
    multiply_panel(x, y, k, sums, pitch);                                                      \
  }                                                                                            \
  template <class T, class W> attribute W vector_dot(const T* x, const W* y, std::int64_t n) { \
    return dot(x, y, n);                                                                       \
  }                                                                                            \
  template <class T, class W>                                                                  \
  attribute void vector_add(W* sums, const T* x, W y, std::int64_t n) {                        \
    add_scaled(sums, x, y, n);                                                                 \
  }                                                                                            \
  template <class T, class W>                                                                  \
  constexpr kernels<T, W> all{panel<W>, vector_dot<T, W>, vector_add<T, W>};                   \
  }
NW_FOR_EACH_ISA(NW_DEFINE_KERNELS)

template <class T, class W> const kernels<T, W>& best_kernels() {
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
  if (best_isa() == isa::v3) return v3::all<T, W>;
#endif
  return base::all<T, W>;
}

template <class T> T& at(const plan::matrix& x, std::int64_t row, std::int64_t column) {
  return *reinterpret_cast<T*>(x.data + row * x.row + column * x.column);
}

// Packs a block of `rows` x k as groups of `group` rows: all of column 0, then column 1, ...; the
// last group is filled up with zeros. The right matrix is packed as its transpose.
template <class T, class W>
void pack(const plan::matrix& x, std::int64_t row, std::int64_t rows, std::int64_t column,
          std::int64_t k, int group, W* out) {
  for (std::int64_t i = 0; i < rows; i += group, out += group * k) {
    const std::int64_t n = std::min<std::int64_t>(group, rows - i);
    if (n < group) std::fill(out, out + group * k, W(0));
    if (x.row < x.column) {
      for (std::int64_t l = 0; l < k; ++l) {
        for (std::int64_t r = 0; r < n; ++r)
          out[l * group + r] = W(at<T>(x, row + i + r, column + l));
      }
    } else {
      for (std::int64_t r = 0; r < n; ++r) {
        for (std::int64_t l = 0; l < k; ++l)
          out[l * group + r] = W(at<T>(x, row + i + r, column + l));
      }
    }
  }
}

// Work memory of one thread.
template <class W> struct tile_memory {
  static constexpr std::int64_t columns = panels * arithmetic<W>::width;
  alignas(64) W left[tile_rows * depth];
  alignas(64) W right[columns * depth];
  alignas(64) W sums[tile_rows * columns];
};

template <class T, class W>
void multiply_tile(const plan::single_product& p, std::int64_t row, std::int64_t column,
                   tile_memory<W>& t) {
  constexpr std::int64_t width = arithmetic<W>::width, pitch = tile_memory<W>::columns;
  const std::int64_t m = std::min<std::int64_t>(tile_rows, p.m - row);
  const std::int64_t n = std::min(pitch, p.n - column);
  const auto& kernel = best_kernels<T, W>();
  std::fill(t.sums, t.sums + tile_rows * pitch, W(0));
  for (std::int64_t l = 0; l < p.k; l += depth) {
    const std::int64_t k = std::min<std::int64_t>(depth, p.k - l);
    pack<T>(p.a, row, m, l, k, height, t.left);
    pack<T>(p.b.transposed(), column, n, l, k, width, t.right);
    for (std::int64_t j = 0; j < n; j += width) {
      for (std::int64_t i = 0; i < m; i += height) {
        kernel.panel(t.left + i * k, t.right + j * k, k, t.sums + i * pitch + j, pitch);
      }
    }
  }
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      at<T>(p.c, row + i, column + j) = T(t.sums[i * pitch + j]);
    }
  }
}

template <class T, class W> void multiply_matrices(const plan::single_product& p) {
  constexpr std::int64_t width = tile_memory<W>::columns;
  const std::int64_t down = (p.m + tile_rows - 1) / tile_rows, across = (p.n + width - 1) / width;
  parallel_for(down * across, [&](std::int64_t first, std::int64_t last) {
    const auto memory = scratch<tile_memory<W>>(1);
    for (std::int64_t i = first; i < last; ++i) {
      multiply_tile<T, W>(p, i / across * tile_rows, i % across * width, *memory.get());
    }
  });
}

// c[row...] = a @ vector for some rows, a's lines being its rows or its columns.
template <class T, class W>
void multiply_rows(const plan::single_product& p, const W* vector, std::int64_t row,
                   std::int64_t rows, W* sums) {
  const auto& kernel = best_kernels<T, W>();
  std::fill(sums, sums + rows, W(0));
  if (plan::as_blas_matrix(p.a, p.m, p.k, int(sizeof(T))).transposed) {
    for (std::int64_t l = 0; l < p.k; ++l) {
      kernel.add_scaled(sums, &at<T>(p.a, row, l), vector[l], rows);
    }
  } else {
    for (std::int64_t i = 0; i < rows; ++i)
      sums[i] = kernel.dot(&at<T>(p.a, row + i, 0), vector, p.k);
  }
  for (std::int64_t i = 0; i < rows; ++i) at<T>(p.c, row + i, 0) = T(sums[i]);
}

template <class T, class W> void multiply_vector(const plan::single_product& p) {
  const auto vector = scratch<W>(p.k);
  for (std::int64_t l = 0; l < p.k; ++l) vector[std::size_t(l)] = W(at<T>(p.b, l, 0));
  // Long pieces of columns; of rows, few enough that all threads get some.
  constexpr std::int64_t most = 2048;
  const bool by_columns = plan::as_blas_matrix(p.a, p.m, p.k, int(sizeof(T))).transposed;
  const std::int64_t rows = by_columns ? most : std::clamp<std::int64_t>(65536 / p.k, 16, 512);
  parallel_for((p.m + rows - 1) / rows, [&](std::int64_t first, std::int64_t last) {
    W sums[most];
    for (std::int64_t i = first * rows; i < std::min(last * rows, p.m); i += rows) {
      multiply_rows<T, W>(p, vector.get(), i, std::min(rows, p.m - i), sums);
    }
  });
}

template <class T, class W> void run(const plan::single_product& p) {
  if (p.n == 1) return multiply_vector<T, W>(p);
  if (p.m == 1) return multiply_vector<T, W>(p.transposed());
  const bool by_columns = plan::as_blas_matrix(p.c, p.m, p.n, int(sizeof(T))).transposed;
  multiply_matrices<T, W>(by_columns ? p.transposed() : p);
}

}  // namespace

void real_product(dtype type, const plan::single_product& p) {
  type == dtype::float32 ? run<float, float>(p) : run<double, double>(p);
}

void strided_product(dtype type, const plan::single_product& p) {
  type == dtype::float32 ? multiply_matrices<float, float>(p)
                         : multiply_matrices<double, double>(p);
}

void integer_product(dtype type, const plan::single_product& p) {
  if (type == dtype::bool_) return run<bool, std::uint8_t>(p);
  switch (itemsize(type)) {
    case 1:
      return run<std::uint8_t, std::uint16_t>(p);
    case 2:
      return run<std::uint16_t, std::uint16_t>(p);
    case 4:
      return run<std::uint32_t, std::uint32_t>(p);
    default:
      return run<std::uint64_t, std::uint64_t>(p);
  }
}

}  // namespace numwarp::cpu_backend
