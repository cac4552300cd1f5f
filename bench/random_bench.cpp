// Random numbers: 2^26 elements on a GPU, 2^22 on a CPU.
#include "harness.hpp"

namespace {

using bench::large;

const int log2 = bench::log2_size() - 2;
const nw::shape n(std::int64_t(1) << log2);
const std::string size = "_" + bench::power_of_two(log2);

const bench::group cases([] {
  const double count = double(n[0]);
  static auto rng = nw::random::default_rng(1);
  large("random_f32" + size, {4 * count}, [] { rng.random<float>(n).compute(); });
  large("random_f64" + size, {8 * count}, [] { rng.random<double>(n).compute(); });
  large("normal_f32" + size, {4 * count}, [] { rng.standard_normal<float>(n).compute(); });
  large("normal_f64" + size, {8 * count}, [] { rng.standard_normal<double>(n).compute(); });
  large("integers_i32" + size, {4 * count}, [] { rng.integers<int>(0, 1000, n).compute(); });
});

}  // namespace
