// NW_FUNCTION, NW_FUNCTION_BODY and vectorize: types, values, fusion, keywords, refusals.
#include <gtest/gtest.h>

#include <cstring>
#include <numwarp/numwarp.hpp>
#include <thread>

#include "support/counting.hpp"
#include "support/devices.hpp"
#include "support/errors.hpp"
#include "support/functions.hpp"

namespace nw = numwarp;
using numwarp_test::for_each_device;
using nw::testing::launches;

namespace {

NW_FUNCTION(mix, (a, b, t), a + (b - a) * t);
NW_FUNCTION(chain, (x, y), where(abs(x) < y, x / 3 - y, -x) % 2 + astype<float>(x > y));
NW_FUNCTION(add_300, (x), x + 300);
NW_FUNCTION(inverse, (x), pow(x, -1));
NW_FUNCTION(six, (a, b, c, d, e, f), a + 2 * b + 4 * c + 8 * d + 16 * e + 32 * f);

NW_FUNCTION_BODY(mix_body, (a, b, t), { return a + (b - a) * t; });
NW_FUNCTION_BODY(six_body, (a, b, c, d, e, f), {
  auto sum = a;
  sum += 2 * b;
  sum += 4 * c;
  return sum + 8 * d + 16 * e + 32 * f;
});
// As chain, with a branch.
NW_FUNCTION_BODY(chain_body, (x, y), {
  auto z = -x % 2;
  if (abs(x) < y) z = (x / 3 - y) % 2;
  return z + astype<float>(x > y);
});
NW_FUNCTION_BODY(halvings, (x), {
  int n = 0;
  for (auto y = x; y > 1; ++n) y = floor_divide(y, 2);
  return n;
});
NW_FUNCTION_BODY(escape, (c, most), {
  auto z = c;
  for (int i = 0; i < most; ++i) {
    if (real(z) * real(z) + imag(z) * imag(z) > 4) return i;
    z = z * z + c;
  }
  return int(most);
});

template <class T> nw::ndarray<T> values(std::int64_t n, double step) {
  return ((nw::arange<double>(n) - double(n) / 2) * step).template astype<T>().compute();
}

template <class T> void expect_same_bits(const nw::ndarray<T>& a, const nw::ndarray<T>& b) {
  ASSERT_EQ(a.shape(), b.shape());
  const auto x = nw::asnumpy(a.copy()), y = nw::asnumpy(b.copy());
  EXPECT_EQ(std::memcmp(x.data(), y.data(), std::size_t(x.nbytes())), 0);
}

template <class T> void has_the_bits_of_the_array_formula() {
  const auto x = values<T>(1000, 0.01), y = values<T>(1000, 0.02) + 3;
  expect_same_bits(app::softplus(x), nw::log1p(nw::exp(x)));
  expect_same_bits(app::gelu(x),
                   0.5 * x * (1 + nw::tanh(0.7978845608 * (x + 0.044715 * x * x * x))));
  const auto want = nw::where(nw::abs(x) < y, x / 3 - y, -x) % 2 + (x > y).template astype<float>();
  expect_same_bits(chain(x, y), want);
  expect_same_bits(chain_body(x, y), want);
  expect_same_bits(chain_body(x, y), chain_body(nw::asnumpy(x), nw::asnumpy(y)));  // of the CPU
  expect_same_bits(mix(x, y, 0.3), x + (y - x) * 0.3);
  expect_same_bits(mix_body(x, y, 0.3), x + (y - x) * 0.3);
}

TEST(function, has_the_bits_of_the_array_formula) {
  for_each_device([] {
    has_the_bits_of_the_array_formula<float>();
    has_the_bits_of_the_array_formula<double>();
    has_the_bits_of_the_array_formula<nw::float16>();
    has_the_bits_of_the_array_formula<nw::bfloat16>();
  });
}

TEST(function, types_are_those_of_the_array_formula) {
  for_each_device([] {
    const auto i = values<std::int8_t>(200, 1);
    const auto u = values<std::uint8_t>(200, 1);
    const auto h = values<nw::float16>(200, 1);
    nw::ndarray<std::int16_t> a = mix(i, u, 3);  // int8 and uint8 make int16; 3 is weak
    expect_same_bits(a, i + (u - i) * 3);
    expect_same_bits(mix_body(i, u, 3), a);
    nw::ndarray<std::int8_t> wraps = mix(i, 100, i);
    expect_same_bits(wraps, i + (100 - i) * i);
    expect_same_bits(mix_body(i, 100, i), wraps);
    nw::ndarray<double> d = mix_body(i, u, 0.5);
    expect_same_bits(d, i + (u - i) * 0.5);
    nw::ndarray<float> f = mix_body(h, 1.0f, nw::bfloat16(2.0f));  // halves are strong
    expect_same_bits(f, h + (1.0f - h) * nw::bfloat16(2.0f));
    expect_same_bits(mix(h, 1.0f, nw::bfloat16(2.0f)), f);
    nw::ndarray<int> counts = halvings(values<std::int16_t>(100, 1));
    EXPECT_EQ(counts.item(99), 5);  // 49 24 12 6 3 1
    const auto c = values<float>(100, 0.1) + std::complex<float>(0, 0.5f) * values<float>(100, 0.2);
    nw::ndarray<int> steps = escape(c, 50);
    EXPECT_EQ(steps.item(50), 50);
    EXPECT_EQ(steps.item(0), 0);
    expect_same_bits(mix(c, 1.0f, c), c + (1.0f - c) * c);
  });
}

TEST(function, takes_six_arguments) {
  for_each_device([] {
    const auto x = nw::arange<float>(5), y = nw::ones<float>({3, 1});
    const auto want = x + 2 * y + 4 * x + 24 + 32 + 32 * y;
    expect_same_bits(six(x, y, x, 3, 2.0f, y), want);
    expect_same_bits(six_body(x, y, x, 3, 2.0f, y), want);
  });
}

TEST(function, is_part_of_one_pass) {
  for_each_device([] {
    const auto a = values<float>(1000, 0.01), b = values<float>(1000, 0.03);
    nw::ndarray<float> y;
    EXPECT_EQ(launches([&] { y = app::softplus(a * b) * app::leaky(a - b, 0.1) + 1; }), 1);
    const auto product = a * b, difference = a - b;
    product.compute();
    difference.compute();
    expect_same_bits(
        y, app::softplus(product) * nw::where(difference > 0, difference, 0.1 * difference) + 1);
    nw::ndarray<double> sum;
    const auto ad = values<double>(100000, 0.01);
    EXPECT_EQ(launches([&] { sum = nw::sum(app::leaky(ad * 2, 0.5)); }), 1);
    const auto stored = nw::where(ad * 2 > 0, ad * 2, 0.5 * (ad * 2)).compute();
    EXPECT_EQ(sum.item(), nw::sum(stored).item());
    expect_same_bits(app::leaky_elsewhere(a), app::leaky(app::softplus(a) - 1, 0.25));
  });
}

TEST(function, takes_views_and_keywords) {
  for_each_device([] {
    const auto x = values<float>(60, 0.1).reshape({6, 10});
    const auto turned = x.T()(nw::slice(nw::none, nw::none, -1));
    expect_same_bits(app::leaky(turned, 0.5), nw::where(turned > 0, turned, 0.5 * turned));
    expect_same_bits(app::leaky(x(0), nw::array({2.0f}).reshape({1, 1})),
                     nw::where(x(0) > 0, x(0), 2 * x(0)).reshape({1, 10}));
    const auto out = nw::full<float>({6, 10}, 5.0f);
    const auto mask = x > 1;
    const auto got = app::leaky(x, 0.5, {.out = out, .where = mask});
    EXPECT_EQ(got.data(), out.data());
    expect_same_bits(out, nw::where(mask, x, 5.0f));
    EXPECT_TRUE(app::softplus(x, {.order = nw::order::f}).is_f_contiguous());
    auto y = x.copy();
    y(nw::slice(1, nw::none)) = app::leaky(y(nw::slice(0, -1)), 2);  // overlaps
    expect_same_bits(nw::ndarray<float>(y(nw::slice(1, nw::none))),
                     nw::where(x > 0, x, 2 * x)(nw::slice(0, -1)));
    EXPECT_EQ(app::softplus(nw::zeros<float>({0, 3})).shape(), nw::shape(0, 3));
    EXPECT_EQ(app::leaky(nw::array(-2.0), 2).item(), -4);
  });
}

TEST(function, refuses_before_anything_is_taken) {
  for_each_device([] {
    auto bytes = nw::ones<std::uint8_t>(3) + std::uint8_t(1);
    EXPECT_THROW(add_300(std::move(bytes)), nw::overflow_error);
    EXPECT_EQ(bytes.item(0), 2);
    auto whole = nw::arange<int>(3) + 1;
    EXPECT_THROW(inverse(std::move(whole)), nw::value_error);
    EXPECT_EQ(whole.item(0), 1);
    const std::string text = nw::testing::text_of<nw::value_error>(
        [&] { app::leaky(nw::ones<float>(3), nw::ones<float>(2)); });
    EXPECT_EQ(text.rfind("leaky: operands could not be broadcast together", 0), 0u) << text;
    EXPECT_THROW(app::softplus(nw::ones<float>(3), {.out = nw::empty<float>(2)}), nw::value_error);
    EXPECT_THROW(app::softplus(nw::ndarray<float>()), nw::value_error);
  });
}

// The application's compiler takes what NVRTC does not know.
float of_the_application() { return 1; }
NW_FUNCTION_BODY(host_only, (x), { return x + of_the_application(); });

TEST(function, a_body_that_does_not_compile_for_a_gpu_says_where) {
  const int line = __LINE__ - 3;
  const nw::device_guard on_cpu{nw::cpu};
  const auto x = nw::ones<float>(3);
  EXPECT_EQ(host_only(x).item(0), 2);
  if (!nw::is_available(nw::cuda(0))) GTEST_SKIP() << "no GPU";
  const nw::device_guard on_gpu{nw::cuda(0)};
  const auto y = nw::ones<float>(3);
  auto pending = host_only(y) * 2;
  for (int i = 0; i < 2; ++i) {  // it stays pending and can be tried again
    const std::string text = nw::testing::text_of<nw::compile_error>([&] { pending.compute(); });
    EXPECT_EQ(text.rfind("host_only: the source does not compile\n", 0), 0u) << text;
    EXPECT_NE(text.find(__FILE__ "(" + std::to_string(line) + "): error"), std::string::npos)
        << text;
  }
  EXPECT_EQ((y + 1).item(0), 2);
}

TEST(function, runs_from_many_threads) {
  for_each_device([](nw::device d) {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([=] {
        const nw::device_guard guard(d);
        const auto x = values<double>(300000, 0.001 * (t + 1));
        for (int i = 0; i < 5; ++i)
          expect_same_bits(app::leaky(x + i, 0.5) - mix_body(x, 1, 0.5),
                           nw::where(x + i > 0, x + i, 0.5 * (x + i)) - (x + (1 - x) * 0.5));
        nw::synchronize(d);
      });
    }
    for (auto& t : threads) t.join();
  });
}

TEST(function, of_the_host_is_called_once_for_each_element_in_order) {
  const nw::device_guard on_cpu{nw::cpu};
  std::vector<int> seen;
  const auto f = nw::vectorize([&seen](int a, double b) {
    seen.push_back(a);
    return a + b;
  });
  const auto x = nw::arange<int>(6).reshape({2, 3}).T();
  nw::ndarray<double> y = f(x, nw::array({0.5, 1.5}));
  expect_same_bits(y, x + nw::array({0.5, 1.5}));
  EXPECT_EQ(seen, (std::vector<int>{0, 3, 1, 4, 2, 5}));
  nw::ndarray<bool> odd = nw::vectorize([](int a) { return a % 2 == 1; })(x + 1);
  expect_same_bits(odd, (x + 1) % 2 == 1);
  EXPECT_EQ(f(x, 1).item(0, 1), 4);
  EXPECT_EQ(f(nw::zeros<int>({0, 2}), 1).shape(), nw::shape(0, 2));
  EXPECT_THROW(f(x, nw::ones<double>(4)), nw::value_error);
  EXPECT_THROW(nw::vectorize([](int) -> int { throw std::runtime_error("no"); })(x),
               std::runtime_error);
  if (!nw::is_available(nw::cuda(0))) return;
  const std::string text = nw::testing::text_of<nw::device_error>([&] { f(x.to(nw::cuda(0)), 1); });
  EXPECT_NE(text.find("NW_FUNCTION"), std::string::npos) << text;
}

}  // namespace
