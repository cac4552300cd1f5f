// strided_array, as a kernel gets it: the words that nw::strided passes.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <numeric>
#include <numwarp/core/strided_array.hpp>
#include <vector>

namespace numwarp {
namespace {

template <class Array, class T>
Array from_words(T* data, const std::vector<std::int64_t>& shape_and_strides) {
  std::vector<std::int64_t> words{std::int64_t(reinterpret_cast<std::intptr_t>(data))};
  words.insert(words.end(), shape_and_strides.begin(), shape_and_strides.end());
  EXPECT_EQ(words.size() * 8, sizeof(Array));
  Array a;
  std::memcpy(static_cast<void*>(&a), words.data(), sizeof a);
  return a;
}

TEST(strided_array, finds_elements_by_indices_and_in_c_order) {
  std::vector<int> data(24);
  std::iota(data.begin(), data.end(), 0);
  // 4 x 3 of a 4 x 6 matrix: every second column, from the last one on.
  const auto a = from_words<strided_array<int, 2>>(data.data() + 5, {4, 3, 24, -8});
  EXPECT_EQ(a.size(), 12);
  EXPECT_EQ(a.shape(1), 3);
  EXPECT_EQ(a.stride(1), -8);
  EXPECT_EQ(a(0, 0), 5);
  EXPECT_EQ(a(3u, std::int64_t(2)), 19);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(a[i], a(i / 3, i % 3));
  a(1, 1) = -1;
  EXPECT_EQ(data[9], -1);
}

TEST(strided_array, one_axis_and_contiguous_ones) {
  std::vector<double> data{1, 2, 3, 4, 5, 6};
  const auto a = from_words<strided_array<const double, 1>>(data.data(), {3, 16});
  EXPECT_EQ(a[2], 5);
  EXPECT_EQ(a(1), 3);
  const auto b = from_words<strided_array<double, 2, true>>(data.data(), {2, 3, 24, 8});
  EXPECT_EQ(b[4], 5);
  EXPECT_EQ(b(1, 2), 6);
  EXPECT_EQ(b.data(), data.data());
}

}  // namespace
}  // namespace numwarp
