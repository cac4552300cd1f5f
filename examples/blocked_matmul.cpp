// blocked_matmul [BLOCK [N]]: the product of two N x N matrices (512), BLOCK x BLOCK elements at a
// time (128), each block read and written through a view.
#include <chrono>
#include <iostream>
#include <numwarp/numwarp.hpp>

#include "arguments.hpp"

namespace nw = numwarp;

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
  const std::int64_t block = positive(argc, argv, 1, 128);
  const std::int64_t n = positive(argc, argv, 2, 512);

  // Small whole numbers: sums of their products are exact in any order.
  auto a = (nw::arange<float>(n * n) % 7).reshape({n, n});
  auto b = (nw::arange<float>(n * n) % 11).reshape({n, n});
  auto pool = nw::get_default_memory_pool();
  std::cout << "in use before: " << pool.used_bytes() << " bytes on " << to_string(a.device())
            << '\n';

  const auto timed = [&](const char* what, const auto& product) {
    product();  // kernels and work memory are there before the clock starts
    nw::synchronize();
    pool.reset_peak();
    const std::int64_t before = pool.used_bytes();
    const auto start = std::chrono::steady_clock::now();
    const auto c = product();
    nw::synchronize();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << what << ": at most " << pool.peak_bytes() - before << " bytes more, "
              << 2 * double(n) * double(n) * double(n) / took.count() * 1e-9 << " GFLOP/s\n";
    return c;
  };
  const auto whole = timed("at once  ", [&] { return nw::dot(a, b); });
  const auto c = timed("by blocks", [&] { return blocked(a, b, block); });
  std::cout << c << '\n';

  const bool same = nw::all(c == whole).item();
  std::cout << (same ? "equal to dot(a, b)\n" : "not equal to dot(a, b)\n");
  return same ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
