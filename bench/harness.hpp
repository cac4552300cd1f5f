// A benchmark case is a name, the bytes or flops that it must move or do, and a lambda that ends in
// compute(). Names are those of bench/peers/, so that compare.py can set them side by side.
#pragma once

#include <functional>
#include <numwarp/numwarp.hpp>
#include <string>

namespace nw = numwarp;

namespace bench {

// Bytes and flops of one call; whichever is given is reported as a rate.
struct cost {
  double bytes = 0;
  double flops = 0;
};

// A large operation: every call is waited for. `launches` is what one call must launch: a pending
// result that nobody computes would cost nothing and measure nothing, and fails the case.
void large(const std::string& name, cost c, std::function<void()> call, int launches = 1);

// A small one: calls are issued back to back, and the host's time for each is what counts.
void small(const std::string& name, std::function<void()> call, int launches = 1);

// Registers the cases of a file, from main(): a GPU's kernels are not there before it.
struct group {
  explicit group(void (*add_cases)());
};

// 2^24 elements on a CPU, 2^28 on a GPU, where a smaller array would measure the caches.
int log2_size();
std::string power_of_two(int n);  // "2^28"

// Values that are neither zeros nor all alike: x[i] in [0, 1), from integer arithmetic.
nw::ndarray<float> values(const nw::shape& s, int seed = 1);

}  // namespace bench
