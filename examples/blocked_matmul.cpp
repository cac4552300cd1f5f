// blocked_matmul [BLOCK [N]]: the product of two N x N matrices (512), BLOCK x BLOCK elements at a
// time (128), each block read and written through a view.
#include <charconv>
#include <cstring>
#include <iostream>
#include <numwarp/numwarp.hpp>
#include <string>

namespace nw = numwarp;

std::int64_t positive(const char* text) {
  std::int64_t n = 0;
  const char* end = text + std::strlen(text);
  if (std::from_chars(text, end, n).ptr != end || n < 1) {
    throw nw::value_error("blocked_matmul: expected a positive number, got " + std::string(text));
  }
  return n;
}

nw::ndarray<float> blocked(const nw::ndarray<float>& a, const nw::ndarray<float>& b,
                           std::int64_t block) {
  const std::int64_t n = a.shape()[0];
  auto c = nw::zeros<float>({n, n});
  for (std::int64_t i = 0; i < n; i += block) {
    for (std::int64_t j = 0; j < n; j += block) {
      for (std::int64_t k = 0; k < n; k += block) {
        // Slices end at the array's edge, as in Python: the last block may be smaller.
        const nw::slice rows(i, i + block), columns(j, j + block), inner(k, k + block);
        c(rows, columns) += nw::dot(a(rows, inner), b(inner, columns));
      }
    }
  }
  return c;
}

int main(int argc, char** argv) try {
  const std::int64_t block = argc > 1 ? positive(argv[1]) : 128;
  const std::int64_t n = argc > 2 ? positive(argv[2]) : 512;

  // Small whole numbers: sums of their products are exact in any order.
  auto a = (nw::arange<float>(n * n) % 7).reshape({n, n});
  auto b = (nw::arange<float>(n * n) % 11).reshape({n, n});
  auto pool = nw::get_default_memory_pool();
  std::cout << "in use before: " << pool.used_bytes() << " bytes on " << to_string(a.device())
            << '\n';

  pool.reset_peak();
  auto c = blocked(a, b, block);
  std::cout << "in use after:  " << pool.used_bytes() << " bytes, at most " << pool.peak_bytes()
            << '\n'
            << c << '\n';

  const bool same = nw::all(c == nw::dot(a, b)).item();
  std::cout << (same ? "equal to dot(a, b)\n" : "not equal to dot(a, b)\n");
  return same ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
