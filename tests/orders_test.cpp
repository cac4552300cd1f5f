// Results whose operands lie in other orders than they do, of odd extents, and results larger than
// the caches: each element is looked at.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <vector>

namespace nw = numwarp;

namespace {

template <class T> class orders : public testing::Test {};
using elements = testing::Types<nw::int8, nw::int16, float, double, nw::complex128>;
TYPED_TEST_SUITE(orders, elements);

template <class T> nw::ndarray<T> counted(std::int64_t n) {
  return (nw::arange<nw::int64>(n) % 101).template astype<T>().compute();
}

template <class T> T element(std::int64_t i) { return T(double(i % 101)); }

TYPED_TEST(orders, transposed) {
  using T = TypeParam;
  for (const auto& [rows, columns] : {std::pair<int, int>{32, 4096}, {300, 257}, {1031, 67}}) {
    const auto m = counted<T>(std::int64_t(rows) * columns).reshape({rows, columns});
    const auto t = nw::ascontiguousarray(m.T()).to_vector();
    const auto sum = (nw::ascontiguousarray(m.T()).reshape({rows, columns}) + m).to_vector();
    const auto other = counted<T>(std::int64_t(rows) * columns).reshape({columns, rows});
    const auto mixed = (other + m.T()).to_vector();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        const auto from = i * columns + j, to = j * rows + i;
        wrong += t[std::size_t(to)] != element<T>(from);
        wrong += sum[std::size_t(to)] != T(t[std::size_t(to)] + element<T>(to));
        wrong += mixed[std::size_t(to)] != T(element<T>(to) + element<T>(from));
      }
    }
    EXPECT_EQ(wrong, 0) << rows << " x " << columns;
  }
}

TYPED_TEST(orders, three_axes_reversed) {
  using T = TypeParam;
  const std::int64_t a = 70, b = 5, c = 261;
  const auto x = counted<T>(a * b * c).reshape({a, b, c});
  const auto y = nw::ascontiguousarray(x.transpose()).to_vector();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < a * b * c; ++i) {
    const auto to = (i % c * b + i / c % b) * a + i / (b * c);
    wrong += y[std::size_t(to)] != element<T>(i);
  }
  EXPECT_EQ(wrong, 0);
}

TYPED_TEST(orders, backwards_and_in_steps) {
  using T = TypeParam;
  const std::int64_t n = 70001;
  const auto x = counted<T>(n);
  const auto back = nw::flip(x).copy(nw::order::c).to_vector();
  const auto half = x(nw::slice(1, nw::none, 2)).copy(nw::order::c).to_vector();
  const auto third = x(nw::slice(2, nw::none, 3)).copy(nw::order::c).to_vector();
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < n; ++i) wrong += back[std::size_t(i)] != element<T>(n - 1 - i);
  for (std::size_t i = 0; i < half.size(); ++i)
    wrong += half[i] != element<T>(std::int64_t(2 * i + 1));
  for (std::size_t i = 0; i < third.size(); ++i)
    wrong += third[i] != element<T>(std::int64_t(3 * i + 2));
  EXPECT_EQ(wrong, 0);
}

// Blocks of a reduction start anywhere, also inside of what could be a tile.
TEST(orders_of_reductions, sums_of_turned_planes) {
  for (const std::int64_t planes : {130, 9000}) {
    const auto x = counted<float>(planes * 32 * 32).reshape({planes, 32, 32});
    const auto mixed = x + x.transpose({0, 2, 1});
    const auto stored = mixed.copy().compute();
    const auto same = [&](const nw::axes& over) {
      const auto pending = nw::sum(x + x.transpose({0, 2, 1}), {.axis = over});
      return nw::all(pending == nw::sum(stored, {.axis = over})).item();
    };
    EXPECT_TRUE(same(0) && same(1) && same(2)) << planes;
    EXPECT_TRUE(same({0, 1}) && same({0, 2})) << planes;
  }
}

// Past the size from which results are streamed, into every position of a cache line.
TEST(streamed_results, all_of_them_arrive) {
  const std::int64_t n = (std::int64_t(1) << 22) + 5;
  const auto x = counted<float>(n);
  const auto all = nw::zeros<float>(n + 40);
  for (const int from : {0, 1, 7, 16, 31}) {
    const auto out = all(nw::slice(from, from + n));
    all(nw::ellipsis) = -1;
    nw::add(x, x, {.out = out});
    const auto got = all.to_vector();
    std::int64_t wrong = 0;
    for (std::int64_t i = 0; i < n + 40; ++i) {
      const bool inside = i >= from && i < from + n;
      wrong += got[std::size_t(i)] != (inside ? 2 * element<float>(i - from) : -1);
    }
    EXPECT_EQ(wrong, 0) << from;
  }
}

TEST(streamed_results, in_place_and_in_rows) {
  const std::int64_t side = 2051;
  auto m = counted<float>(side * side).reshape({side, side});
  const auto wide = nw::zeros<float>({side, side + 3});
  wide(nw::slice(), nw::slice(2, side + 2)) = m.T();
  EXPECT_TRUE(nw::all(wide(nw::slice(), nw::slice(2, side + 2)) == m.T()).item());
  EXPECT_TRUE(nw::all(wide(nw::slice(), nw::slice(0, 2)) == 0).item());
  const auto before = m.copy();
  m += m;
  EXPECT_TRUE(nw::all(m == before * 2).item());
}

}  // namespace
