// nw::random by statistics. Limits are the formulas' own at four standard deviations, or at the
// hundred-thousandth part of a distribution; seeds are fixed, so nothing here fails by chance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numwarp/numwarp.hpp>

#include "support/devices.hpp"

namespace nw = numwarp;
using numwarp_test::for_each_device;
using nw::random::default_rng;

namespace {

constexpr std::int64_t n = 1 << 18;

template <class T> std::vector<double> doubles(const nw::ndarray<T>& a) {
  return a.template astype<double>().to_vector();
}

double mean_of(const std::vector<double>& x, int power) {
  double sum = 0;
  for (const double v : x) sum += std::pow(v, power);
  return sum / double(x.size());
}

// The k-th moment, whose square has the mean `square`.
void expect_moment(const std::vector<double>& x, int k, double want, double square) {
  EXPECT_NEAR(mean_of(x, k), want, 4 * std::sqrt((square - want * want) / double(x.size()))) << k;
}

// Kolmogorov and Smirnov: sqrt(n) times the distance from the distribution exceeds 2.47 once in
// 100000.
template <class F> void expect_distribution(std::vector<double> x, const F& distribution) {
  std::sort(x.begin(), x.end());
  const double count = double(x.size());
  double distance = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double f = distribution(x[i]);
    distance = std::max({distance, f - double(i) / count, double(i + 1) / count - f});
  }
  EXPECT_LT(distance * std::sqrt(count), 2.47);
}

// Pearson's sum for bins of one probability, made nearly normal by Wilson and Hilferty's root. Too
// even is as bad as uneven.
void expect_even(const std::vector<std::int64_t>& bins) {
  double count = 0, sum = 0;
  for (const auto b : bins) count += double(b);
  const double want = count / double(bins.size()), free = double(bins.size()) - 1;
  for (const auto b : bins) sum += (double(b) - want) * (double(b) - want) / want;
  const double spread = 2 / (9 * free);
  EXPECT_LT(std::abs(std::cbrt(sum / free) - (1 - spread)) / std::sqrt(spread), 4.3);
}

void expect_unrelated(const std::vector<double>& x, const std::vector<double>& y) {
  const double mx = mean_of(x, 1), my = mean_of(y, 1);
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  EXPECT_LT(std::abs(xy / std::sqrt(xx * yy)) * std::sqrt(double(x.size())), 4);
}

template <class T> void check_random(int digits) {
  const auto x = doubles(default_rng(11).random<T>(n));
  for (int k = 1; k <= 4; ++k) expect_moment(x, k, 1.0 / (k + 1), 1.0 / (2 * k + 1));
  expect_distribution(x, [](double v) { return v; });
  std::vector<std::int64_t> high(256), low(256);
  for (const double v : x) {
    const auto bits = std::uint64_t(std::ldexp(v, digits));
    EXPECT_EQ(std::ldexp(double(bits), -digits), v);
    ++high[bits >> (digits - 8)];
    ++low[bits & 255];
  }
  expect_even(high);
  expect_even(low);
}

TEST(random_statistics, random) {
  for_each_device([] {
    check_random<float>(24);
    check_random<double>(53);
  });
}

template <class T> void check_normal() {
  const auto x = doubles(default_rng(12).standard_normal<T>(n));
  const double even[] = {1, 1, 3, 15, 105, 945, 10395};  // the moments 0, 2, 4, ...
  for (int k = 1; k <= 6; ++k) expect_moment(x, k, k % 2 ? 0 : even[k / 2], even[k]);
  expect_distribution(x, [](double v) { return std::erfc(-v / std::sqrt(2.0)) / 2; });
  // Neighbours share a radius and an angle.
  std::vector<double> first, second, first_squared, second_squared;
  for (std::size_t i = 0; i < x.size(); i += 2) {
    first.push_back(x[i]);
    second.push_back(x[i + 1]);
    first_squared.push_back(x[i] * x[i]);
    second_squared.push_back(x[i + 1] * x[i + 1]);
  }
  expect_unrelated(first, second);
  expect_unrelated(first_squared, second_squared);
}

TEST(random_statistics, normal) {
  for_each_device([] {
    check_normal<float>();
    check_normal<double>();
  });
}

TEST(random_statistics, normal_tails) {
  for_each_device([] {
    const std::int64_t many = 1 << 22;
    const auto size = nw::absolute(default_rng(13).standard_normal<float>(many)).compute();
    for (const double limit : {2.0, 3.0, 4.0, 4.5}) {
      const double want = std::erfc(limit / std::sqrt(2.0)) * double(many);
      const double got = double(nw::count_nonzero(size > limit).item());
      EXPECT_NEAR(got, want, 4 * std::sqrt(want)) << limit;
    }
  });
}

// Where the number of words is no multiple of `count`, a product alone would favour some values:
// of 3 * 2^30 values those that leave 0 by 3 would be twice as frequent.
template <class T> void check_integers(std::uint64_t count, T low, std::uint64_t bins) {
  const auto x = default_rng(14).integers<T>(low, T(low + T(count - 1)), n, {.endpoint = true});
  std::vector<std::int64_t> remainders(bins), parts(bins);
  for (const T v : x.to_vector()) {
    const std::uint64_t from_low = std::uint64_t(v) - std::uint64_t(low);
    ++remainders[from_low % bins];
    ++parts[std::size_t(double(from_low) / double(count) * double(bins))];
  }
  expect_even(remainders);
  expect_even(parts);
}

TEST(random_statistics, integers_are_unbiased) {
  for_each_device([] {
    check_integers<nw::int8>(3, -1, 3);
    check_integers<nw::uint8>(250, 3, 250);
    check_integers<nw::int16>(1000, -500, 1000);
    check_integers<nw::int32>(10, 0, 10);
    check_integers<nw::uint32>(3ul << 30, 0, 3);
    check_integers<nw::int64>(7, -3, 7);
    check_integers<nw::int64>(3ul << 30, -1, 3);
    check_integers<nw::uint64>(3ul << 62, 0, 3);
    check_integers<nw::int64>(5ul << 61, -(1l << 62), 5);
  });
}

TEST(random_statistics, streams_are_unrelated) {
  const auto first = [](auto g) { return doubles(g.template random<float>(n)); };
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    expect_unrelated(first(default_rng(seed)), first(default_rng(seed + 1)));
  auto parent = default_rng(20);
  const auto children = parent.spawn(2);
  expect_unrelated(first(children[0]), first(children[1]));
  expect_unrelated(first(parent), first(children[0]));
  const auto x = first(parent);
  for (const int lag : {1, 2, 3, 4, 8, 1024})
    expect_unrelated({x.begin(), x.end() - lag}, {x.begin() + lag, x.end()});
}

}  // namespace
