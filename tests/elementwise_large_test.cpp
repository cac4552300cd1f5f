// Elementwise kernels, casts, copies, joins, selections and index arrays past 2^31 elements.
#include "large_support.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::none;
using nw::slice;
using nw::uint8;

namespace {

class elementwise_large : public large, public ::testing::WithParamInterface<std::int64_t> {
 protected:
  const std::int64_t n = GetParam();
};
INSTANTIATE_TEST_SUITE_P(sizes, elementwise_large, ::testing::Values(edge - 1, edge, edge + 1),
                         [](const auto& p) {
                           return p.param == edge ? "edge" : p.param < edge ? "below" : "above";
                         });

TEST_P(elementwise_large, filled_and_counted) {
  expect_elements(nw::full<nw::int8>(n, -7), [](std::int64_t) { return -7; });
  expect_elements(counted(n), [](std::int64_t i) { return i % 256; });
}

TEST_P(elementwise_large, contiguous) {
  const auto a = counted(n);
  expect_elements(nw::negative(a), [](std::int64_t i) { return (256 - i % 256) % 256; });
  expect_elements(a * 3 + a, [](std::int64_t i) { return i * 4 % 256; });
  expect_elements(a > 100, [](std::int64_t i) { return i % 256 > 100; });
}

TEST_P(elementwise_large, in_place_and_into_out) {
  const auto a = counted(n);
  auto b = a.copy();
  b += a;
  expect_elements(b, [](std::int64_t i) { return i * 2 % 256; });
  nw::add(a, 1, {.out = b});
  expect_elements(b, [](std::int64_t i) { return (i + 1) % 256; });
}

TEST_P(elementwise_large, strided) {
  const auto a = counted(n);
  const auto back = a(slice(none, none, -1));
  expect_elements(back + 1, [&](std::int64_t i) { return (n - 1 - i + 1) % 256; });
  expect_elements(back.copy(nw::order::c), [&](std::int64_t i) { return (n - 1 - i) % 256; });
  expect_elements(a(slice(none, none, 3)) + 1, [](std::int64_t i) { return (3 * i + 1) % 256; });
  auto b = nw::zeros<uint8>(n);
  b(slice(none, none, 2)) = 5;
  expect_elements(b, [](std::int64_t i) { return i % 2 == 0 ? 5 : 0; });
}

TEST_P(elementwise_large, cast) {
  const auto a = counted(n);
  expect_elements(a.astype<nw::int8>(), [](std::int64_t i) { return std::int8_t(i); });
  expect_elements(a.astype<bool>(), [](std::int64_t i) { return i % 256 != 0; });
  expect_elements(a.astype<nw::float16>().astype<uint8>(), [](std::int64_t i) { return i % 256; });
}

TEST_P(elementwise_large, selected_by_mask) {
  const auto a = counted(n);
  const auto mask = (a == 5).compute();
  const auto chosen = a(mask);
  EXPECT_EQ(chosen.size(), (n - 1 - 5) / 256 + 1);
  EXPECT_EQ(chosen.min().item(), 5);
  auto few = nw::zeros<bool>(n);
  for (const std::int64_t i : {std::int64_t(3), n / 2, n - 1}) few(i) = true;
  EXPECT_EQ(a(few).to_vector(), (std::vector<uint8>{3, uint8(n / 2 % 256), uint8((n - 1) % 256)}));
  auto b = a.copy();
  b(few) = nw::array<uint8>({201, 202, 203});
  EXPECT_EQ(b.item(3), 201);
  EXPECT_EQ(b.item(n / 2), 202);
  EXPECT_EQ(b.item(n - 1), 203);
  b(mask) = 77;
  expect_elements(b(slice(256, n - 1)), [&](std::int64_t k) {
    const std::int64_t i = k + 256;
    return i == n / 2 ? 202 : i % 256 == 5 ? 77 : i % 256;
  });
}

TEST_P(elementwise_large, joined_and_rearranged) {
  const auto a = counted(n);
  const std::int64_t first = n / 3 + 1;
  expect_elements(nw::concatenate({a(slice(first, none)), a(slice(0, first))}),
                  [&](std::int64_t i) { return (i + first) % n % 256; });
  expect_elements(nw::roll(a, 1001), [&](std::int64_t i) { return (i - 1001 + n) % n % 256; });
  expect_elements(nw::pad(a, {3, 2}, "reflect"), [&](std::int64_t i) {
    const std::int64_t k = std::abs(i - 3);
    return (k < n ? k : 2 * n - 2 - k) % 256;
  });
  expect_elements(nw::repeat(a(slice(0, n / 2 + 1)), 2),
                  [](std::int64_t i) { return i / 2 % 256; });
  expect_elements(nw::tile(a(slice(0, 1000)), n / 1000 + 1),
                  [](std::int64_t i) { return i % 1000 % 256; });
  expect_elements(nw::insert(a, n - 2, 7), [&](std::int64_t i) {
    return i < n - 2 ? i % 256 : i == n - 2 ? 7 : (i - 1) % 256;
  });
}

class matrices_large : public large {
 protected:
  static constexpr std::int64_t rows = 65537, columns = 32771;  // 2^31 + 229 379
};

TEST_F(matrices_large, broadcast) {
  const auto row = counted(columns), column = counted(rows).reshape({rows, 1});
  expect_elements_2d(row + column,
                     [](std::int64_t i, std::int64_t j) { return (i % 256 + j % 256) % 256; });
  expect_elements_2d(counted(rows * columns).reshape({rows, columns}) + column,
                     [](std::int64_t i, std::int64_t j) { return (i * columns + j + i) % 256; });
}

TEST_F(matrices_large, stacked_and_padded) {
  const auto m = counted(rows / 2 * columns).reshape({rows / 2, columns});
  const auto both = nw::stack({m, m}, {.axis = 1});
  EXPECT_EQ(both.item(rows / 2 - 1, 1, columns - 1), (rows / 2 * columns - 1) % 256);
  expect_elements_2d(
      nw::pad(m, {{0, rows / 2}, {1, 0}}, "edge"), [](std::int64_t i, std::int64_t j) {
        return (std::min(i, rows / 2 - 1) * columns + std::max<std::int64_t>(j - 1, 0)) % 256;
      });
}

TEST_F(matrices_large, transposed_copies) {
  const auto m = counted(rows * columns).reshape({rows, columns});
  expect_elements_2d(m.T().copy(nw::order::c),
                     [](std::int64_t i, std::int64_t j) { return (j * columns + i) % 256; });
  expect_elements_2d(nw::flip(m, 1).copy(nw::order::c), [](std::int64_t i, std::int64_t j) {
    return (i * columns + columns - 1 - j) % 256;
  });
  const auto cube = counted(std::int64_t(257) * 2053 * 4079).reshape({257, 2053, 4079});
  const auto turned = cube.transpose({2, 0, 1}).copy(nw::order::c);
  for (const std::int64_t i : {0, 1, 2039, 4078}) {
    for (const std::int64_t j : {0, 128, 256}) {
      for (const std::int64_t k : {0, 1027, 2052}) {
        ASSERT_EQ(turned.item(i, j, k), ((j * 2053 + k) * 4079 + i) % 256);
      }
    }
  }
}

TEST_F(matrices_large, with_their_transpose) {
  const std::int64_t side = 46342;  // squared above 2^31
  const auto m = counted(side * side).reshape({side, side});
  expect_elements_2d(m + m.T(), [&](std::int64_t i, std::int64_t j) {
    return ((i * side + j) % 256 + (j * side + i) % 256) % 256;
  });
}

// Formulas of an element's place.
TEST_F(matrices_large, triangles_and_grids) {
  const std::int64_t height = 46349, width = 46343;
  const auto lower = nw::tri<uint8>(height, width, 1);
  const auto is_lower = [](std::int64_t i, std::int64_t j) { return j <= i + 1; };
  expect_elements_2d(lower, is_lower);
  EXPECT_EQ(nw::sum(lower).item(), width * (width + 1) / 2 + width - 1 + 6 * width);
  expect_elements_2d(nw::triu(lower, 1), [](std::int64_t i, std::int64_t j) { return j == i + 1; });
  const auto grid = nw::indices<uint8>({height, width});
  expect_elements_2d(grid(0), [](std::int64_t i, std::int64_t) { return i % 256; });
  expect_elements_2d(grid(1), [](std::int64_t, std::int64_t j) { return j % 256; });
}

class indices_large : public large {
  std::int64_t needed() const override { return std::int64_t(18) << 30; }
};

TEST_F(indices_large, of_places_far_out) {
  const std::int64_t n = edge + 300;
  const auto a = counted(n);
  const auto i = nw::array({std::int64_t(0), std::int64_t(-1), edge - 1, edge, edge + 257});
  const auto got = nw::take(a, i).to_vector();
  EXPECT_EQ(got, (std::vector<std::uint8_t>{0, std::uint8_t((n - 1) % 256), 255, 0, 1}));
  a(i) = nw::array<std::uint8_t>({9, 8, 7, 6, 5});
  nw::add.at(a, i(nw::array({3, 3, 4})), 100);
  EXPECT_EQ(a.item(edge), 206);
  EXPECT_EQ(a.item(edge + 257), 105);
  EXPECT_EQ(a.item(edge + 256), 0);
  EXPECT_EQ(a.item(n - 1), 8);
}

TEST_F(indices_large, of_great_number) {
  const std::int64_t n = edge + 300;
  const auto table = (nw::arange<std::uint8_t>(256) * 3).compute();
  const auto want = [](std::int64_t k) { return k * 3 % 256; };
  expect_elements(nw::take(table, counted(n)), want);
  expect_elements(nw::take(table, counted(n).astype<int>()), want);
  const auto last = nw::zeros<std::uint8_t>(256);
  last(counted(n)) = nw::floor_divide(counted(n), std::uint8_t(2));
  for (const std::int64_t k : {0, 1, 77, 255}) EXPECT_EQ(last.item(k), k / 2);
}

}  // namespace
