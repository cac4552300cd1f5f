// Copies of views: transposition, reversal, strides, selection by mask; arrays joined and
// rearranged.
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

void joins() {
  const std::string halves = "_f32_2x" + bench::power_of_two(log2 - 1);
  const std::string whole = "_f32_" + bench::power_of_two(log2);
  const std::int64_t half = std::int64_t(1) << (log2 - 1);
  const auto a = bench::values(half, 3), b = bench::values(half, 4);
  large("concatenate" + halves, {8 * n}, [=] { nw::concatenate({a, b}); });
  large("stack_last" + halves, {8 * n}, [=] { nw::stack({a, b}, {.axis = -1}); });
  large("tile" + whole, {6 * n}, [=] { nw::tile(a, 2); });
  large("repeat" + whole, {6 * n}, [=] { nw::repeat(a, 2); });
  const auto m = bench::values({side, side}, 5);
  large("roll" + whole, {8 * n}, [v = m.ravel()] { nw::roll(v, 1001); });
  large("roll_axis1" + square, {8 * n}, [=] { nw::roll(m, 1001, 1); });
  large("pad_constant" + square, {8 * n}, [=] { nw::pad(m, 1); });
  large("pad_reflect" + square, {8 * n}, [=] { nw::pad(m, 3, "reflect"); });
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
  joins();
  selections();
});

}  // namespace
