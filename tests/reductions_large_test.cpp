// Reductions and matrix products past 2^31 elements.
#include "large_support.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::uint8;

namespace {

class reductions_large : public large, public ::testing::WithParamInterface<std::int64_t> {
 protected:
  const std::int64_t n = GetParam();
};
INSTANTIATE_TEST_SUITE_P(sizes, reductions_large, ::testing::Values(edge - 1, edge, edge + 1),
                         [](const auto& p) {
                           return p.param == edge ? "edge" : p.param < edge ? "below" : "above";
                         });

TEST_P(reductions_large, of_everything) {
  const auto a = counted(n);
  EXPECT_EQ(a.sum().item(), nw::uint64(sum_of_counted(n)));
  EXPECT_EQ(nw::count_nonzero(a).item(), n - (n + 255) / 256);
  EXPECT_NEAR(a.mean().item(), double(sum_of_counted(n)) / double(n), 1e-9);
  EXPECT_NEAR(a.var().item(), (256.0 * 256 - 1) / 12, 1e-3);
  std::int64_t doubled = n / 256 * (2 * 127 * 128);  // i * 2 % 256
  for (std::int64_t i = 0; i < n % 256; ++i) doubled += i * 2 % 256;
  EXPECT_EQ(nw::sum(a * 2).item(), nw::uint64(doubled));
}

// The one element that decides is beyond 2^31 - 2.
TEST_P(reductions_large, find_the_last_element) {
  auto a = nw::zeros<nw::int8>(n);
  EXPECT_FALSE(a.any().item());
  a(n - 1) = 3;
  EXPECT_EQ(a.max().item(), 3);
  EXPECT_EQ(a.argmax().item(), n - 1);
  EXPECT_TRUE(a.any().item());
  EXPECT_EQ(a.sum().item(), 3);
  a(n - 1) = -3;
  EXPECT_EQ(a.min().item(), -3);
  EXPECT_EQ(a.argmin().item(), n - 1);
  EXPECT_EQ(nw::argmin(a + nw::int8(1)).item(), n - 1);
  auto yes = nw::ones<bool>(n);
  yes(n - 1) = false;
  EXPECT_FALSE(yes.all().item());
  EXPECT_EQ(yes.argmin().item(), n - 1);
}

// One long row and one long column.
TEST_P(reductions_large, along_one_axis_of_two) {
  const auto a = counted(n);
  const std::vector<nw::uint64> all{nw::uint64(sum_of_counted(n))};
  EXPECT_EQ(a.reshape({1, n}).sum(1).to_vector(), all);
  EXPECT_EQ(a.reshape({n, 1}).sum(0).to_vector(), all);
  expect_elements(a.reshape({n, 1}).max(1), [](std::int64_t i) { return i % 256; });
  expect_elements(a.reshape({1, n}).max(0), [](std::int64_t i) { return i % 256; });
}

class matrices_large : public large {
 protected:
  static constexpr std::int64_t rows = 65537, columns = 32771;
};

TEST_F(matrices_large, rows_and_columns) {
  const auto m = counted(rows * columns).reshape({rows, columns});
  const auto by_row = m.sum(1), by_column = m.sum(0);
  for (const std::int64_t i : {std::int64_t(0), std::int64_t(1), rows / 2, rows - 1}) {
    const std::int64_t begin = i * columns;
    ASSERT_EQ(by_row.item(i), nw::uint64(sum_of_counted(begin + columns) - sum_of_counted(begin)));
  }
  for (const std::int64_t j : {std::int64_t(0), std::int64_t(1), columns / 2, columns - 1}) {
    std::int64_t want = 0;
    for (std::int64_t i = 0; i < rows; ++i) want += (i * columns + j) % 256;
    ASSERT_EQ(by_column.item(j), nw::uint64(want));
  }
  EXPECT_EQ(m.T().sum(0).to_vector(), by_row.to_vector());
}

TEST_F(matrices_large, places_of_extrema) {
  auto m = nw::zeros<nw::int8>({rows, columns});
  m(rows - 1, columns - 1) = 1;
  m(rows - 2, columns - 2) = -1;
  EXPECT_EQ(m.argmax(0).item(columns - 1), rows - 1);
  EXPECT_EQ(m.argmax(1).item(rows - 1), columns - 1);
  EXPECT_EQ(m.argmin(0).item(columns - 2), rows - 2);
  EXPECT_EQ(m.argmax().item(), rows * columns - 1);
  EXPECT_EQ(m.T().argmax().item(), rows * columns - 1);
}

TEST_F(matrices_large, outer_and_inner_axes_of_three) {
  const std::int64_t a = 1031, b = 1021, c = 2053;  // 2.16e9
  const auto cube = counted(a * b * c).reshape({a, b, c});
  const auto sums = cube.sum({0, 2});
  for (const std::int64_t j : {std::int64_t(0), b / 2, b - 1}) {
    std::int64_t want = 0;
    for (std::int64_t i = 0; i < a; ++i) {
      const std::int64_t begin = (i * b + j) * c;
      want += sum_of_counted(begin + c) - sum_of_counted(begin);
    }
    ASSERT_EQ(sums.item(j), nw::uint64(want));
  }
  expect_elements(cube.max(0).ravel(), [](std::int64_t) { return 255; });
}

// (i * columns + j) % 256 with columns % 256 = 3: products of ones wrap to the sum modulo 256.
TEST_F(matrices_large, products_with_a_large_operand) {
  const auto b = counted(rows * columns).reshape({rows, columns});
  const auto c =
      nw::matmul(nw::ones<uint8>({2, rows}), b, {.algorithm = nw::matmul_algorithm::tiled});
  const auto d = nw::matmul(b, nw::ones<uint8>({columns, 2}));
  for (const std::int64_t j : {std::int64_t(0), columns / 2, columns - 1}) {
    std::int64_t want = 0;
    for (std::int64_t i = 0; i < rows; ++i) want += i * columns + j;
    ASSERT_EQ(c.item(0, j), want % 256);
    ASSERT_EQ(c.item(1, j), want % 256);
  }
  for (const std::int64_t i : {std::int64_t(0), rows / 2, rows - 1}) {
    const std::int64_t want = columns * (i * columns) + columns * (columns - 1) / 2;
    ASSERT_EQ(d.item(i, 0), want % 256);
    ASSERT_EQ(d.item(i, 1), want % 256);
  }
}

TEST_F(matrices_large, products_with_a_large_result) {
  const auto c =
      nw::matmul(counted(rows).reshape({rows, 1}), counted(columns).reshape({1, columns}));
  expect_elements_2d(c, [](std::int64_t i, std::int64_t j) { return i % 256 * (j % 256) % 256; });
}

}  // namespace
