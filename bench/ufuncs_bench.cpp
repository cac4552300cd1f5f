// Elementwise statements: single ops, fused ones, broadcasting, casts, small arrays.
#include <numwarp/function.hpp>

#include "harness.hpp"

namespace {

using bench::large;
using bench::small;

const double n = double(std::int64_t(1) << bench::log2_size());
const std::string size = "_f32_" + bench::power_of_two(bench::log2_size());
const std::int64_t side = bench::log2_size() == 28 ? 16384 : 4096;
const std::string square = "_f32_" + std::to_string(side);

void single_ops() {
  const auto a = bench::values(nw::shape(std::int64_t(n)), 1),
             b = bench::values(nw::shape(std::int64_t(n)), 2);
  const auto c = bench::values(nw::shape(std::int64_t(n)), 3),
             d = bench::values(nw::shape(std::int64_t(n)), 4);
  const auto out = nw::empty_like(a);
  large("copy" + size, {8 * n}, [=] { a.copy().compute(); });
  large("add" + size, {12 * n}, [=] { (a + b).compute(); });
  large("add_out" + size, {12 * n}, [=] { nw::add(a, b, {.out = out}); });
  large("mul_scalar" + size, {8 * n}, [=] { (a * 2.5f).compute(); });
  large("sqrt" + size, {8 * n}, [=] { nw::sqrt(a).compute(); });
  large("exp" + size, {8 * n}, [=] { nw::exp(a).compute(); });
  large("log" + size, {8 * n}, [=] { nw::log(a).compute(); });
  large("sin" + size, {8 * n}, [=] { nw::sin(a).compute(); });
  large("tanh" + size, {8 * n}, [=] { nw::tanh(a).compute(); });
  large("power" + size, {12 * n}, [=] { nw::power(a, b).compute(); });
  large("greater" + size, {9 * n}, [=] { (a > b).compute(); });
  large("maximum" + size, {12 * n}, [=] { nw::maximum(a, b).compute(); });
  large("fma" + size, {16 * n}, [=] { (a * b + c).compute(); });
  large("three_ops" + size, {20 * n}, [=] { (a * b + c - d).compute(); });
  large("sqrt_square_minus" + size, {12 * n}, [=] { (nw::sqrt(a * a + 1) - b).compute(); });
  large("trig" + size, {8 * n}, [=] { (nw::sin(a) * nw::cos(a) + nw::exp(-a)).compute(); });
  large("where" + size, {12 * n}, [=] { nw::where(a > 0.5f, a, b).compute(); });
}

NW_FUNCTION(softplus, (x), log1p(exp(-abs(x))) + maximum(x, 0));
NW_FUNCTION(leaky, (x, slope), where(x > 0, x, slope* x));
NW_FUNCTION_BODY(leaky_body, (x, slope), {
  if (x > 0) return x;
  return slope * x;
});

void functions() {
  const auto a = bench::values(nw::shape(std::int64_t(n)), 1),
             b = bench::values(nw::shape(std::int64_t(n)), 2);
  large("function_leaky" + size, {12 * n}, [=] { (leaky(a - b, 0.1) * 2).compute(); });
  large("function_body_leaky" + size, {12 * n}, [=] { (leaky_body(a - b, 0.1) * 2).compute(); });
  large("function_softplus" + size, {12 * n}, [=] { softplus(a - b).compute(); });
}

void broadcasts() {
  const auto m = bench::values({side, side}, 4), row = bench::values(nw::shape(side), 5);
  const auto column = row.reshape({side, 1});
  large("add_row" + square, {8 * n}, [=] { (m + row).compute(); });
  large("add_col" + square, {8 * n}, [=] { (m + column).compute(); });
  large("add_transposed" + square, {12 * n}, [=] { (m + m.T()).compute(); });
}

void casts() {
  const auto a = (bench::values(nw::shape(std::int64_t(n)), 6) * 255.0f).compute();
  const auto bytes = a.astype<std::uint8_t>().compute();
  large("astype_u8_f32_" + bench::power_of_two(bench::log2_size()), {5 * n},
        [=] { bytes.astype<float>().compute(); });
  large("astype_f32_u8_" + bench::power_of_two(bench::log2_size()), {5 * n},
        [=] { a.astype<std::uint8_t>().compute(); });
  large("u8_to_f32_div255_" + bench::power_of_two(bench::log2_size()), {5 * n},
        [=] { (bytes.astype<float>() / 255.0f).compute(); });
}

void small_arrays() {
  const auto a = bench::values({1024}, 7), b = bench::values({1024}, 8),
             c = bench::values({1024}, 9);
  const auto out = nw::empty_like(a);
  const auto m = bench::values({32, 32}, 10), row = bench::values({32}, 11);
  small("small_add_1024", [=] { (a + b).compute(); });
  small("small_add_out_1024", [=] { nw::add(a, b, {.out = out}); });
  small("small_fma_1024", [=] { (a * b + c).compute(); });
  small("small_four_ops_1024", [=] { (nw::sqrt(a * a + b) - c).compute(); });
  small("small_bcast_32x32", [=] { (m + row).compute(); });
  small(
      "small_slice", [=] { a(nw::slice(2, 500)); }, 0);
  small("small_sum_1024", [=] { nw::sum(a).compute(); });
}

const bench::group cases([] {
  single_ops();
  functions();
  broadcasts();
  casts();
  small_arrays();
});

}  // namespace
