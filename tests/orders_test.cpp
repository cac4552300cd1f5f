// Results whose operands lie in other orders than they do, of odd extents, and results larger than
// the caches: each element is looked at.
#include "support/arrays.hpp"
#include "support/devices.hpp"
#include "support/recipes.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;

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

// ---- strides of results, as NumPy chooses them: golden/orders.txt ----

any_array input(const std::string& shape, const std::string& recipe) {
  const nw::shape s(golden_numbers(shape));
  std::int64_t n = 1;
  for (const std::int64_t d : s) n *= d;
  return apply_recipe(nw::arange<double>(double(n)).reshape(s).untyped(), recipe);
}

nw::order order_of(const std::string& text) {
  return text == "C"   ? nw::order::c
         : text == "F" ? nw::order::f
         : text == "A" ? nw::order::a
                       : nw::order::k;
}

any_array result_of(const golden_fields& f) {
  const std::string& name = f[0];
  const any_array a = input(f[1], f[2]);
  if (name == "reshape") return a.reshape(golden_numbers(f[3]), order_of(f[4]));
  if (name == "add")
    return call(nw::core::op_code::add, {a, input(f[3], f[4])}, {.order = order_of(f[5])});
  if (name == "sum" || name == "argmax") {
    nw::detail::reduce_options options;
    options.axis = recipe_detail::axes_of(f[3]);
    const auto op = name == "sum" ? nw::reduce_code::sum : nw::reduce_code::argmax;
    return nw::detail::reduce(op, named(a), options);
  }
  const nw::order o = order_of(f[3]);
  if (name == "copy") return a.copy(o);
  if (name == "astype") return a.astype(nw::dtype::float32, o);
  if (name == "ravel") return nw::detail::ravel(a, o);
  if (name == "flatten") return nw::detail::flatten(a, o);
  if (name == "negative") return call(nw::core::op_code::negative, {a}, {.order = o});
  const nw::shape s = f[4] == "same" ? a.shape() : nw::shape(golden_numbers(f[4]));
  return nw::detail::empty_like(a, a.type(), o, &s);
}

bool has_elements(const std::string& name) {
  return name != "add" && name != "sum" && name != "argmax" && name != "empty_like";
}

// Strides along axes of length one say nothing.
void expect_strides(const any_array& got, const std::string& want) {
  if (got.size() == 0) return;
  const auto strides = golden_numbers(want);
  ASSERT_EQ(got.ndim(), int(strides.size()));
  for (int i = 0; i < got.ndim(); ++i) {
    if (got.shape()[i] == 1) continue;
    EXPECT_EQ(got.strides()[i], strides[std::size_t(i)]) << "axis " << i;
  }
}

TEST(orders, are_those_of_numpy) {
  numwarp_test::for_each_device([] {
    int rows = 0;
    for (const auto& f : golden_lines("orders.txt")) {
      std::string row;
      for (const auto& field : f) row += field + '|';
      SCOPED_TRACE(row);
      const any_array got = result_of(f);
      const bool written = has_elements(f[0]);
      expect_strides(got, f[f.size() - (written ? 2 : 1)]);
      if (written) {
        const nw::ndarray<nw::int64> values(got.astype(nw::dtype::int64));
        EXPECT_EQ(values.to_vector(), golden_numbers(f.back()));
      }
      ++rows;
    }
    EXPECT_GT(rows, 1500);
  });
}

TEST(orders, by_typed_functions) {
  const auto f = nw::arange(6).reshape({2, 3}).copy(nw::order::f);
  EXPECT_TRUE(f.copy().is_c_contiguous());
  EXPECT_TRUE(nw::copy(f).is_f_contiguous());
  EXPECT_TRUE(f.astype<float>().is_f_contiguous());
  EXPECT_TRUE(f.astype<float>(nw::order::c).is_c_contiguous());
  EXPECT_TRUE((f + f).astype<float>(nw::order::c).is_c_contiguous());
  EXPECT_TRUE(nw::add(f, f, {.order = nw::order::c}).is_c_contiguous());
  EXPECT_TRUE(nw::negative(f.copy(), {.order = nw::order::f}).is_f_contiguous());
  EXPECT_TRUE(nw::zeros_like(f, {.order = nw::order::c}).is_c_contiguous());
  const auto like = nw::full_like<float>(f, 2.5, {.shape = nw::shape(3, 2)});
  EXPECT_TRUE(like.is_f_contiguous());
  EXPECT_EQ(like.to_vector(), std::vector<float>(6, 2.5f));
  EXPECT_EQ(nw::ones_like(f, {.shape = nw::shape(4)}).to_vector(), std::vector<nw::int64>(4, 1));
  EXPECT_EQ(nw::empty_like<bool>(f).shape(), f.shape());
  EXPECT_TRUE(throws([&] { nw::empty_like(f, {.shape = nw::shape(-1)}); }, "ValueError",
                     "empty_like: negative dimensions are not allowed"));
  EXPECT_TRUE(throws([&] { nw::full_like<nw::int8>(f, 300); }, "OverflowError", "full_like"));
}

}  // namespace
