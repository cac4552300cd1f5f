// monte_carlo [PAIRS]: the price of a call option by PAIRS pairs of random paths (2^20), drawn and
// valued by one elementwise kernel that uses the library's own random numbers: nothing but the
// payoffs is stored. The same numbers drawn by a generator give the same price.
#include <cmath>
#include <iostream>
#include <numwarp/elementwise_kernel.hpp>
#include <numwarp/numwarp.hpp>

#include "arguments.hpp"

namespace nw = numwarp;

constexpr double spot = 100, strike = 105, interest = 0.03, volatility = 0.2, years = 1;
constexpr double drift = (interest - volatility * volatility / 2) * years;
constexpr int seed = 42;
const double spread = volatility * std::sqrt(years), discount = std::exp(-interest * years);

// Block i of the stream makes two normal numbers, as it does for a generator.
const nw::elementwise_kernel payoffs(
    "uint64 seed, float64 drift, float64 spread, float64 spot, "
    "float64 strike",
    "float64 payoff", R"(
  using namespace numwarp::core::random;
  const words w = block(seed, i);
  const double r = radius<double>(wide(w.a, w.b));
  const direction<double> d = direction_of<double>(wide(w.c, w.d));
  const double first = spot * exp(drift + spread * r * d.x) - strike;
  const double second = spot * exp(drift + spread * r * d.y) - strike;
  payoff = (fmax(first, 0.0) + fmax(second, 0.0)) / 2;
)",
    "payoffs", {.preamble = "#include <numwarp/core/random.hpp>"});

double by_kernel(std::int64_t pairs) {
  const auto made = payoffs.launch({.size = pairs}, seed, drift, spread, spot, strike);
  return discount * nw::mean(nw::ndarray<double>(made[0])).item();
}

double by_arrays(std::int64_t pairs) {
  const auto z = nw::random::default_rng(seed).standard_normal({2 * pairs});
  return discount * nw::mean(nw::maximum(spot * nw::exp(drift + spread * z) - strike, 0.0)).item();
}

// Black and Scholes' formula.
double exact_price() {
  const auto below = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const double d = (std::log(spot / strike) + drift) / spread;
  return spot * below(d + spread) - strike * discount * below(d);
}

int main(int argc, char** argv) try {
  const std::int64_t pairs = positive(argc, argv, 1, 1 << 20);
  const double exact = exact_price(), arrays = by_arrays(pairs);
  std::cout << "exact price      " << exact << '\n' << "by arrays        " << arrays << '\n';
  bool good = std::abs(arrays - exact) < 100 / std::sqrt(double(pairs));  // seven standard errors
  if (nw::default_device().is_cpu()) {
    std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0)) << "): the kernel is skipped\n";
    return good ? 0 : 1;
  }
  const double kernel = by_kernel(pairs);
  std::cout << "by one kernel    " << kernel << '\n';
  good &= std::abs(kernel - arrays) < 1e-9 * exact;
  return good ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
