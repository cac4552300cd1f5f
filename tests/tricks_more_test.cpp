// Matrices, grids, index tricks and stride tricks as they are written: spellings, views, pending
// operands, launches, overlap, errors. Their values are in tricks_test.cpp.
#include <numwarp/testing.hpp>

#include "support/arrays.hpp"
#include "support/counting.hpp"
#include "support/devices.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using numwarp_test::for_each_device;

namespace {

using ints = std::vector<nw::int64>;
using floats = std::vector<double>;

auto counted(const nw::shape& s) {
  std::int64_t n = 1;
  for (const std::int64_t d : s) n *= d;
  return nw::arange(n).reshape(s);
}

TEST(matrices, are_written_as_in_numpy) {
  for_each_device([] {
    EXPECT_EQ(nw::tri(2).to_vector(), (floats{1, 0, 1, 1}));
    EXPECT_EQ(nw::tri<int>(2, 3, 1).to_vector(), (std::vector<int>{1, 1, 0, 1, 1, 1}));
    EXPECT_EQ(nw::tril(counted({2, 2}) + 1).to_vector(), (ints{1, 0, 3, 4}));
    EXPECT_EQ(nw::triu(counted({2, 2}) + 1, 1).to_vector(), (ints{0, 2, 0, 0}));
    EXPECT_EQ(nw::diag(nw::array({5, 6})).to_vector(), (ints{5, 0, 0, 6}));
    EXPECT_EQ(nw::diagflat(nw::array({{5}, {6}}), 1).shape(), nw::shape(3, 3));
    const auto powers = nw::vander(nw::array({2.0f, 3.0f}), {.N = 3, .increasing = true});
    static_assert(std::is_same_v<decltype(powers), const nw::ndarray<double>>);
    EXPECT_EQ(powers.to_vector(), (floats{1, 2, 4, 1, 3, 9}));
    EXPECT_EQ(nw::trace(counted({3, 3}), 1).item(), 6);
    EXPECT_EQ(nw::trace<float>(counted({3, 3})).item(), 12.0f);
    const auto sums = nw::zeros<nw::int64>(2);
    nw::trace(counted({2, 2, 2}), 0, 0, 1, sums);
    EXPECT_EQ(sums.to_vector(), (ints{6, 8}));
    EXPECT_EQ(nw::trace(nw::ones<bool>({2, 2})).item(), 2);
    EXPECT_EQ(counted({3, 3}).trace(-1).item(), 10);
    EXPECT_EQ(counted({3, 3}).trace<float>().item(), 12.0f);
    EXPECT_EQ(counted({3, 3}).diagonal(1).to_vector(), (ints{1, 5}));
  });
}

TEST(grids, are_written_as_in_numpy) {
  for_each_device([] {
    const auto whole = nw::mgrid(nw::range(2), nw::range(1, 3));
    static_assert(std::is_same_v<decltype(whole), const nw::ndarray<nw::int64>>);
    EXPECT_EQ(whole.to_vector(), (ints{0, 0, 1, 1, 1, 2, 1, 2}));
    const auto [x, y] = nw::ogrid(nw::range(0, 1, nw::points(3)), nw::range(2));
    static_assert(std::is_same_v<decltype(x), const nw::ndarray<double>>);
    EXPECT_EQ(x.shape(), nw::shape(3, 1));
    EXPECT_EQ(x.to_vector(), (floats{0, 0.5, 1}));
    EXPECT_EQ(y.to_vector(), (floats{0, 1}));
    EXPECT_TRUE(x.flags().owndata);
    EXPECT_EQ(nw::mgrid(nw::range(0.0, 1.0, 0.5)).to_vector(), (floats{0, 0.5}));
    EXPECT_EQ(nw::mgrid(nw::range(0, 1, nw::points(2))).to_vector(), (floats{0, 1}));
    EXPECT_EQ(nw::ogrid(nw::range(5, 0, -2)).to_vector(), (ints{5, 3, 1}));
    const auto [a, b] = nw::meshgrid(nw::arange(2), nw::array({0.5, 1.5, 2.5}));
    static_assert(std::is_same_v<std::remove_const_t<decltype(b)>, nw::ndarray<double>>);
    EXPECT_EQ(a.shape(), nw::shape(3, 2));
    const auto [c, d, e] = nw::meshgrid(nw::arange(2), nw::arange(3), nw::arange(4),
                                        {.copy = false, .indexing = nw::indexing::ij});
    EXPECT_EQ(c.shape(), nw::shape(2, 3, 4));
    EXPECT_FALSE(d.writeable());
    EXPECT_EQ(e.strides(), nw::dims(std::vector<std::int64_t>{0, 0, 8}));
    const auto list = nw::meshgrid(std::vector{nw::arange(2), nw::arange(3)}, {.sparse = true});
    EXPECT_EQ(list[0].shape(), nw::shape(1, 2));
    const auto sums = nw::fromfunction<int>([](auto i, auto j) { return i * 10 + j; }, {2, 3});
    EXPECT_EQ(sums.to_vector(), (std::vector<int>{0, 1, 2, 10, 11, 12}));
    EXPECT_EQ(nw::logspace(0, 2, 3).to_vector().back(), 100);
    EXPECT_EQ(nw::logspace<float>(1, 3, 2, {.endpoint = false, .base = 2}).to_vector(),
              (std::vector<float>{2, 4}));
    nw::testing::assert_allclose(nw::logspace(0, 2, 3, nw::array({{2, 3}}), {.axis = -1}),
                                 nw::array({{{1.0, 2.0, 4.0}, {1.0, 3.0, 9.0}}}), {.rtol = 1e-15});
    EXPECT_EQ(nw::geomspace(1, 16, 5).shape(), nw::shape(5));
    const auto between = nw::linspace(nw::array<float>({0, 1}), 4, 5, {.axis = -1});
    static_assert(std::is_same_v<decltype(between), const nw::ndarray<float>>);
    EXPECT_EQ(between.to_vector(), (std::vector<float>{0, 1, 2, 3, 4, 1, 1.75, 2.5, 3.25, 4}));
    const std::complex<double> i(0, 1);
    EXPECT_EQ(nw::linspace(0, 2.0 * i, 3).to_vector(), (std::vector{0.0 * i, i, 2.0 * i}));
    nw::testing::assert_allclose(nw::geomspace(1.0 + 0.0 * i, -1.0 + 0.0 * i, 3),
                                 nw::array({1.0 + 0.0 * i, i, -1.0 + 0.0 * i}), {.atol = 1e-15});
    static_assert(
        std::is_same_v<decltype(nw::logspace(1, nw::array({2, 3}), 4))::value_type, double>);
    EXPECT_EQ(nw::logspace<int>(0, nw::array({1, 2}), 2).to_vector(), (std::vector{1, 1, 10, 100}));
    EXPECT_TRUE(
        throws([] { nw::linspace(0, 1, 3, {.axis = 1}); }, "AxisError", "linspace: axis 1"));
    EXPECT_TRUE(
        throws([] { nw::logspace(0, 1, 3, {.axis = 1}); }, "AxisError", "logspace: axis 1"));
    EXPECT_TRUE(
        throws([] { nw::geomspace(1, 2, 3, {.axis = -2}); }, "AxisError", "geomspace: axis -2"));
    EXPECT_TRUE(throws([] { nw::ogrid(nw::range(0, 1, 0), nw::range(2)); }, "ValueError",
                       "ogrid: step must not be zero"));
    EXPECT_TRUE(throws([] { nw::mgrid(nw::range(0, 1, nw::points(-2))); }, "ValueError",
                       "mgrid: number of points, -2, must be non-negative"));
    EXPECT_TRUE(throws([] { nw::geomspace(0, 1, 3); }, "ValueError",
                       "geomspace: Geometric sequence cannot include zero"));
  });
}

TEST(concatenators, are_written_as_in_numpy) {
  for_each_device([] {
    EXPECT_EQ(nw::r_(nw::range(3), 7, nw::array({1, 2})).to_vector(), (ints{0, 1, 2, 7, 1, 2}));
    const auto mixed = nw::r_(nw::range(0, 1, nw::points(3)), 5);
    static_assert(std::is_same_v<decltype(mixed), const nw::ndarray<double>>);
    EXPECT_EQ(mixed.to_vector(), (floats{0, 0.5, 1, 5}));
    static_assert(
        std::is_same_v<decltype(nw::r_(nw::ndarray<nw::int8>(), 300))::value_type, nw::int8>);
    static_assert(std::is_same_v<decltype(nw::r_(nw::ndarray<float>(), 1.5))::value_type, float>);
    static_assert(
        std::is_same_v<decltype(nw::r_(nw::ndarray<nw::int8>(), 1.5))::value_type, double>);
    static_assert(std::is_same_v<decltype(nw::r_(1, 2.5))::value_type, double>);
    EXPECT_EQ(nw::r_(nw::ones<int>({1, 2}), nw::zeros<nw::int8>({2, 2})).shape(), nw::shape(3, 2));
    EXPECT_EQ(nw::c_(nw::range(2), nw::array({5, 6})).to_vector(), (ints{0, 5, 1, 6}));
    EXPECT_EQ(nw::c_(nw::range(2), nw::ones<nw::int64>({2, 2})).to_vector(),
              (ints{0, 1, 1, 1, 1, 1}));
    EXPECT_EQ(nw::c_(1, 2, 3).shape(), nw::shape(1, 3));
    EXPECT_EQ(nw::c_(nw::ones({2, 2, 1}), nw::ones({2, 2, 2})).shape(), nw::shape(2, 2, 3));
    EXPECT_EQ(nw::r_(nw::arange(2) + 1, nw::arange(0)).to_vector(), (ints{1, 2}));
    const auto a = nw::array({1, 2}), b = nw::array({3, 4});
    const auto expect = [&](nw::r_options o, const nw::shape& s, const ints& values) {
      const auto joined = nw::r_(o, a, b);
      EXPECT_EQ(joined.shape(), s);
      EXPECT_EQ(joined.to_vector(), values);
    };
    expect({0, 2}, {2, 2}, {1, 2, 3, 4});
    expect({1, 2, 0}, {2, 2}, {1, 3, 2, 4});
    expect({0, 3}, {2, 1, 2}, {1, 2, 3, 4});
    expect({0, 3, 0}, {4, 1, 1}, {1, 2, 3, 4});
    expect({-1, 3, -2}, {1, 2, 2}, {1, 3, 2, 4});
    const auto m = nw::arange(6).reshape({2, 3});
    EXPECT_EQ(nw::r_(nw::r_options{.ndmin = 2}, m, nw::range(3)).to_vector(),
              (ints{0, 1, 2, 3, 4, 5, 0, 1, 2}));
    EXPECT_EQ(nw::r_(nw::r_options{1, 2, 0}, m, nw::array({8, 9})).to_vector(),
              (ints{0, 1, 2, 8, 3, 4, 5, 9}));
    EXPECT_EQ(nw::r_(nw::r_options{0, 3, 0}, m).shape(), nw::shape(2, 3, 1));
    EXPECT_EQ(nw::r_(nw::r_options{0, 3, 1}, m).shape(), nw::shape(1, 2, 3));
    EXPECT_TRUE(throws([&] { nw::r_(nw::r_options{2}, a, b); }, "AxisError",
                       "r_: axis 2 is out of bounds for array of dimension 1"));
    EXPECT_TRUE(throws([&] { nw::r_(nw::r_options{0, 2, 5}, a, b); }, "AxisError", "axis 5"));
    EXPECT_TRUE(throws([] { nw::r_(nw::array<nw::int8>({1}), 300); }, "OverflowError",
                       "out of bounds for int8"));
    EXPECT_TRUE(throws([] { nw::c_(nw::range(3), 0); }, "ValueError",
                       "c_: all the input array dimensions except for the concatenation axis must "
                       "match exactly, but along dimension 0, the array at index 0 has size 3 and "
                       "the array at index 1 has size 1"));
    EXPECT_TRUE(throws(
        [] {
          nw::r_(nw::range(3), nw::ones({1, 2}));
        },
        "ValueError",
        "r_: all the input arrays must have same number of dimensions, but the array "
        "at index 0 has 1 dimension(s) and the array at index 1 has 2 dimension(s)"));
  });
}

TEST(index_tricks, are_written_as_in_numpy) {
  for_each_device([] {
    const auto [i, j] = nw::tril_indices(3);
    EXPECT_EQ(i.to_vector(), (ints{0, 1, 1, 2, 2, 2}));
    EXPECT_EQ(j.to_vector(), (ints{0, 0, 1, 0, 1, 2}));
    const auto [k, l] = nw::triu_indices_from(nw::zeros<float>({2, 3}), 1);
    EXPECT_EQ(k.to_vector(), (ints{0, 0, 1}));
    EXPECT_EQ(l.to_vector(), (ints{1, 2, 2}));
    EXPECT_TRUE(throws([] { nw::tril_indices_from(nw::zeros(3)); }, "ValueError",
                       "tril_indices_from: input array must be 2-d"));
    EXPECT_EQ(nw::diag_indices<3>(4)[2].to_vector(), (ints{0, 1, 2, 3}));
    EXPECT_EQ(nw::diag_indices_from(nw::zeros({2, 2, 2})).size(), 3u);
    EXPECT_TRUE(throws(
        [] {
          nw::diag_indices_from(nw::zeros({2, 3}));
        },
        "ValueError", "diag_indices_from: All dimensions of input must be of equal length"));
    EXPECT_TRUE(throws([] { nw::diag_indices_from(nw::zeros(2)); }, "ValueError",
                       "input array must be at least 2-d"));
    const auto [p, q] = nw::mask_indices(
        3, [](const auto& m, int d) { return nw::triu(m, d); }, 1);
    EXPECT_EQ(p.to_vector(), (ints{0, 0, 1}));
    EXPECT_EQ(q.to_vector(), (ints{1, 2, 2}));
    const auto [rows, columns] =
        nw::ix_(nw::array<nw::int8>({2, 0}), nw::array({true, false, true}));
    static_assert(std::is_same_v<std::remove_const_t<decltype(rows)>, nw::ndarray<nw::int8>>);
    EXPECT_EQ(rows.shape(), nw::shape(2, 1));
    EXPECT_EQ(columns.to_vector(), (ints{0, 2}));
    EXPECT_EQ(nw::indices<float>({2, 2})(1).to_vector(), (std::vector<float>{0, 1, 0, 1}));
    EXPECT_EQ(nw::sparse_indices({2, 3})[1].shape(), nw::shape(1, 3));
    EXPECT_EQ(nw::ravel_multi_index({i, j}, {3, 3}).to_vector(), (ints{0, 3, 4, 6, 7, 8}));
    EXPECT_EQ(nw::ravel_multi_index(nw::array({{3, 6}, {4, 5}}), {7, 6}).to_vector(),
              (ints{22, 41}));
    EXPECT_EQ(nw::ravel_multi_index(
                  {4, -1}, {3, 4},
                  {.mode = {nw::index_mode::wrap, nw::index_mode::clip}, .order = nw::order::f})
                  .item(),
              1);
    const auto [a, b] = nw::unravel_index<2>(nw::array<nw::uint8>({22, 41}), {7, 6});
    EXPECT_EQ(a.to_vector(), (ints{3, 6}));
    EXPECT_EQ(b.to_vector(), (ints{4, 5}));
    EXPECT_EQ(nw::unravel_index(1621, {6, 7, 8, 9}), (ints{3, 1, 4, 1}));
    EXPECT_EQ(nw::ravel_multi_index(nw::unravel_index(nw::arange(42), {7, 6}), {7, 6}).to_vector(),
              nw::arange(42).to_vector());
    EXPECT_TRUE(throws(
        [] {
          nw::unravel_index<3>(nw::arange(2), {7, 6});
        },
        "ValueError", "unravel_index: 3 index arrays do not fit 2 axes"));
  });
}

TEST(index_tricks, select_takes_the_first_choice) {
  for_each_device([] {
    const auto x = nw::arange(8);
    EXPECT_EQ(nw::select({x<3, x> 1}, {x, x * x}, 42).to_vector(),
              (ints{0, 1, 2, 9, 16, 25, 36, 49}));
    const auto halves = nw::select({x < 2}, {x}, 0.5);
    static_assert(std::is_same_v<decltype(halves), const nw::ndarray<double>>);
    EXPECT_EQ(nw::select({x < 2}, {x}, nw::arange(8) + 10).to_vector(),
              (ints{0, 1, 12, 13, 14, 15, 16, 17}));
    EXPECT_TRUE(throws(
        [&] {
          nw::select({x < 2}, {x, x});
        },
        "ValueError", "select: list of cases must be same length as list of conditions"));
    EXPECT_TRUE(throws([&] { nw::select({x < 2}, {x.astype<nw::int8>()}, 300); }, "OverflowError",
                       "out of bounds for int8"));
    const nw::any_array untyped = x.untyped();
    EXPECT_TRUE(throws(
        [&] {
          nw::detail::select_from({&untyped, 1}, {&untyped, 1}, number(0), nw::dtype::int64);
        },
        "TypeError", "invalid entry 0 in condlist: should be boolean ndarray"));
  });
}

TEST(tricks, views_share_memory) {
  for_each_device([] {
    const auto m = counted({3, 4});
    const auto d = nw::diagonal(m, 1);
    EXPECT_FALSE(d.writeable());
    EXPECT_FALSE(nw::diag(m).writeable());
    EXPECT_TRUE(throws([&] { d(0) = 1; }, "ValueError", "assignment destination is read-only"));
    const auto windows = nw::sliding_window_view(m, 2, {.axis = -1});
    EXPECT_EQ(windows.shape(), nw::shape(3, 3, 2));
    EXPECT_FALSE(windows.writeable());
    const auto open = nw::sliding_window_view(m, {2, 2}, {.writeable = true});
    open(0, 0, 0, 1) = 70;
    EXPECT_EQ(m.item(0, 1), 70);
    EXPECT_EQ(windows.item(0, 0, 1), 70);
    EXPECT_EQ(d.item(0), 70);
    const auto lines = nw::as_strided(m, {2, 3}, {16, 32});
    EXPECT_EQ(lines.to_vector(), (ints{0, 4, 8, 2, 6, 10}));
    lines(1, 1) = 60;
    EXPECT_EQ(m.item(1, 2), 60);
    EXPECT_FALSE(
        nw::as_strided(m, {.shape = nw::shape(2), .strides = nw::shape(8), .writeable = false})
            .writeable() ||
        nw::as_strided(m.readonly(), {2}, {8}).writeable());
    EXPECT_EQ(nw::as_strided(m, {.strides = nw::shape(0, 8)}).shape(), m.shape());
  });
}

TEST(tricks, as_strided_stays_in_the_buffer) {
  for_each_device([] {
    const auto a = nw::arange(6);
    const auto refused = [&](const nw::ndarray<nw::int64>& from, const nw::shape& s,
                             const nw::shape& strides, const std::string& text) {
      return throws([&] { nw::as_strided(from, s, strides); }, "ValueError", "as_strided: " + text);
    };
    EXPECT_TRUE(refused(a, {7}, {8},
                        "shape (7,) with strides (8,) reaches beyond the buffer of 48 bytes, to "
                        "bytes [0, 56)"));
    EXPECT_TRUE(refused(a, {2}, {-8}, "shape (2,) with strides (-8,) reaches beyond the buffer"));
    EXPECT_TRUE(refused(a(nw::slice(3, nw::none)), {4}, {8}, "shape (4,)"));
    EXPECT_TRUE(refused(a, {3, 3}, {std::int64_t(1) << 62, 8}, "shape (3, 3)"));
    EXPECT_TRUE(refused(a, {2}, {4}, "strides must be multiples of the element's size, 8 bytes"));
    EXPECT_TRUE(refused(a, {2}, {8, 8}, "shape (2,) and strides (8, 8) must have the same length"));
    EXPECT_TRUE(refused(a, {-1}, {8}, "negative dimensions are not allowed"));
    EXPECT_EQ(nw::as_strided(a(nw::slice(3, nw::none)), {4}, {-8}).to_vector(), (ints{3, 2, 1, 0}));
    EXPECT_EQ(nw::as_strided(a, {0, 9}, {8, 800}).size(), 0);
    EXPECT_EQ(nw::as_strided(a, {std::int64_t(1) << 40}, {0}).item(999), 0);
  });
}

TEST(tricks, fill_diagonal_overlapping_its_values) {
  for_each_device([] {
    const auto filled = [](const auto& from, bool wrap) {
      const auto m = counted({9, 4});
      nw::fill_diagonal(m, from(m), {.wrap = wrap});
      return m.to_vector();
    };
    const auto of_copy = [](auto part) { return [part](const auto& m) { return part(m).copy(); }; };
    const auto row = [](const auto& m) { return m(nw::slice(1, 3)); };
    const auto turned = [](const auto& m) { return m.T()(nw::slice(nw::none, nw::none, -1)); };
    const auto own = [](const auto& m) { return nw::flip(nw::diagonal(m)); };
    for (const bool wrap : {false, true}) {
      EXPECT_EQ(filled(row, wrap), filled(of_copy(row), wrap));
      EXPECT_EQ(filled(turned, wrap), filled(of_copy(turned), wrap));
      EXPECT_EQ(filled(own, wrap), filled(of_copy(own), wrap));
    }
    const auto m = counted({2, 2});
    const auto before = m + 0;  // pending: sees the old elements
    nw::fill_diagonal(m, 9);
    EXPECT_EQ(before.to_vector(), (ints{0, 1, 2, 3}));
    EXPECT_EQ(m.to_vector(), (ints{9, 1, 2, 9}));
    EXPECT_TRUE(throws([&] { nw::fill_diagonal(m.readonly(), 1); }, "ValueError",
                       "fill_diagonal: assignment destination is read-only"));
    EXPECT_TRUE(throws([&] { nw::fill_diagonal(m.astype<nw::int8>().compute(), 300); },
                       "OverflowError", "300"));
  });
}

TEST(tricks, take_one_launch) {
  for_each_device([](nw::device d) {
    // A CPU makes a row of numbers first, for arrays that are much larger.
    const int wide = d.is_cpu() ? 2 : 1;
    const int counted = d.is_cpu() ? 0 : 1;  // a CPU counts places without a launch
    const auto m = nw::random::default_rng(1).random<float>({40, 30}).compute();
    const auto x = nw::arange<float>(50).compute();
    const auto low = (x < 10.0f).compute(), high = (x > 20.0f).compute();
    EXPECT_EQ(launches([] { nw::tri(30, 40); }), wide);
    EXPECT_EQ(launches([&] { nw::tril(m); }), wide);
    EXPECT_EQ(launches([&] { nw::triu(m * 2.0f + m, 1); }), wide);
    EXPECT_EQ(launches([&] { nw::select({low, high}, {x, x}, 1); }), 1);
    EXPECT_EQ(launches([] { nw::indices({3, 4, 5}); }), 1);
    EXPECT_EQ(launches([] { nw::mgrid(nw::range(3), nw::range(0, 1, 0.1)); }), 1);
    EXPECT_EQ(launches([] { nw::tril_indices(30, 2, 40); }), counted);
    EXPECT_EQ(launches([] { nw::triu_indices(30); }), counted);
    EXPECT_EQ(launches([&] { nw::vander(x, {.N = 8}); }), 1);
    EXPECT_EQ(launches([&] { nw::diagonal(m); }), 0);
  });
}

TEST(tricks, pending_operands) {
  for_each_device([] {
    const auto m = counted({5, 7});
    const auto lower = nw::tril(m).to_vector();
    EXPECT_EQ(nw::tril(m + 0).to_vector(), lower);
    EXPECT_EQ((nw::tril(m) + nw::triu(m, 1)).to_vector(), m.to_vector());
    // The place of an element is asked for in C order, also where a reduction walks otherwise.
    EXPECT_EQ(nw::sum(nw::tril(m + 0), 0).to_vector(), (ints{70, 74, 69, 55, 32, 0, 0}));
    EXPECT_EQ(nw::diag(nw::arange(3) * 2).to_vector(), (ints{0, 0, 0, 0, 2, 0, 0, 0, 4}));
    EXPECT_EQ(nw::vander(nw::arange(3) + 1, {.N = 2}).to_vector(), (ints{1, 1, 2, 1, 3, 1}));
    EXPECT_EQ(nw::trace(m + m).item(), 2 * (0 + 8 + 16 + 24 + 32));
    EXPECT_EQ(nw::sliding_window_view(nw::arange(4) * 2, 2).to_vector(), (ints{0, 2, 2, 4, 4, 6}));
    const auto [x, y] = nw::meshgrid(nw::arange(2) + 1, nw::arange(2) + 3);
    EXPECT_EQ((x * y).to_vector(), (ints{3, 6, 4, 8}));
  });
}

TEST(tricks, larger_ones) {
  for_each_device([] {
    const std::int64_t rows = 1031, columns = 517, k = -37;
    const auto mask = nw::tri<bool>(rows, columns, k);
    const auto [i, j] = nw::tril_indices(rows, k, columns);
    const auto [p, q] = nw::triu_indices(rows, k + 1, columns);
    EXPECT_EQ(i.size() + p.size(), rows * columns);
    EXPECT_EQ(nw::sum(mask).item(), i.size());
    EXPECT_TRUE(nw::all(j <= i + k).item() && nw::all(q > p + k).item());
    // In C order and each once: the numbers of the places rise.
    for (const auto& flat : {i * columns + j, p * columns + q}) {
      const auto v = flat.to_vector();
      EXPECT_TRUE(std::is_sorted(v.begin(), v.end()) &&
                  std::adjacent_find(v.begin(), v.end()) == v.end());
    }
    const auto [r, c] = nw::unravel_index<2>(nw::arange(rows * columns), {rows, columns});
    EXPECT_TRUE(nw::all(r * columns + c == nw::arange(rows * columns)).item());
    EXPECT_TRUE(nw::all((c <= r + k) == mask.ravel()).item());
    const auto m = counted({7, rows, columns});
    EXPECT_TRUE(nw::all((nw::tril(m, k) != 0) <= mask).item());
    EXPECT_TRUE(nw::all(nw::tril(m, k) + nw::triu(m, k + 1) == m).item());
  });
}

TEST(tricks, null_arrays_are_refused) {
  const nw::ndarray<float> null;
  const auto refused = [](auto f) { return throws(f, "ValueError", "array is null"); };
  EXPECT_TRUE(refused([&] { nw::diag(null); }));
  EXPECT_TRUE(refused([&] { nw::diagflat(null); }));
  EXPECT_TRUE(refused([&] { nw::tril(null); }));
  EXPECT_TRUE(refused([&] { nw::diagonal(null); }));
  EXPECT_TRUE(refused([&] { nw::fill_diagonal(null, 1); }));
  EXPECT_TRUE(refused([&] { nw::trace(null); }));
  EXPECT_TRUE(refused([&] { nw::vander(null, {.N = 2}); }));
  EXPECT_TRUE(refused([&] { nw::as_strided(null, {2}, {4}); }));
  EXPECT_TRUE(refused([&] { nw::sliding_window_view(null, 2); }));
  EXPECT_TRUE(refused([&] { nw::meshgrid(null, null); }));
  EXPECT_TRUE(refused([&] { nw::fill_diagonal(nw::zeros({2, 2}), null); }));
  EXPECT_TRUE(refused([&] { nw::select({nw::ndarray<bool>()}, {null}); }));
  EXPECT_TRUE(refused([&] { nw::unravel_index(nw::ndarray<int>(), {2, 3}); }));
  EXPECT_TRUE(refused([&] { nw::ravel_multi_index({nw::ndarray<int>()}, {2}); }));
}

}  // namespace
