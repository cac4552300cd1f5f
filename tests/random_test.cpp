// nw::random against the second implementation of its streams (golden/random.npz), and what its
// interface promises: shapes, positions, copies, errors.
#include <numwarp/random.hpp>
#include <set>

#include "support/arrays.hpp"
#include "support/devices.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using numwarp_test::for_each_device;
using nw::random::default_rng;

namespace {

// Draws the case of a line with the type T.
template <class T> nw::any_array draw(const golden_fields& f) {
  auto rng = default_rng(std::stoull(f[3]));
  rng.random<float>(std::stoll(f[4]));
  const nw::shape n(std::stoll(f[5]));
  if constexpr (std::is_integral_v<T>) {
    const auto last = [&](const std::string& s) {
      return T(s[0] == '-' ? std::stoll(s) : std::stoull(s));
    };
    return rng.integers<T>(last(f[6]), last(f[7]), n, {.endpoint = true}).untyped();
  } else if (f[0] == "random") {
    return rng.random<T>(n).untyped();
  } else if (f[0] == "normal") {
    return rng.standard_normal<T>(n).untyped();
  } else {
    return rng.uniform<T>(std::stod(f[6]), std::stod(f[7]), n).untyped();
  }
}
nw::any_array draw(const golden_fields& f) {
  return visit_type(golden_type(f[2]), [&]<class T>(std::type_identity<T>) -> nw::any_array {
    if constexpr (nw::random::real_element<T> || nw::random::integer_element<T>) return draw<T>(f);
    return {};
  });
}

// Normal numbers have errors of a few units in the last place of the radius, which is below 10.
void expect_near(const nw::any_array& got, const golden_array& want) {
  const auto w = want.values<double>();
  const bool single = got.type() == nw::dtype::float32;
  const golden_array g = to_golden(got);
  ASSERT_EQ(g.shape, want.shape);
  for (std::size_t i = 0; i < w.size(); ++i) {
    const double x = single ? double(g.values<float>()[i]) : g.values<double>()[i];
    EXPECT_NEAR(x, w[i], single ? 1e-6 : 2e-15);
  }
}

TEST(random, streams_are_as_documented) {
  for_each_device([] {
    int cases = 0;
    for (const auto& f : golden_lines("random.txt")) {
      SCOPED_TRACE(f[0] + '|' + f[1]);
      const golden_array& want = golden("random.npz", f[1] + "/out");
      if (f[0] == "spawn") {
        auto children = default_rng(std::stoull(f[3])).spawn(std::stoll(f[4]));
        for (std::size_t i = 0; i < children.size(); ++i)
          EXPECT_EQ(children[i].random().item(), want.values<double>()[i]);
      } else if (f[0] == "normal") {
        expect_near(draw(f), want);
      } else {
        EXPECT_TRUE(equal(draw(f), want));
      }
      ++cases;
    }
    EXPECT_GT(cases, 100);
  });
}

// The draws of two sizes one after the other are those of their sum.
template <class Draw> void expect_joined(const Draw& draw) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 10, 1023}) {
    for (const std::int64_t m : {1, 2, 20, 4096}) {
      auto apart = default_rng(3), whole = default_rng(3);
      auto parts = draw(apart, n).to_vector();
      for (const auto x : draw(apart, m).to_vector()) parts.push_back(x);
      EXPECT_EQ(parts, draw(whole, n + m).to_vector()) << n << " + " << m;
    }
  }
}

TEST(random, draws_can_be_split) {
  for_each_device([] {
    expect_joined([](auto& g, std::int64_t n) { return g.template random<float>(n); });
    expect_joined([](auto& g, std::int64_t n) { return g.template random<double>(n); });
    expect_joined([](auto& g, std::int64_t n) { return g.template standard_normal<float>(n); });
    expect_joined([](auto& g, std::int64_t n) { return g.template standard_normal<double>(n); });
    expect_joined([](auto& g, std::int64_t n) { return g.template integers<nw::int8>(0, 100, n); });
    expect_joined([](auto& g, std::int64_t n) { return g.integers(0, 3l << 30, n); });
    expect_joined([](auto& g, std::int64_t n) { return g.integers(0, 3l << 61, n); });
  });
}

TEST(random, shapes) {
  for_each_device([](nw::device d) {
    auto rng = default_rng(1);
    const auto a = rng.random<float>({3, 0, 2});
    EXPECT_EQ(a.shape(), nw::shape(3, 0, 2));
    EXPECT_EQ(rng.integers(7, {0}).size(), 0);
    EXPECT_EQ(rng.random().shape(), nw::shape());  // the empty draws took nothing
    EXPECT_EQ(default_rng(1).random().item(), default_rng(1).random(1).item());
    EXPECT_EQ(rng.normal(0, 1, {2, 3}).device(), d);
    EXPECT_EQ(rng.uniform(0, 1, {2, 3}, nw::cpu).device(), nw::cpu);
    const auto flat = default_rng(5).random<float>(24),
               box = default_rng(5).random<float>({2, 3, 4});
    EXPECT_EQ(flat.to_vector(), box.to_vector());
    EXPECT_TRUE(box.is_c_contiguous());
    static_assert(std::is_same_v<decltype(rng.integers(5))::value_type, nw::int64>);
    static_assert(std::is_same_v<decltype(rng.random())::value_type, double>);
  });
}

TEST(random, empty_draws_take_no_words) {
  auto a = default_rng(9), b = default_rng(9);
  a.random<float>(1);
  b.random<float>(1);
  a.random<double>({4, 0});
  EXPECT_EQ(a.random<float>().item(), b.random<float>().item());
}

TEST(random, normal_moves_and_scales) {
  const auto z = default_rng(8).standard_normal(1000), x = default_rng(8).normal(3, 0.5, {1000});
  EXPECT_LT(nw::max(nw::absolute(x - (z * 0.5 + 3))).item(), 1e-15);
  EXPECT_EQ(default_rng(8).normal(3, 0, {5}).to_vector(), std::vector<double>(5, 3));
}

template <class T> void expect_below_high(double low, double high) {
  const auto x = default_rng(2).uniform<T>(low, high, {100000});
  EXPECT_LT(x.max().item(), T(high));
  EXPECT_GE(x.min().item(), T(low));
}

TEST(random, uniform_never_reaches_high) {
  for_each_device([] {
    expect_below_high<float>(1e7, 1e7 + 2);
    expect_below_high<float>(-1e7 - 2, -1e7);
    expect_below_high<float>(0, 0x1p-149);
    expect_below_high<double>(1e16, 1e16 + 4);
    expect_below_high<double>(-1, 0);
    EXPECT_EQ(default_rng(2).uniform<float>(3, 3).item(), 3.0f);
  });
}

TEST(random, every_integer_type_fills_its_range) {
  for_each_device([] {
    auto rng = default_rng(4);
    const auto all = [&]<class T>(T) {
      const auto v = rng.integers<T>(1, 6, {1000}, {.endpoint = true}).to_vector();
      EXPECT_EQ(std::set<T>(v.begin(), v.end()), (std::set<T>{1, 2, 3, 4, 5, 6}));
    };
    all(nw::int8()), all(nw::int16()), all(nw::int32()), all(nw::int64());
    all(nw::uint8()), all(nw::uint16()), all(nw::uint32()), all(nw::uint64());
    const auto bytes = rng.integers<nw::int8>(-128, 128, {10000}).to_vector();
    EXPECT_EQ(std::set<nw::int8>(bytes.begin(), bytes.end()).size(), 256u);
    EXPECT_EQ(rng.integers(0, 1, {9}).to_vector(), std::vector<nw::int64>(9, 0));
    EXPECT_EQ(rng.integers<nw::uint64>(UINT64_MAX, UINT64_MAX, {2}, {.endpoint = true}).to_vector(),
              std::vector<nw::uint64>(2, UINT64_MAX));
  });
}

TEST(random, generators_are_values) {
  auto a = default_rng(6);
  a.random(100);
  auto b = a;
  EXPECT_EQ(a.random<float>({10}).to_vector(), b.random<float>({10}).to_vector());
  EXPECT_NE(a.random().item(), default_rng(6).random().item());
  b.random();
  EXPECT_NE(default_rng().random().item(), default_rng().random().item());
  // Spawning neither moves the stream nor repeats itself.
  auto first = a.spawn(2), second = a.spawn(1);
  EXPECT_EQ(a.random().item(), b.random().item());
  const std::set<double> seen{first[0].random().item(), first[1].random().item(),
                              second[0].random().item(), default_rng(6).random().item(),
                              first[0].spawn(1)[0].random().item()};
  EXPECT_EQ(seen.size(), 5u);
}

TEST(random, refuses_what_has_no_meaning) {
  auto rng = default_rng(1);
  const double nan = std::nan(""), inf = HUGE_VAL;
  const auto value = [](auto f, const char* text) { EXPECT_TRUE(throws(f, "ValueError", text)); };
  const auto range = [](auto f, const char* text) {
    EXPECT_TRUE(throws(f, "OverflowError", text));
  };
  value([&] { rng.uniform(2, 1); }, "uniform: high - low < 0, got low 2 and high 1");
  range([&] { rng.uniform(0, inf); }, "uniform: high - low range exceeds valid bounds");
  range([&] { rng.uniform(nan, 1); }, "got low nan and high 1");
  range([&] { rng.uniform<float>(-3e38, 3e38); }, "float32, got low -3e+38 and high 3e+38");
  value([&] { rng.normal(0, -0.1); }, "normal: scale < 0, got loc 0 and scale -0.1");
  value([&] { rng.normal(0, -0.0); }, "scale < 0");
  value([&] { rng.normal(nan, 1); }, "normal: loc and scale must not be NaN");
  value([&] { rng.normal(0, nan); }, "normal: loc and scale must not be NaN");
  value([&] { rng.integers(5, 5); }, "integers: low >= high, got low 5 and high 5");
  value([&] { rng.integers(0); }, "integers: low >= high, got low 0 and high 0");
  value([&] { rng.integers(5, 4, {}, {.endpoint = true}); }, "integers: low > high");
  value([&] { rng.integers<nw::uint8>(0, 257); }, "integers: high is out of bounds for uint8");
  value([&] { rng.integers<nw::uint8>(0, 256, {}, {.endpoint = true}); }, "got low 0 and high 256");
  value([&] { rng.integers<nw::uint8>(-1, 5); }, "integers: low is out of bounds for uint8");
  value([&] { rng.integers(UINT64_MAX); }, "high is out of bounds for int64");
  value([&] { rng.random({2, -1}); }, "random: negative dimensions are not allowed");
  value([&] { rng.standard_normal({1l << 40, 1l << 40}); }, "standard_normal: ");
  value([&] { rng.random(nw::shape(std::vector<int>(65, 1))); }, "random: maximum supported dim");
  value([] { default_rng(-1); }, "default_rng: expected non-negative integer, got -1");
  value([&] { rng.spawn(-1); }, "spawn: number of children must be non-negative, got -1");
  // What was refused has taken nothing.
  EXPECT_EQ(rng.random().item(), default_rng(1).random().item());
}

}  // namespace
