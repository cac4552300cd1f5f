// Copies of views: transposition, reversal, strides, selection by mask.
#include "harness.hpp"

namespace {

using bench::large;

const int log2 = bench::log2_size();
const double n = double(std::int64_t(1) << log2);
const std::int64_t side = log2 == 28 ? 16384 : 4096;
const std::string square = "_f32_" + std::to_string(side);

void copies() {
  const auto m = bench::values({side, side}, 1);
  large("transpose" + square, {8 * n}, [=] { nw::ascontiguousarray(m.T()).compute(); });
  const auto cube = m.reshape({64, side * side / 64 / 256, 256});
  large("transpose3d_210_f32", {8 * n}, [=] { nw::ascontiguousarray(cube.transpose()).compute(); });
  large("flip_axis1" + square, {8 * n}, [=] { nw::flip(m, 1).copy(nw::order::c).compute(); });
  const auto v = m.ravel();
  large("strided_copy_f32_" + bench::power_of_two(log2 - 1), {6 * n},
        [=] { v(nw::slice(nw::none, nw::none, 2)).copy(nw::order::c).compute(); });
}

void selections() {
  const auto a = bench::values(nw::shape(std::int64_t(1) << (log2 - 1)), 2);
  const auto mask = (a > 0.5f).compute();
  large(
      "mask_select_f32_" + bench::power_of_two(log2 - 1), {3.5 * n}, [=] { a(mask).compute(); }, 0);
  const auto target = a.copy();
  large("mask_assign_f32_" + bench::power_of_two(log2 - 1), {4.5 * n}, [=] { target(mask) = 0; });
}

const bench::group cases([] {
  copies();
  selections();
});

}  // namespace
