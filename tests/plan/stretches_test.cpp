// An axis that goes on beyond its ends, against its definition element by element.
#include "plan/stretches.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace numwarp::plan {
namespace {

std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

std::int64_t source_of(std::int64_t i, std::int64_t n, extension how) {
  if (how == extension::edge || (how == extension::reflect && n == 1))
    return std::clamp<std::int64_t>(i, 0, n - 1);
  if (how == extension::wrap) return modulo(i, n);
  const std::int64_t period = how == extension::reflect ? 2 * n - 2 : 2 * n;
  const std::int64_t at = modulo(i, period);
  return at < n ? at : how == extension::reflect ? period - at : period - 1 - at;
}

void expect_extension(std::int64_t n, std::int64_t low, std::int64_t high, extension how) {
  SCOPED_TRACE(std::to_string(n) + ": " + std::to_string(low) + " to " + std::to_string(high) +
               ", " + std::to_string(int(how)));
  std::vector<std::int64_t> got(std::size_t(high - low), -1);
  const auto list = extend(n, low, high, how);
  EXPECT_LE(list.size(), 6u);
  for (const stretch& s : list) {
    for (std::int64_t r = 0; r < s.repeats; ++r) {
      for (std::int64_t i = 0; i < s.count; ++i) {
        auto& e = got.at(std::size_t(s.to + r * s.period + i));
        EXPECT_EQ(e, -1) << "twice";
        e = s.from + i * s.step;
      }
    }
  }
  for (std::int64_t i = low; i < high; ++i)
    ASSERT_EQ(got[std::size_t(i - low)], source_of(i, n, how)) << i;
}

TEST(stretches, are_the_axis_without_end) {
  for (const std::int64_t n : {1, 2, 3, 5, 8}) {
    for (std::int64_t low = -3 * n - 2; low <= 2 * n + 1; ++low) {
      for (std::int64_t high = low; high <= 3 * n + 2; ++high) {
        for (const extension how :
             {extension::wrap, extension::reflect, extension::symmetric, extension::edge})
          expect_extension(n, low, high, how);
      }
    }
  }
}

TEST(stretches, of_long_axes_are_few) {
  constexpr std::int64_t n = std::int64_t(1) << 40;
  EXPECT_EQ(extend(n, 0, n, extension::wrap).size(), 1u);
  EXPECT_EQ(extend(n, -5, n - 5, extension::wrap).size(), 2u);
  EXPECT_EQ(extend(3, -n, n, extension::wrap).size(), 3u);
  EXPECT_EQ(extend(n, -n - 1, n, extension::symmetric).size(), 3u);
}

}  // namespace
}  // namespace numwarp::plan
