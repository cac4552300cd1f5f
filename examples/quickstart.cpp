// The first minutes: make an array, print it, compute, and bring the result back.
#include <iostream>
#include <numwarp/numwarp.hpp>
#include <vector>

namespace nw = numwarp;

int main() {
  auto a = nw::array({1, 2, 3, 4});  // int64, as in NumPy
  std::cout << a << '\n';            // [1 2 3 4]

  const std::vector<float> host{0.5f, 1.5f, 2.5f};
  auto x = nw::asarray(host);  // host -> device: the GPU where there is one
  auto y = x * 2 + 1;          // computed where x lives
  auto back = nw::asnumpy(y);  // device -> host; waits for the result
  std::cout << back << " from " << to_string(x.device()) << '\n';  // [2. 4. 6.] from cpu

  return back.to_vector() == std::vector<float>{2, 4, 6} ? 0 : 1;
}
