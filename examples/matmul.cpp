// matmul [N]: two random N x N matrices (1000) from the host, multiplied on the device, the product
// brought back and checked.
#include <iostream>
#include <numwarp/numwarp.hpp>
#include <random>
#include <string>
#include <vector>

#include "arguments.hpp"

namespace nw = numwarp;

std::vector<float> random_numbers(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> between(0, 1);
  std::vector<float> v(n);
  for (float& x : v) x = between(generator);
  return v;
}

// One element of the product, by the definition.
double element(const std::vector<float>& a, const std::vector<float>& b, std::int64_t n,
               std::int64_t row, std::int64_t column) {
  double sum = 0;
  for (std::int64_t k = 0; k < n; ++k)
    sum += double(a[std::size_t(row * n + k)]) * double(b[std::size_t(k * n + column)]);
  return sum;
}

int main(int argc, char** argv) try {
  const std::int64_t n = positive(argc, argv, 1, 1000);
  const auto host_a = random_numbers(std::size_t(n * n), 1);
  const auto host_b = random_numbers(std::size_t(n * n), 2);

  const auto a = nw::asarray(host_a).reshape({n, n});  // to the device
  const auto b = nw::asarray(host_b).reshape({n, n});
  const auto c = nw::dot(a, b);
  const auto back = nw::asnumpy(c);
  std::cout << "product of two " << to_string(c.shape()) << " matrices on " << to_string(c.device())
            << ":\n"
            << back << '\n';

  bool right = true;
  for (std::int64_t i = 0; i < n; i += std::max<std::int64_t>(1, n / 10)) {
    const double wanted = element(host_a, host_b, n, i, n - 1 - i);
    right &= std::abs(double(back.item(i, n - 1 - i)) - wanted) <= 1e-5 * wanted;
  }
  std::cout << (right ? "checked against the definition\n" : "wrong\n");
  return right ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
