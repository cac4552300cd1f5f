// shared_memory_matmul [FILE]: matrices multiplied by a kernel of one's own, 16 x 16 tiles in
// shared memory, and checked against dot.
#include <cmath>
#include <iostream>
#include <numwarp/kernel.hpp>
#include <numwarp/numwarp.hpp>
#include <string>

namespace nw = numwarp;

constexpr int tile = 16;

bool multiply(const nw::raw_kernel& kernel, int m, int k, int n) {
  auto random = nw::random::default_rng(1);
  const auto a = random.random<float>({m, k}), b = random.random<float>({k, n});
  const auto c = nw::empty<float>({m, n});
  kernel({(n + tile - 1) / tile, (m + tile - 1) / tile}, {tile, tile}, nw::in(a), nw::in(b), c, m,
         k, n);
  const double error = double(nw::max(nw::abs(c - nw::dot(a, b))).item());
  const bool right = error < 1e-5 * k;
  std::cout << '(' << m << ", " << k << ") times (" << k << ", " << n
            << "): " << (right ? "as dot" : "wrong") << '\n';
  return right;
}

int main(int argc, char** argv) try {
  const std::string file = argc > 1 ? argv[1] : EXAMPLES_DATA "/matrix_multiply.cu";
  if (nw::default_device().is_cpu()) {
    std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0)) << "): the kernel of " << file
              << " is skipped\n";
    return 0;
  }
  const auto kernel =
      nw::raw_module::from_file(file, {.options = {"-DTILE=" + std::to_string(tile)}})
          .get_function("matrix_multiply");
  std::cout << kernel.name() << ": " << kernel.attributes().registers << " registers, "
            << kernel.attributes().shared_bytes << " bytes of shared memory\n";
  bool right = true;
  for (const auto& [m, k, n] :
       {std::array{1024, 1024, 1024}, {16, 16, 16}, {1, 1, 1}, {100, 37, 61}, {1000, 999, 17}})
    right &= multiply(kernel, m, k, n);
  return right ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
