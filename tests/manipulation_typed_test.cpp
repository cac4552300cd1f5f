// The typed interface of joining.hpp, splitting.hpp, rearranging.hpp and padding.hpp: element
// types, spellings, launches, operands that are pending, read-only or overlapping.
#include <support/arrays.hpp>
#include <support/counting.hpp>
#include <support/devices.hpp>

namespace nw = numwarp;
using namespace numwarp::testing;
using numwarp_test::for_each_device;
using nw::none;
using nw::slice;

namespace {

template <class T> nw::ndarray<T> counted(const nw::shape& s) {
  std::int64_t n = 1;
  for (const auto d : s) n *= d;
  return nw::arange<T>(n).reshape(s);
}
template <class T> using vec = std::vector<T>;

template <class A, class T> constexpr bool holds = std::is_same_v<A, nw::ndarray<T>>;

TEST(joining, takes_braces_ranges_and_tuples) {
  for_each_device([] {
    const auto a = nw::array({1, 2}), b = nw::array({3});
    const auto f = nw::array({0.5f});
    EXPECT_EQ(nw::concatenate({a, b}).to_vector(), (vec<nw::int64>{1, 2, 3}));
    EXPECT_EQ(nw::concat(vec<nw::ndarray<nw::int64>>{a, b, a}).to_vector(),
              (vec<nw::int64>{1, 2, 3, 1, 2}));
    const auto mixed = nw::concatenate(std::tuple(a, f), {.axis = 0});
    static_assert(holds<std::remove_const_t<decltype(mixed)>, double>);
    EXPECT_EQ(mixed.to_vector(), (vec<double>{1, 2, 0.5}));
    const auto given = nw::concatenate<float>({a, b}, {.axis = none});
    static_assert(holds<std::remove_const_t<decltype(given)>, float>);
    EXPECT_EQ(given.to_vector(), (vec<float>{1, 2, 3}));
    EXPECT_EQ(
        nw::concatenate<nw::int8>(std::tuple(a, f), {.casting = nw::casting::unsafe}).to_vector(),
        (vec<nw::int8>{1, 2, 0}));
    const nw::any_array untyped = nw::concatenate({a.untyped(), f.untyped()});
    EXPECT_EQ(untyped.type(), nw::dtype::float64);
    static_assert(
        holds<decltype(nw::hstack(std::tuple(nw::ndarray<nw::int16>(), nw::ndarray<nw::uint16>(),
                                             nw::ndarray<float>()))),
              float>);
    EXPECT_EQ(nw::stack({a, a}, {.axis = 1}).to_vector(), (vec<nw::int64>{1, 1, 2, 2}));
    EXPECT_EQ(nw::vstack({a, a}).shape(), nw::shape(2, 2));
    EXPECT_EQ(nw::row_stack({a, a}).shape(), nw::shape(2, 2));
    EXPECT_EQ(nw::dstack({a, a}).shape(), nw::shape(1, 2, 2));
    EXPECT_EQ(nw::column_stack({a, a}).to_vector(), (vec<nw::int64>{1, 1, 2, 2}));
    EXPECT_EQ(nw::append(a, f).to_vector(), (vec<double>{1, 2, 0.5}));
  });
}

TEST(joining, block_takes_nested_braces) {
  for_each_device([] {
    const auto a = nw::full({2, 2}, 1), b = nw::full({2, 1}, 2), c = nw::full({1, 3}, 3);
    const auto two = nw::block({{a, b}, {c}});
    static_assert(holds<std::remove_const_t<decltype(two)>, nw::int64>);
    EXPECT_EQ(two.to_vector(), (vec<nw::int64>{1, 1, 2, 1, 1, 2, 3, 3, 3}));
    EXPECT_EQ(nw::block({a, b}).shape(), nw::shape(2, 3));
    EXPECT_EQ(nw::block({{{a, b}}, {{a, b}}}).shape(), nw::shape(2, 2, 3));
    const auto mixed = nw::block<float>({{a, b}, {nw::zeros<float>({1, 3})}});
    EXPECT_EQ(mixed.to_vector(), (vec<float>{1, 1, 2, 1, 1, 2, 0, 0, 0}));
    EXPECT_TRUE(throws(
        [&] {
          nw::block<float>({{a, b}, {{c}}});
        },
        "ValueError",
        "List depths are mismatched. First element was at depth 2, but there is an "
        "element at depth 3 (arrays[1][0][0])"));
  });
}

TEST(joining, arrays_of_one_type_take_one_launch) {
  for_each_device([] {
    const auto a = counted<float>({40, 50}), b = counted<float>({40, 50});
    std::vector<nw::ndarray<float>> many(100, a);
    EXPECT_EQ(launches([&] { nw::concatenate({a, b}); }), 1);
    EXPECT_EQ(launches([&] { nw::concatenate({a, b.T().reshape({40, 50})}, {.axis = 1}); }), 2);
    EXPECT_EQ(launches([&] { nw::concatenate(many, {.axis = 1}); }), 1);
    EXPECT_EQ(launches([&] { nw::stack({a, b}, {.axis = 2}); }), 1);
    EXPECT_EQ(launches([&] { nw::block({{a, b}, {b, a}}); }), 1);
    EXPECT_EQ(launches([&] { nw::roll(a, {3, -7}, {0, 1}); }), 1);
    EXPECT_EQ(launches([&] { nw::pad(a, {{1, 2}, {3, 4}}); }), 1);
    EXPECT_EQ(launches([&] { nw::pad(a, 90, "reflect"); }), 1);
    EXPECT_EQ(launches([&] { nw::pad(a, {1, 2}, "edge"); }), 1);
    EXPECT_EQ(launches([&] { nw::tile(a, {2, 3}); }), 1);
    EXPECT_EQ(launches([&] { nw::repeat(a, 3, 1); }), 1);
    EXPECT_EQ(launches([&] { nw::resize(a, {7, 1000}); }), 1);
    EXPECT_EQ(launches([&] { nw::insert(a, 3, b, 0); }), 1);
    EXPECT_EQ(launches([&] { nw::delete_(a, slice(3, 9), 1); }), 1);
    EXPECT_EQ(nw::concatenate(many, {.axis = 1}).shape(), nw::shape(40, 5000));
    EXPECT_TRUE(equal(nw::concatenate(many, {.axis = 1})(slice(), slice(4950, none)).untyped(),
                      a.untyped()));
  });
}

TEST(joining, operands_may_be_pending_and_overlap_the_output) {
  for_each_device([] {
    auto x = counted<float>(6);
    const auto y = x + 1;  // pending
    EXPECT_EQ(nw::concatenate({y, y * 2}).to_vector(),
              (vec<float>{1, 2, 3, 4, 5, 6, 2, 4, 6, 8, 10, 12}));
    const auto late = x * 10;
    nw::concatenate({x(slice(3, 6)), x(slice(0, 3))}, {.out = x});
    EXPECT_EQ(x.to_vector(), (vec<float>{3, 4, 5, 0, 1, 2}));
    EXPECT_EQ(late.to_vector(), (vec<float>{0, 10, 20, 30, 40, 50}));
    EXPECT_TRUE(
        throws([&] { nw::concatenate({y}, {.out = x.readonly()}); }, "ValueError", "read-only"));
    EXPECT_TRUE(throws([&] { nw::concatenate({y, nw::ndarray<float>()}); }, "ValueError", "null"));
    EXPECT_TRUE(throws([&] { nw::concatenate(vec<nw::ndarray<float>>()); }, "ValueError",
                       "need at least one array to concatenate"));
    const nw::ndarray<float> view = counted<float>({2, 4})(slice(), slice(0, 4, 2));
    nw::concatenate({x(slice(0, 2)).reshape({1, 2}), x(slice(2, 4)).reshape({1, 2})},
                    {.out = view});
    EXPECT_EQ(view.to_vector(), (vec<float>{3, 4, 5, 0}));
  });
}

TEST(splitting, gives_views_that_write_through) {
  for_each_device([] {
    auto a = counted<int>({4, 3});
    const auto parts = nw::split(a, 2);
    parts[1](nw::ellipsis) = 7;
    EXPECT_EQ(a.sum().item(), 15 + 6 * 7);
    EXPECT_FALSE(parts[0].flags().owndata);
    const auto at = nw::array_split(a, {1, 3}, 0);
    ASSERT_EQ(at.size(), 3u);
    EXPECT_EQ(at[1].shape(), nw::shape(2, 3));
    const auto rows = nw::unstack(a, -1);
    EXPECT_EQ(rows[2].shape(), nw::shape(4));
    EXPECT_EQ(launches([&] { nw::hsplit(a, 3); }), 0);
  });
}

TEST(rearranging, takes_integers_of_any_type_and_lists) {
  for_each_device([] {
    const auto a = counted<int>(5);
    EXPECT_EQ(nw::roll(a, 2u).to_vector(), (vec<int>{3, 4, 0, 1, 2}));
    EXPECT_EQ(nw::roll(a, nw::int64(-1) << 62).size(), 5);
    EXPECT_EQ(nw::tile(a, {2, 1}).shape(), nw::shape(2, 5));
    EXPECT_EQ(nw::repeat(a, vec<int>{1, 0, 0, 2, 1}).to_vector(), (vec<int>{0, 3, 3, 4}));
    EXPECT_EQ(nw::repeat(a, nw::array({1, 0, 0, 2, 1})).to_vector(), (vec<int>{0, 3, 3, 4}));
    EXPECT_EQ(nw::delete_(a, {0, -1}).to_vector(), (vec<int>{1, 2, 3}));
    EXPECT_EQ(nw::delete_(a, a > 2).to_vector(), (vec<int>{0, 1, 2}));
    EXPECT_EQ(nw::delete_(a, nw::array({1, 1})).to_vector(), (vec<int>{0, 2, 3, 4}));
    EXPECT_EQ(nw::insert(a, 1, 9).to_vector(), (vec<int>{0, 9, 1, 2, 3, 4}));
    EXPECT_EQ(nw::insert(a, {1, 1}, nw::array({8, 9})).to_vector(),
              (vec<int>{0, 8, 9, 1, 2, 3, 4}));
    EXPECT_EQ(nw::insert(a, a > 2, 7.9).to_vector(), (vec<int>{0, 1, 2, 7, 3, 7, 4}));
    EXPECT_EQ(nw::trim_zeros(nw::array({0, 0, 1, 0})).to_vector(), (vec<nw::int64>{1}));
    EXPECT_TRUE(throws(
        [&] {
          nw::repeat(a, {1, -1, 0, 0, 0});
        },
        "ValueError", "repeat: repeats may not contain negative values, got -1"));
    EXPECT_TRUE(throws([&] { nw::roll(a, 1, 1); }, "AxisError", "roll: axis 1 is out of bounds"));
  });
}

TEST(rearranging, many_pieces) {
  for_each_device([] {
    const auto a = counted<nw::int16>({3, 5000});
    nw::dims counts;
    std::vector<nw::int16> want;
    for (int i = 0; i < 5000; ++i) {
      counts.push_back(i % 3);
      want.insert(want.end(), std::size_t(i % 3), nw::int16(5000 + i));
    }
    EXPECT_EQ(nw::repeat(a, counts, 1)(1).to_vector(), want);
    const auto spaced = nw::insert(counted<float>(100), vec<int>(50, 3), nw::arange<float>(50));
    EXPECT_EQ(spaced.item(3), 0);
    EXPECT_EQ(spaced.item(52), 49);
    EXPECT_EQ(spaced.item(53), 3);
  });
}

TEST(padding, spellings) {
  for_each_device([] {
    const auto a = nw::array({{1, 2}, {3, 4}});
    EXPECT_EQ(nw::pad(a, 1).shape(), nw::shape(4, 4));
    EXPECT_EQ(nw::pad(a, {{0, 1}, {2, 0}}, "constant", {.constant_values = 9}).to_vector(),
              (vec<nw::int64>{9, 9, 1, 2, 9, 9, 3, 4, 9, 9, 9, 9}));
    EXPECT_EQ(nw::pad(a, {1, 0}, "edge").to_vector(), (vec<nw::int64>{1, 1, 2, 1, 1, 2, 3, 3, 4}));
    EXPECT_EQ(nw::pad(a, {1, 2}, "empty").shape(), nw::shape(5, 5));
    EXPECT_EQ(
        nw::pad(nw::array({1, 2, 6}), {2, 0}, "linear_ramp", {.end_values = {5, 0}}).to_vector(),
        (vec<nw::int64>{5, 3, 1, 2, 6}));
    EXPECT_EQ(nw::pad(nw::array({1, 2, 6}), 1, "maximum", {.stat_length = {2, none}}).to_vector(),
              (vec<nw::int64>{2, 1, 2, 6, 6}));
    EXPECT_TRUE(
        throws([&] { nw::pad(a.astype<nw::int8>(), 1, "constant", {.constant_values = 300}); },
               "OverflowError", "pad: "));
    EXPECT_TRUE(
        throws([&] { nw::pad(a, -1); }, "ValueError", "index can't contain negative values"));
  });
}

TEST(padding, of_large_median_windows_is_right) {
  for_each_device([] {
    const auto x = (nw::arange<float>(301) * 8.0f).astype<int>() % 301;  // a permutation of 0..300
    const auto out = nw::pad(x, 1, "median");
    EXPECT_EQ(out.item(0), 150);
    EXPECT_EQ(out.item(302), 150);
    const auto lost = nw::array<float>({1, float(nw::nan), 2});
    EXPECT_TRUE(std::isnan(nw::pad(lost, 1, "median").item(0)));
  });
}

void seven_before(const nw::ndarray<float>& v, std::pair<nw::int64, nw::int64> width, int) {
  v(slice(0, width.first)) = 7;
}

TEST(padding, by_a_function) {
  for_each_device([] {
    const auto ten = [](const nw::ndarray<float>& v, std::pair<nw::int64, nw::int64> width,
                        int axis) {
      if (width.first > 0) v(slice(0, width.first)) = 10 + axis;
      if (width.second > 0) v(slice(-width.second, none)) = 10 + axis;
    };
    EXPECT_EQ(nw::pad(nw::ones<float>({1, 2}), {{1, 0}, {1, 1}}, ten).to_vector(),
              (vec<float>{11, 10, 10, 11, 11, 1, 1, 11}));
    EXPECT_EQ(nw::pad(nw::ones<float>(2), {2, 1}, seven_before).to_vector(),
              (vec<float>{7, 7, 1, 1, 0}));
  });
}

TEST(manipulation, tuples_and_requirements) {
  for_each_device([] {
    const auto a = counted<int>({2, 3});
    const auto [x, y] = nw::atleast_2d(a, nw::array(1.5));
    EXPECT_EQ(y.shape(), nw::shape(1, 1));
    EXPECT_EQ(x.data(), a.data());
    EXPECT_EQ(nw::require(a, {.c_contiguous = true}).data(), a.data());
    EXPECT_TRUE(nw::require(a, {.f_contiguous = true}).is_f_contiguous());
    EXPECT_TRUE(nw::require(a.readonly(), {.writeable = true}).writeable());
    EXPECT_TRUE(nw::require(a(1), {.owndata = true}).flags().owndata);
    static_assert(holds<decltype(nw::require<double>(a)), double>);
    EXPECT_TRUE(throws([&] { nw::require(a, {.c_contiguous = true, .f_contiguous = true}); },
                       "ValueError", "Cannot specify both"));
    EXPECT_EQ(nw::asfortranarray(a).strides()[0], 4);
    EXPECT_EQ(nw::permute_dims(a, {1, 0}).shape(), nw::shape(3, 2));
    auto target = nw::zeros<float>(3);
    nw::copyto(target, nw::array({1, 2, 3}), {.where = nw::array({true, false, true})});
    EXPECT_EQ(target.to_vector(), (vec<float>{1, 0, 3}));
    nw::copyto(target(slice(1, none)), 5);
    EXPECT_EQ(target.to_vector(), (vec<float>{1, 5, 5}));
    nw::copyto(target(slice(1, none)), target(slice(0, 2)) * 2);
    EXPECT_EQ(target.to_vector(), (vec<float>{1, 2, 10}));
    EXPECT_TRUE(throws([&] { nw::copyto(target.astype<int>(), 2.5); }, "TypeError", "same_kind"));
    EXPECT_TRUE(throws([&] { nw::copyto(target.readonly(), 1); }, "ValueError", "read-only"));
  });
}

}  // namespace
