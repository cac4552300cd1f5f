// elementwise_kernel and reduction_kernel. Launches need a GPU; without one the refusals are
// tested. What a kernel is made of: tests/plan/formula_test.cpp,
// tests/cuda/formula_codegen_test.cpp.
#include <gtest/gtest.h>

#include <numwarp/elementwise_kernel.hpp>
#include <numwarp/function.hpp>
#include <numwarp/memory.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>
#include <numwarp/testing.hpp>
#include <string>
#include <vector>

#include "support/devices.hpp"
#include "support/errors.hpp"

namespace nw = numwarp;
using numwarp::testing::assert_array_equal;
using numwarp::testing::text_of;

namespace {

const nw::elementwise_kernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)",
                                          "squared_diff");
const nw::reduction_kernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");

TEST(FormulaOnTheCpu, SaysWhatToUseInstead) {
  const auto a = nw::ones<float>(4, nw::order::c, nw::cpu);
  EXPECT_EQ(
      text_of<nw::device_error>([&] { squared_diff(a, 2.0f); }),
      "squared_diff: its text is CUDA C++, which runs on CUDA devices, not on cpu; NW_FUNCTION "
      "makes a function that runs on both");
  EXPECT_THROW(norm(a), nw::device_error);
}

TEST(FormulaOnTheCpu, ReadsItsParametersWhenItIsMade) {
  EXPECT_THROW(nw::elementwise_kernel("x", "T z", "z = x", "f"), nw::value_error);
  EXPECT_THROW(nw::elementwise_kernel("T x", "", "z = x", "f"), nw::value_error);
  EXPECT_THROW(nw::reduction_kernel("T x", "T y, T z", "x", "a + b", "y = a", "0", "f"),
               nw::value_error);
  EXPECT_THROW(
      nw::reduction_kernel("T x", "T y", "x", "a", "y = a", "0", "f", {.reduce_type = "?"}),
      nw::value_error);
  EXPECT_THROW(squared_diff(nw::ones<float>(2, nw::order::c, nw::cpu)), nw::type_error);
}

using Formula = numwarp_test::on_gpu;

// What the kernel must give, by the library's own operations.
template <class T> nw::ndarray<T> expected_diff(const nw::ndarray<T>& x, const nw::ndarray<T>& y) {
  return nw::square(x - y);
}

template <class T> void expect_squared_differences() {
  const auto a = nw::arange<T>(1000), b = nw::full<T>({1000}, T(3));
  const nw::ndarray<T> z = squared_diff.as<T>(a, b);
  assert_array_equal(z, expected_diff<T>(a, b));
  assert_array_equal(squared_diff.as<T>(a, 3), z);  // a number takes the parameter's type
}

TEST_F(Formula, ComputesEveryTypeInOneLaunch) {
  expect_squared_differences<float>();
  expect_squared_differences<double>();
  expect_squared_differences<int>();
  expect_squared_differences<std::int64_t>();
  expect_squared_differences<std::complex<float>>();
  const auto a = nw::arange<float>(5);
  const std::int64_t before = nw::launch_count();
  const nw::any_array z = squared_diff(a.untyped(), a);
  EXPECT_EQ(nw::launch_count() - before, 1);
  EXPECT_EQ(z.type(), nw::dtype::float32);
}

TEST_F(Formula, BroadcastsViewsOfAnyLayout) {
  const auto whole = nw::arange<float>(24 * 30).reshape({24, 30});
  const auto a = whole(nw::slice(nw::none, nw::none, -2), nw::slice(3, 20)),
             row = whole(2, nw::slice(0, 17));
  const auto column = whole(nw::slice(0, 12), nw::slice(5, 6));
  assert_array_equal(squared_diff.as<float>(a, row), nw::square(a - row));
  assert_array_equal(squared_diff.as<float>(a.T(), column.T()), nw::square(a.T() - column.T()));
  assert_array_equal(squared_diff.as<float>(row, column), nw::square(row - column));
  const auto deep =
      nw::arange<float>(2 * 3 * 2 * 3 * 2 * 3 * 2 * 3).reshape({2, 3, 2, 3, 2, 3, 2, 3});
  const auto mixed = deep.transpose({7, 0, 5, 2, 3, 6, 1, 4});
  const auto part = nw::arange<float>(24).reshape({2, 3, 2, 1, 2});
  assert_array_equal(squared_diff.as<float>(mixed, part), nw::square(mixed - part));
  EXPECT_EQ(squared_diff(nw::zeros<float>({0, 3}), row(nw::slice(0, 3))).shape(), nw::shape(0, 3));
}

TEST_F(Formula, GivesTheIndexInCOrderWhateverTheLayout) {
  const nw::elementwise_kernel k("T x", "int64 z", "z = i * 2 + n", "indices");
  const auto x = nw::zeros<float>({7, 5}).T();
  assert_array_equal(k.as<std::int64_t>(x), nw::arange<std::int64_t>(35).reshape({5, 7}) * 2 + 35);
  const auto deep = nw::zeros<float>({2, 3, 2, 3, 2, 3, 2, 3}).transpose();
  assert_array_equal(k.as<std::int64_t>(deep).ravel(), nw::arange<std::int64_t>(1296) * 2 + 1296);
}

TEST_F(Formula, TakesRawArraysOfAnyLayout) {
  const nw::elementwise_kernel smooth(
      "raw T x", "T y", "y = (x[i > 0 ? i - 1 : 0] + x[i] + x[i + 1 < n ? i + 1 : n - 1]) / 3",
      "smooth");
  const auto a = nw::arange<double>(100);
  EXPECT_EQ(text_of<nw::value_error>([&] { smooth(a); }),
            "smooth: all inputs are raw: give launch({.size = n}, ...)");
  auto expected = nw::arange<double>(100);
  expected(0) = 1.0 / 3;
  expected(99) = (98 + 99 + 99) / 3.0;
  const auto made = smooth.launch({.size = 100}, a);
  assert_array_equal(nw::ndarray<double>(made[0]), expected);
  assert_array_equal(nw::ndarray<double>(smooth(nw::flip(nw::flip(a)), a)), expected);  // in place
  assert_array_equal(a, expected);
  const nw::elementwise_kernel pick("raw T x, int64 j", "T y", "y = x(j, 1) + x[j] * x.shape(0)",
                                    "pick");
  const auto m = nw::arange<int>(12).reshape({3, 4}).T();
  EXPECT_EQ(pick.as<int>(m, nw::array({0, 2})).to_vector(),
            (std::vector<int>{4 + 0 * 4, 6 + 8 * 4}));
  EXPECT_THROW(squared_diff.launch({.size = 3}, a, a), nw::value_error);
  const nw::elementwise_kernel reverse("raw T x", "raw T y", "y[n - 1 - i] = x[i]", "reverse");
  const auto out = nw::zeros<int>(5);
  reverse.launch({.size = 5}, nw::arange<int>(5), out);
  EXPECT_EQ(out.to_vector(), (std::vector<int>{4, 3, 2, 1, 0}));
  EXPECT_EQ(text_of<nw::type_error>([&] { reverse.launch({.size = 5}, out); }),
            "reverse: the raw output 'y' must be given");
}

TEST_F(Formula, MakesSeveralOutputs) {
  const nw::elementwise_kernel k("T x, T y", "T q, float64 r", "q = x / y; r = x - q * y",
                                 "divide");
  const auto x = nw::arange<int>(20), y = nw::full<int>({20}, 6);
  const auto [q, r] = k.as<int, double>(x, y);
  assert_array_equal(q, nw::floor_divide(x, y));
  assert_array_equal(r, nw::remainder(x, y).astype<double>());
  EXPECT_EQ(k.launch({}, x, y).size(), 2u);
  EXPECT_EQ(text_of<nw::value_error>([&] { k(x, y); }), "divide: has 2 outputs, asked for 1");
  EXPECT_THROW((k.as<int, int>(x, y)), nw::type_error);
}

TEST_F(Formula, WritesIntoArraysItIsGiven) {
  const auto a = nw::arange<float>(10), out = nw::full<float>({2, 10}, -1.0f);
  const nw::any_array z = squared_diff(a, 1.0f, out(1));
  EXPECT_EQ(z.data(), out(1).data());
  assert_array_equal(out(1), nw::square(a - 1.0f));
  assert_array_equal(out(0), nw::full<float>({10}, -1.0f));
  // A given output holds its old elements: it may be set in part, or added to.
  const nw::elementwise_kernel add_positive("T x", "T z", "if (x > 4) z += x", "add_positive");
  const auto sum = nw::full<float>({10}, 100.0f), pending = sum * 2.0f;
  add_positive(a, sum);
  EXPECT_EQ(sum.to_vector(),
            (std::vector<float>{100, 100, 100, 100, 100, 105, 106, 107, 108, 109}));
  assert_array_equal(pending, nw::full<float>({10}, 200.0f));  // read before it was written
  EXPECT_EQ(add_positive.as<float>(a).to_vector(),
            (std::vector<float>{0, 0, 0, 0, 0, 5, 6, 7, 8, 9}));
  // An input that is overwritten in another order is read first.
  const auto square = nw::arange<float>(9).reshape({3, 3}), before = square.copy();
  squared_diff(square.T(), 0.0f, square);
  assert_array_equal(square, nw::square(before.T()));
}

TEST_F(Formula, FollowsStreamsAndPendingOperations) {
  const nw::stream s;
  const auto a = nw::arange<float>(1 << 20);
  nw::ndarray<float> z;
  {
    const nw::stream_guard guard(s);
    z = squared_diff.as<float>(a + 1.0f, a * 0.5f);
  }
  const nw::ndarray<float> sum = z + 0.0f;  // on another stream
  assert_array_equal(sum, nw::square((a + 1.0f) - a * 0.5f));
}

TEST_F(Formula, HasAPreambleAndOptions) {
  const nw::elementwise_kernel k(
      "T x", "T y", "y = twice(x) + SHIFT", "shifted",
      {.preamble = "__device__ T twice(T x) { return x * 2; }", .options = {"-DSHIFT=5"}});
  EXPECT_EQ(k.as<int>(nw::array({1, 2}).astype<int>()).to_vector(), (std::vector<int>{7, 9}));
  const nw::elementwise_kernel draw("uint64 seed, int64 k", "float32 u",
                                    "u = numwarp::core::random::unit("
                                    "numwarp::core::random::block(seed, k).a)",
                                    "draw", {.preamble = "#include <numwarp/core/random.hpp>"});
  const auto u = draw.as<float>(7, nw::arange<std::int64_t>(100));
  const auto words = nw::random::default_rng(7).random<float>(400);
  assert_array_equal(u, words(nw::slice(nw::none, nw::none, 4)));
}

TEST_F(Formula, RefusesWrongArguments) {
  const auto a = nw::ones<float>(4);
  EXPECT_EQ(text_of<nw::type_error>([&] { squared_diff(a); }),
            "squared_diff: takes 2 arguments, or 3 with the outputs; got 1");
  EXPECT_EQ(text_of<nw::type_error>([&] { squared_diff(a, nw::ones<double>(4)); }),
            "squared_diff: the argument for 'y' is float64, where T is float32");
  EXPECT_EQ(text_of<nw::value_error>([&] { squared_diff(a, nw::ones<float>(5)); }),
            "squared_diff: operands could not be broadcast together with shapes (4,) (5,)");
  EXPECT_THROW(squared_diff(a, nw::ones<float>(4, nw::order::c, nw::cpu)), nw::device_error);
  EXPECT_THROW(squared_diff(a, a, nw::ones<float>(5)), nw::value_error);
  EXPECT_THROW(squared_diff(a, a, a.readonly()), nw::value_error);
  EXPECT_THROW(squared_diff(a, nw::ndarray<float>()), nw::value_error);
  EXPECT_EQ(text_of<nw::type_error>([&] { squared_diff(nw::ones<int>(4), 1.5); }),
            "squared_diff: 'y' is int32, which cannot hold a floating number");
  EXPECT_THROW(squared_diff(nw::ones<std::int8_t>(4), 1000), nw::overflow_error);
  EXPECT_THROW(squared_diff(a, std::complex<float>(0, 1)), nw::type_error);
  EXPECT_THROW(squared_diff.as<int>(a, a), nw::type_error);
}

TEST_F(Formula, ReportsWhatDoesNotCompileAndGoesOn) {
  const nw::elementwise_kernel bad("T x", "T z", "z = x;\nz = nonsense", "bad");
  const auto a = nw::ones<float>(4);
  const std::int64_t used = nw::get_default_memory_pool().used_bytes();
  for (int k = 0; k < 2; ++k) {
    const std::string text = text_of<nw::compile_error>([&] { bad(a); });
    EXPECT_EQ(text.find("bad: the source does not compile\nbad(2): error: "), 0u) << text;
  }
  EXPECT_EQ(nw::get_default_memory_pool().used_bytes(), used);
  assert_array_equal(squared_diff.as<float>(a, 3.0f), a * 4.0f);
}

TEST_F(Formula, ReducesAlongAnyAxes) {
  const auto a = nw::arange<double>(6 * 50 * 70).reshape({6, 50, 70}) % 11.0;
  const auto check = [&](const nw::reduction_launch_options& o) {
    const nw::ndarray<double> y(norm.launch(o, a));
    const nw::sum_options<double> s{.axis = o.axis, .keepdims = o.keepdims};
    nw::testing::assert_allclose(y, nw::sqrt(nw::sum(a * a, s)), {.rtol = 1e-12});
  };
  check({});
  check({.keepdims = true});
  for (int axis = -3; axis < 3; ++axis) check({.axis = axis, .keepdims = axis > 0});
  check({.axis = {0, 2}});
  check({.axis = {1, 2}, .keepdims = true});
  assert_array_equal(nw::ndarray<double>(norm.launch({.axis = 0}, a.T())),
                     nw::ndarray<double>(norm.launch({.axis = 2}, a)).T());
  EXPECT_THROW(norm.launch({.axis = 3}, a), nw::axis_error);
}

TEST_F(Formula, ReducesLargeArraysByPartsAndSmallOnes) {
  for (const std::int64_t n : {1, 31, 33, 1025, (1 << 20) + 3, 1 << 24}) {
    const auto a = nw::arange<std::int64_t>(n);
    const nw::reduction_kernel last("T x", "T y", "x", "a > b ? a : b", "y = a", "", "last");
    EXPECT_EQ(last.as<std::int64_t>(a).item(), n - 1);
    const nw::reduction_kernel mean("T x, float64 scale", "float64 y", "x * scale", "a + b",
                                    "y = a / n", "0", "mean");
    EXPECT_DOUBLE_EQ(mean.as<double>(a, 2).item(), double(n - 1));
  }
  const auto tall = nw::ones<float>({100000, 3});
  EXPECT_EQ(nw::ndarray<float>(norm.launch({.axis = 0}, tall * 2.0f)).to_vector(),
            std::vector<float>(3, std::sqrt(400000.0f)));
}

TEST_F(Formula, ReducesSeveralInputsIntoWhatItIsGiven) {
  const nw::reduction_kernel dot("T x, T y", "T z", "x * y", "a + b", "z = a", "0", "dot",
                                 {.reduce_type = "float64"});
  const auto x = nw::arange<float>(12).reshape({3, 4}), y = nw::arange<float>(4);
  const auto out = nw::zeros<float>(3);
  dot.launch({.axis = 1}, x, y, out);
  assert_array_equal(out, nw::matmul(x, y));
  EXPECT_THROW(dot.launch({.axis = 0}, x, y, out), nw::value_error);
  dot.launch({.axis = 1}, nw::broadcast_to(out.reshape({3, 1}), {3, 3}), nw::eye<float>(3), out);
  assert_array_equal(out, nw::matmul(x, y));  // an input that is the output is read first
  EXPECT_EQ(dot.as<float>(nw::zeros<float>({0, 4}), y).item(), 0.0f);
  EXPECT_EQ(dot.launch({.axis = 1}, nw::zeros<float>({0, 4}), y).shape(), nw::shape(0));
  const nw::reduction_kernel least("T x", "T y", "x", "a < b ? a : b", "y = a", "", "least");
  EXPECT_EQ(text_of<nw::value_error>([&] { least(nw::zeros<float>(0)); }),
            "least: zero-size array to reduction operation least which has no identity");
  EXPECT_EQ(text_of<nw::value_error>([&] { norm(3.0); }),
            "norm: one input at least is an array that is not raw");
}

}  // namespace
