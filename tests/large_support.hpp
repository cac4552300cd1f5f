// More than 2^31 elements: where an index of 32 bits ends. Bytes, so that an array is 2 GiB.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <numwarp/numwarp.hpp>
#include <string>

namespace numwarp::testing {

inline constexpr std::int64_t edge = std::int64_t(1) << 31;

// Skips, saying why, where the default device has less memory than a test needs.
class large : public ::testing::Test {
 protected:
  // Bytes of all arrays that live at once, temporaries included.
  virtual std::int64_t needed() const { return std::int64_t(12) << 30; }

  void SetUp() override {
    const std::string text = std::to_string(needed() >> 30) + " GiB";
    if (default_device().is_cpu()) {
      if (!std::getenv("NUMWARP_LARGE"))
        GTEST_SKIP() << "takes minutes on a CPU: set NUMWARP_LARGE=1 to run it";
      const std::int64_t free =
          std::int64_t(sysconf(_SC_AVPHYS_PAGES)) * std::int64_t(sysconf(_SC_PAGESIZE));
      if (free < needed())
        GTEST_SKIP() << "needs " << text << " of memory, " << (free >> 30) << " GiB are free";
      return;
    }
    get_default_memory_pool().free_all_blocks();
    try {
      empty<std::uint8_t>(needed());
    } catch (const out_of_memory& e) {
      GTEST_SKIP() << "needs " << text << " of device memory: " << e.what();
    }
  }
  void TearDown() override { get_default_memory_pool().free_all_blocks(); }
};

// Places where wrong arithmetic shows: both ends, around 2^31, and some between.
inline std::vector<std::int64_t> places(std::int64_t n) {
  std::vector<std::int64_t> list{0, 1, 255, 256, n / 3, n / 2 + 7, n - 2, n - 1};
  for (const std::int64_t i : {edge - 2, edge - 1, edge, edge + 1, edge + 257}) {
    if (i < n) list.push_back(i);
  }
  return list;
}

// a[i] is f(i) for a one-dimensional array, at those places.
template <class T, class F> void expect_elements(const ndarray<T>& a, F f) {
  for (const std::int64_t i : places(a.size())) {
    ASSERT_EQ(std::int64_t(a.item(i)), std::int64_t(f(i))) << "at " << i;
  }
}
// a[i, j] is f(i, j).
template <class T, class F> void expect_elements_2d(const ndarray<T>& a, F f) {
  const std::int64_t columns = a.shape()[1];
  for (const std::int64_t k : places(a.size())) {
    const std::int64_t i = k / columns, j = k % columns;
    ASSERT_EQ(std::int64_t(a.item(i, j)), std::int64_t(f(i, j))) << "at " << i << ", " << j;
  }
}

// i modulo 256 for i in [0, n).
inline ndarray<std::uint8_t> counted(std::int64_t n) { return arange<std::uint8_t>(n); }

// The sum of i % 256 for i in [0, n).
inline std::int64_t sum_of_counted(std::int64_t n) {
  const std::int64_t rest = n % 256;
  return n / 256 * (255 * 128) + rest * (rest - 1) / 2;
}

}  // namespace numwarp::testing
