// Reductions over all axes, the last and the first, of names and of temporaries.
#include "harness.hpp"

namespace {

using bench::large;

const double n = double(std::int64_t(1) << bench::log2_size());
const std::string size = "_f32_" + bench::power_of_two(bench::log2_size());
const std::int64_t side = bench::log2_size() == 28 ? 16384 : 4096;
const std::string square = "_f32_" + std::to_string(side);

void all_axes() {
  const auto a = bench::values(nw::shape(std::int64_t(n)), 1);
  large("sum" + size, {4 * n}, [=] { nw::sum(a).compute(); });
  large("sumsq" + size, {4 * n}, [=] { nw::sum(a * a).compute(); });
  large("max" + size, {4 * n}, [=] { nw::max(a).compute(); });
  large("argmax" + size, {4 * n}, [=] { nw::argmax(a).compute(); });
  large("mean" + size, {4 * n}, [=] { nw::mean(a).compute(); });
  large("var" + size, {4 * n}, [=] { nw::var(a).compute(); });
}

void one_axis() {
  const auto m = bench::values({side, side}, 2);
  large("sum_axis0" + square, {4 * n}, [=] { nw::sum(m, 0).compute(); });
  large("sum_axis1" + square, {4 * n}, [=] { nw::sum(m, 1).compute(); });
  large("var_axis1" + square, {4 * n}, [=] { nw::var(m, 1).compute(); });
  large("argmax_axis1" + square, {4 * n}, [=] { nw::argmax(m, 1).compute(); });
  const auto cube = m.reshape({64, -1, 256});
  large("sum_axis02_f32_64x_x256", {4 * n}, [=] { nw::sum(cube, {0, 2}).compute(); });
}

const bench::group cases([] {
  all_axes();
  one_axis();
});

}  // namespace
