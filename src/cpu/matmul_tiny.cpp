// Products that are over before a library call would have begun.
#include <numwarp/core/cast.hpp>
#include <numwarp/core/dtypes.hpp>
#include <type_traits>

#include "cpu/matmul.hpp"

namespace numwarp::cpu_backend {

namespace {

constexpr std::int64_t most_columns = 32, most_work = 1000;

// The type that products of T are summed in: float for the halves, T's own arithmetic otherwise
// (unsigned, so that it wraps around; at least 32 bits, since less would be promoted to int).
template <class T> auto sum_of() {
  if constexpr (core::is_half<T>) {
    return float{};
  } else if constexpr (std::is_same_v<T, bool> || !std::is_integral_v<T>) {
    return T{};
  } else {
    return std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>{};
  }
}

template <class W> void add_product(W& sum, W x, W y) {
  if constexpr (std::is_same_v<W, bool>) {
    sum = sum | (x & y);
  } else {
    sum = sum + x * y;
  }
}

template <class T> T& at(const plan::matrix& x, std::int64_t row, std::int64_t column) {
  return *reinterpret_cast<T*>(x.data + row * x.row + column * x.column);
}

template <class T> void multiply(const plan::single_product& p) {
  using W = decltype(sum_of<T>());
  for (std::int64_t i = 0; i < p.m; ++i) {
    W sums[most_columns] = {};
    for (std::int64_t l = 0; l < p.k; ++l) {
      const W x = W(at<T>(p.a, i, l));
      for (std::int64_t j = 0; j < p.n; ++j) add_product(sums[j], x, W(at<T>(p.b, l, j)));
    }
    for (std::int64_t j = 0; j < p.n; ++j) at<T>(p.c, i, j) = T(sums[j]);
  }
}

}  // namespace

bool is_tiny(const plan::single_product& p) {
  return p.n <= most_columns && p.m <= most_work && p.k <= most_work &&
         p.m * p.n * p.k <= most_work;
}

void tiny_product(dtype type, const plan::single_product& p) {
  switch (type) {
#define NW_DTYPE(tag, type, name, kind, npy) \
  case dtype::tag:                           \
    return multiply<type>(p);
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
}

}  // namespace numwarp::cpu_backend
