// matmul, dot and their relatives against NumPy's answers, and against sums written out.
#include <numwarp/linalg.hpp>

#include "support/arrays.hpp"

namespace {

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::slice;

template <class Error, class Call> void expect_throw(Call call, const std::string& part) {
  try {
    call();
    FAIL() << "nothing thrown; expected " << part;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
  }
}

// ---- NumPy's answers ----

any_array call(const std::string& f, const any_array& a, const any_array& b) {
  return f == "matmul"  ? nw::matmul(a, b)
         : f == "dot"   ? nw::dot(a, b)
         : f == "inner" ? nw::inner(a, b)
         : f == "vdot"  ? nw::vdot(a, b)
                        : nw::outer(a, b);
}

any_array golden_operand_of(const golden_fields& line, std::size_t i) {
  golden_array g = golden("matmul.npz", "base/" + line[2 + i] + "/" + std::to_string(i));
  g.shape = golden_numbers(line[4 + i]);
  std::int64_t size = nw::itemsize(g.type);
  for (const std::int64_t n : g.shape) size *= n;
  g.bytes.resize(std::size_t(size));
  return to_array(g);
}

// The next elements of a golden row, of the shape that the line gives.
golden_array next_result(const golden_fields& line, std::map<std::string, std::size_t>& positions) {
  const std::string row = "out/" + line[1] + "/" + line[2] + "/" + line[3];
  golden_array g = golden("matmul.npz", row);
  g.shape = golden_numbers(line[6]);
  std::size_t size = std::size_t(nw::itemsize(g.type)), &at = positions[row];
  for (const std::int64_t n : g.shape) size *= std::size_t(n);
  g.bytes = g.bytes.substr(at, size);
  at += size;
  return g;
}

std::string one_space(std::string text) {
  for (std::size_t at; (at = text.find("  ")) != std::string::npos;) text.erase(at, 1);
  return text;
}

TEST(Linalg, GivesNumpysAnswersAndErrors) {
  std::map<std::string, std::size_t> positions;
  int cases = 0, errors = 0;
  for (const auto& line : golden_lines("matmul.txt")) {
    SCOPED_TRACE(line[1] + " " + line[2] + " " + line[3] + " " + line[4] + " " + line[5]);
    const any_array a = golden_operand_of(line, 0), b = golden_operand_of(line, 1);
    if (line[0] == "case") {
      // cuBLAS does not add the products to a zero: -0 stays -0.
      const tolerance t{.zero_signs = nw::default_device().is_cpu()};
      EXPECT_TRUE(equal(to_golden(call(line[1], a, b)), next_result(line, positions), t));
      ++cases;
    } else {
      const std::string words = one_space(line[6].substr(line[6].find(": ") + 2));
      expect_throw<nw::value_error>([&] { call(line[1], a, b); }, words);
      expect_throw<nw::value_error>([&] { call(line[1], a, b); }, line[1] + ": ");
      ++errors;
    }
  }
  EXPECT_GT(cases, 700);
  EXPECT_GT(errors, 100);
}

// ---- sums written out ----

// Elements whose sums of products no order of additions changes: small integers, or any integers.
template <class T> nw::ndarray<T> filled(const nw::shape& s, unsigned seed) {
  std::int64_t n = 1;
  for (const std::int64_t d : s) n *= d;
  const auto elements = std::make_unique<T[]>(std::size_t(n));
  std::uint64_t state = seed * 7919 + 1;
  const auto next = [&] {
    return (state = state * 6364136223846793005u + 1442695040888963407u) >> 33;
  };
  for (std::int64_t i = 0; i < n; ++i) {
    T& x = elements[std::size_t(i)];
    if constexpr (std::is_same_v<T, bool>) {
      x = next() % 16 == 0;
    } else if constexpr (std::is_integral_v<T>) {
      x = T(next() * 0x9E3779B97F4A7C15u >> 7);
    } else if constexpr (detail_compare::is_complex_type<T>) {
      const auto re = typename T::value_type(std::int64_t(next() % 19) - 9);
      x = T(re, typename T::value_type(std::int64_t(next() % 19) - 9));
    } else {
      x = T(float(std::int64_t(next() % 19) - 9));
    }
  }
  return nw::array(elements.get(), s);
}

template <class T> auto sum_type() {
  if constexpr (std::is_same_v<T, bool>) {
    return bool{};
  } else if constexpr (std::is_integral_v<T>) {
    return std::uint64_t{};
  } else if constexpr (detail_compare::is_complex_type<T>) {
    return std::complex<double>{};
  } else {
    return double{};
  }
}

// c[s] = a[s] @ b[s] for stacks of one depth, element by element.
template <class T> std::vector<T> products(const nw::ndarray<T>& a, const nw::ndarray<T>& b) {
  using Sum = decltype(sum_type<T>());
  const int r = a.ndim() - 2;
  const std::int64_t m = a.shape()[r], k = a.shape()[r + 1], n = b.shape()[r + 1];
  const auto x = a.to_vector(), y = b.to_vector();
  const std::int64_t stack = m * k == 0 ? 0 : a.size() / (m * k);
  std::vector<T> out;
  for (std::int64_t s = 0; s < stack; ++s) {
    for (std::int64_t ij = 0; ij < m * n; ++ij) {
      const std::int64_t i = ij / n, j = ij % n;
      Sum sum{};
      for (std::int64_t l = 0; l < k; ++l) {
        const auto p =
            Sum(x[std::size_t((s * m + i) * k + l)]) * Sum(y[std::size_t((s * k + l) * n + j)]);
        sum = Sum(sum + p);
      }
      if constexpr (std::is_same_v<Sum, double>) {
        out.push_back(T(float(sum)) == sum || std::is_same_v<T, double> ? T(sum) : T(float(sum)));
      } else {
        out.push_back(T(sum));
      }
    }
  }
  return out;
}

template <class T> void expect_product(const nw::ndarray<T>& a, const nw::ndarray<T>& b) {
  const auto c = nw::matmul(a, b);
  EXPECT_EQ(c.to_vector(), products(a, b))
      << nw::name(nw::dtype_of<T>) << nw::to_string(a.shape()) << nw::to_string(a.strides())
      << nw::to_string(b.shape()) << nw::to_string(b.strides());
}

// The same matrix seen in every way a BLAS does and does not take.
template <class T>
std::vector<nw::ndarray<T>> layouts(std::int64_t rows, std::int64_t columns, unsigned seed) {
  const nw::slice back(nw::none, nw::none, -1), every(nw::none, nw::none, 2);
  return {filled<T>({rows, columns}, seed),
          filled<T>({columns, rows}, seed).T(),
          filled<T>({rows + 3, columns + 2}, seed)(slice(1, rows + 1), slice(2, nw::none)),
          filled<T>({columns + 1, rows + 5}, seed).T()(slice(2, rows + 2), slice(columns)),
          filled<T>({rows, columns}, seed)(back, back),
          filled<T>({rows, columns}, seed)(nw::ellipsis, back),
          filled<T>({2 * rows, columns}, seed)(every),
          filled<T>({rows, 2 * columns}, seed)(nw::ellipsis, every),
          filled<T>({rows, columns, 2}, seed)(nw::ellipsis, 1),
          nw::broadcast_to(filled<T>({1, columns}, seed), {rows, columns}),
          nw::broadcast_to(filled<T>({rows, 1}, seed), {rows, columns})};
}

template <class T> class LinalgOf : public ::testing::Test {};
using all_types = ::testing::Types<bool, nw::int8, nw::int16, nw::int32, nw::int64, nw::uint8,
                                   nw::uint16, nw::uint32, nw::uint64, nw::float16, nw::bfloat16,
                                   float, double, nw::complex64, nw::complex128>;
TYPED_TEST_SUITE(LinalgOf, all_types);

TYPED_TEST(LinalgOf, EverySize) {
  using T = TypeParam;
  const std::int64_t sizes[][3] = {{1, 1, 1},     {1, 1, 257},    {2, 3, 4},    {31, 33, 32},
                                   {33, 31, 100}, {100, 1, 33},   {1, 100, 33}, {100, 100, 1},
                                   {97, 257, 6},  {257, 65, 300}, {5, 600, 7},  {600, 5, 513}};
  for (const auto& [m, n, k] : sizes) expect_product(filled<T>({m, k}, 1), filled<T>({k, n}, 2));
}

TYPED_TEST(LinalgOf, EveryLayout) {
  using T = TypeParam;
  for (const auto& a : layouts<T>(7, 9, 3)) {
    for (const auto& b : layouts<T>(9, 5, 4)) expect_product(a, b);
  }
  for (const auto& a : layouts<T>(1, 20, 3)) expect_product(a, layouts<T>(20, 11, 4)[1]);
  for (const auto& b : layouts<T>(20, 1, 3)) expect_product(layouts<T>(11, 20, 4)[3], b);
}

TYPED_TEST(LinalgOf, Stacks) {
  using T = TypeParam;
  const auto a = filled<T>({4, 3, 5, 6}, 5), b = filled<T>({4, 3, 6, 2}, 6);
  expect_product(a, b);
  expect_product(a(slice(nw::none, nw::none, -1)), b(slice(nw::none, nw::none, 1)));
  expect_product(a.transpose({1, 0, 2, 3}), b.transpose({1, 0, 2, 3}));
  expect_product(a.transpose({3, 1, 0, 2}), filled<T>({2, 3, 5, 6}, 7).transpose({3, 1, 2, 0}));
}

// Broadcast stacks give what their copies give.
TYPED_TEST(LinalgOf, BroadcastStacks) {
  using T = TypeParam;
  const nw::shape shapes[][2] = {{{4, 5, 6}, {6, 2}},       {{5, 6}, {4, 6, 2}},
                                 {{2, 1, 5, 6}, {3, 6, 2}}, {{9, 1, 6}, {6, 4}},
                                 {{6, 4}, {9, 4, 1}},       {{2, 3, 1, 1}, {1, 3, 1, 1}}};
  for (const auto& s : shapes) {
    const auto a = filled<T>(s[0], 7), b = filled<T>(s[1], 8);
    const auto c = nw::matmul(a, b);
    const nw::shape stack(nw::dims(std::span(c.shape().data(), std::size_t(c.ndim() - 2))));
    const auto whole = [&](const nw::ndarray<T>& x) {
      nw::shape to = stack;
      to.push_back(x.shape()[x.ndim() - 2]);
      to.push_back(x.shape()[x.ndim() - 1]);
      return nw::broadcast_to(x, to).copy(nw::order::c);
    };
    EXPECT_EQ(c.to_vector(), products(whole(a), whole(b)));
  }
}

// ---- out= ----

TYPED_TEST(LinalgOf, OutMayOverlapTheOperands) {
  using T = TypeParam;
  const auto fresh = [] { return filled<T>({12, 12}, 9); };
  const slice top(8), low(4, nw::none), back(nw::none, nw::none, -1);
  const auto views = [&](const nw::ndarray<T>& x) {
    return std::vector<nw::ndarray<T>>{x(top, top),
                                       x(low, low),
                                       x(top, low),
                                       x(top, top).T(),
                                       x(low, top),
                                       x(back, back)(top, top),
                                       x(low, back)(nw::ellipsis, top)};
  };
  const std::size_t n = views(fresh()).size();
  for (std::size_t i = 0; i < n * n * n; ++i) {
    const auto x = fresh(), y = fresh();
    auto a = views(x)[i % n], b = views(x)[i / n % n], out = views(x)[i / n / n];
    const auto wanted = nw::matmul(views(y)[i % n], views(y)[i / n % n]);
    nw::matmul(a, b, {.out = out});
    ASSERT_EQ(out.to_vector(), wanted.to_vector()) << i;
    const auto want_all = fresh();
    views(want_all)[i / n / n](nw::ellipsis) = wanted;
    ASSERT_EQ(x.to_vector(), want_all.to_vector()) << i;  // and nothing else was written
  }
}

TEST(Linalg, OutIsReturnedAndPendingReadersComeFirst) {
  auto a = filled<double>({8, 8}, 1), c = nw::zeros({8, 8});
  const auto pending = c + 1;
  const auto r = nw::matmul(a, a, {.out = c});
  EXPECT_EQ(r.data(), c.data());
  EXPECT_EQ(pending.to_vector(), std::vector<double>(64, 1.0));
  const auto wanted = nw::matmul(a, a);
  EXPECT_EQ(c.to_vector(), wanted.to_vector());
  nw::matmul(a, a, {.out = a});
  EXPECT_EQ(a.to_vector(), wanted.to_vector());
}

TEST(Linalg, OutOfOtherShapesTypesAndLayouts) {
  const auto a = filled<double>({3, 4}, 1), b = filled<double>({4, 5}, 2);
  const auto wanted = nw::matmul(a, b);
  auto stack = nw::zeros({2, 3, 5});
  nw::matmul(a, b, {.out = stack});  // NumPy broadcasts to out
  EXPECT_EQ(stack(1).to_vector(), wanted.to_vector());
  auto turned = nw::zeros({5, 3}).T();
  nw::matmul(a, b, {.out = turned});
  EXPECT_EQ(turned.to_vector(), wanted.to_vector());
  auto sparse = nw::zeros({3, 10})(nw::ellipsis, slice(nw::none, nw::none, -2));
  nw::matmul(a, b, {.out = sparse});
  EXPECT_EQ(sparse.to_vector(), wanted.to_vector());
  const any_array narrow = nw::zeros<float>({3, 5}).untyped();
  nw::matmul(a.untyped(), b, {.out = narrow});
  EXPECT_EQ(nw::ndarray<float>(narrow).to_vector(), wanted.astype<float>().to_vector());
}

TEST(Linalg, OutThatDoesNotFit) {
  const auto a = nw::ones({3, 4}), b = nw::ones({4, 5});
  const auto refuse = [&](const any_array& out, const std::string& words) {
    expect_throw<nw::value_error>([&] { nw::matmul(a.untyped(), b.untyped(), {.out = out}); },
                                  words);
  };
  refuse(nw::zeros({3, 6}).untyped(), "Output operand 0 has a mismatch in its core dimension 1");
  refuse(nw::zeros({5}).untyped(), "matmul: ");
  refuse(nw::zeros({3, 5}).readonly().untyped(), "read-only");
  expect_throw<nw::type_error>(
      [&] {
        nw::matmul(a.untyped(), b.untyped(), {.out = nw::zeros<int>({3, 5}).untyped()});
      },
      "same_kind");
  expect_throw<nw::value_error>([&] { nw::dot(a, b, {.out = nw::zeros({5, 3}).T()}); }, "C-Array");
  expect_throw<nw::value_error>([&] { nw::dot(a, b, {.out = nw::zeros({5, 3})}); }, "wrong dim");
  auto c = nw::zeros({3, 5});
  EXPECT_EQ(nw::dot(a, b, {.out = c}).data(), c.data());
  EXPECT_EQ(c.sum().item(), 60);
}

TEST(Linalg, NullArraysThrow) {
  expect_throw<nw::value_error>([] { nw::matmul(nw::ndarray<float>(), nw::ones<float>({2})); },
                                "matmul");
  expect_throw<nw::value_error>([] { nw::dot(nw::ones({2}), nw::ndarray<double>()); }, "dot: ");
}

// ---- types and values ----

TEST(Linalg, TypesPromoteAsInNumpy) {
  const auto i = nw::ones<nw::int8>({2, 2});
  static_assert(
      std::is_same_v<decltype(nw::matmul(i, nw::ones<nw::uint8>({2, 2}))), nw::ndarray<nw::int16>>);
  static_assert(std::is_same_v<decltype(nw::dot(i, nw::ones<float>({2, 2}))), nw::ndarray<float>>);
  static_assert(std::is_same_v<decltype(nw::matmul(i.untyped(), i)), any_array>);
  EXPECT_EQ(nw::matmul(i.untyped(), nw::ones<nw::complex64>({2, 2})).type(), nw::dtype::complex64);
  EXPECT_EQ(nw::matmul(i, nw::ones({2, 2})).sum().item(), 8.0);
}

TEST(Linalg, HalvesAreSummedInFloat) {
  const auto a = nw::array({nw::float16(300.f), nw::float16(300.f)});
  const auto b = nw::array({nw::float16(300.f), nw::float16(-300.f)});
  EXPECT_EQ(float(nw::dot(a, b).item()), 0.f);
  const auto ones = nw::full<nw::float16>({5000}, 1);  // stops at 2048 when rounded at each step
  EXPECT_EQ(float(nw::dot(ones, ones).item()), 5000.f);
}

TEST(Linalg, NansOfOtherElementsStayOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto out = nw::full<double>({4, 1}, nan);
  nw::matmul(nw::ones({4, 4}), nw::ones({4, 1}), {.out = out});  // what lay in out= is not read
  EXPECT_EQ(out.to_vector(), std::vector<double>(4, 4.0));
  auto a = nw::ones({3, 3});
  a(1, 1) = nan;
  const auto c = nw::matmul(a, nw::zeros({3, 3}));
  EXPECT_EQ(c.item(0, 0), 0.0);
  EXPECT_TRUE(std::isnan(c.item(1, 2)));  // nan * 0 is nan
  EXPECT_TRUE(std::isnan(nw::matmul(a, nw::zeros({3})).item(1)));
}

TEST(Linalg, RandomFloatsNearTheExactSums) {
  const auto a = nw::sin(nw::arange<float>(0, 120 * 500)).reshape({120, 500});
  const auto b = nw::cos(nw::arange<float>(0, 500 * 90)).reshape({500, 90});
  const auto c = nw::matmul(a, b).to_vector();
  const auto exact = products(a.astype<double>(), b.astype<double>());
  for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(double(c[i]), exact[i], 1e-4) << i;
}

TEST(Linalg, PendingOperandsAndTemporaries) {
  const auto a = filled<double>({6, 6}, 1);
  EXPECT_EQ(nw::matmul(a + 1, (a * 2).T()).to_vector(),
            products((a + 1).compute(), (a * 2).T().compute()));
  EXPECT_EQ(nw::matmul(a(a(nw::ellipsis, 0) > -100.), a).to_vector(), products(a, a));
}

TEST(Linalg, ThreadsDoNotChangeTheResult) {
  const auto a = filled<nw::int32>({300, 300}, 1);
  const auto f = nw::sin(nw::arange<double>(0, 90000)).reshape({300, 300});
  const auto ints = nw::matmul(a, a).to_vector();
  const auto floats = nw::matmul(f, f).to_vector();
  const int threads = nw::get_num_threads();
  for (const int n : {1, 2, 5}) {
    nw::set_num_threads(n);
    EXPECT_EQ(nw::matmul(a, a).to_vector(), ints);
    const auto c = nw::matmul(f, f).to_vector();
    for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], floats[i], 1e-11);
  }
  nw::set_num_threads(threads);
}

}  // namespace
