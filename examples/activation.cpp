// activation: activation functions of your own, joined with the additions of a bias into one pass.
#include <iostream>
#include <numwarp/function.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>

namespace nw = numwarp;

// One expression: it becomes the same steps as the expression of arrays.
NW_FUNCTION(softplus, (x), log1p(exp(-abs(x))) + maximum(x, 0));
NW_FUNCTION(gelu, (x), 0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))));

// Statements: compiled with this program for the CPU, at the first use for a GPU.
NW_FUNCTION_BODY(soft_threshold, (x, width), {
  if (x > width) return x - width;
  if (x < -width) return x + width;
  return 0 * x;
});

int main() try {
  const auto x = nw::random::default_rng(7).standard_normal<float>({1024, 1024});
  const auto bias = nw::linspace<float>(-1, 1, 1024);

  const auto before = nw::launch_count();
  const auto y = (gelu(x + bias) + soft_threshold(x - bias, 0.5)).compute();
  const auto launches = nw::launch_count() - before;
  std::cout << "gelu(x + bias) + soft_threshold(x - bias): " << launches << " pass over memory on "
            << nw::to_string(y.device()) << ", mean " << y.mean() << '\n';

  // The same by array functions alone.
  const auto u = x + bias, v = x - bias;
  const auto want = 0.5 * u * (1 + nw::tanh(0.7978845608 * (u + 0.044715 * u * u * u))) +
                    nw::sign(v) * nw::maximum(nw::abs(v) - 0.5, 0);
  const bool equal = nw::allclose(y, want, {.rtol = 1e-5, .atol = 1e-6});
  std::cout << "softplus: " << softplus(nw::array<float>({-100, -1, 0, 1, 100})) << '\n'
            << (equal ? "equal to" : "different from") << " the formula of array functions\n";
  return equal && launches == 1 ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
