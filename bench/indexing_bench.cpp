// Gathers and scatters by index arrays.
#include "harness.hpp"

namespace {

using bench::large;

const int log2 = bench::log2_size() - 2;
const std::int64_t n = std::int64_t(1) << log2;
const std::string size = "_f32_" + bench::power_of_two(log2);

// Anywhere below `count`, some places several times.
nw::ndarray<std::int64_t> jumps(std::int64_t count) {
  return nw::random::default_rng(1).integers(count, {count}).compute();
}

void elements() {
  const auto a = bench::values({n}, 1), v = bench::values({n}, 2), target = a.copy();
  const auto places = jumps(n);
  const double bytes = 16 * double(n);
  large("take_i64" + size, {bytes}, [=] { nw::take(a, places).compute(); });
  large("put_i64" + size, {bytes}, [=] { target(places) = v; });
  large("add_at_i64" + size, {bytes}, [=] { nw::add.at(target, places, v); });
}

void lines() {
  const std::int64_t side = std::int64_t(1) << (log2 / 2);
  const auto m = bench::values({side, side}, 3);
  const auto places = jumps(side);
  const std::string square = "_f32_" + std::to_string(side);
  large("take_rows" + square, {8 * double(side * side)}, [=] { nw::take(m, places, 0).compute(); });
  large("take_columns" + square, {8 * double(side * side)},
        [=] { nw::take(m, places, 1).compute(); });
}

const bench::group cases([] {
  elements();
  lines();
});

}  // namespace
