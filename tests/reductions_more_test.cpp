// Reductions of ndarray<T>: forms of call, accuracy, numbers of threads, initial= and where=.
#include "support/recipes.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::reduce_code;

namespace {

struct thread_scope {
  int before = nw::get_num_threads();
  ~thread_scope() { nw::set_num_threads(before); }
};

any_array rough(const nw::shape& s, nw::dtype t) {
  const auto n = nw::detail::arange(0, s[0] * (s.size() > 1 ? s[1] : 1), 1, nw::dtype::float64,
                                    nw::default_device());
  auto x = nw::ndarray<double>(n);
  return nw::remainder(x * 0.6180339887498949, 1.0).untyped().astype(t).reshape(s);
}

TEST(reductions_of_many, do_not_depend_on_the_number_of_threads) {
  const thread_scope restore;
  const std::int64_t n = 1000003;
  for (const nw::dtype t : {nw::dtype::float32, nw::dtype::float64, nw::dtype::complex64}) {
    for (const nw::shape& s : {nw::shape(n), nw::shape(1003, 997), nw::shape(3, n / 3)}) {
      const any_array a = rough(s, t);
      for (const reduce_code op :
           {reduce_code::sum, reduce_code::var, reduce_code::max, reduce_code::argmin}) {
        for (int axis = -1; axis < s.size(); ++axis) {
          const nw::detail::reduce_options options{.axis = axis < 0 ? nw::axes() : nw::axes(axis)};
          nw::set_num_threads(1);
          const golden_array one = to_golden(nw::detail::reduce(op, named(a), options));
          for (const int threads : {2, 3, 7}) {
            nw::set_num_threads(threads);
            EXPECT_TRUE(equal(nw::detail::reduce(op, named(a), options), one))
                << nw::reduce_name(op) << ' ' << nw::name(t) << ' ' << to_string(s) << " axis "
                << axis << ", " << threads << " threads";
          }
        }
      }
    }
  }
}

TEST(reductions_of_many, float32_sums_are_exact_for_ones) {
  const std::int64_t n = 30000000;
  const auto ones = nw::ones<float>({n});
  EXPECT_EQ(ones.sum().item(), float(n));
  EXPECT_EQ(ones.sum({.keepdims = true}).item(), float(n));
  EXPECT_EQ(ones.mean().item(), 1.0f);
  EXPECT_EQ(ones.std().item(), 0.0f);
  const auto columns = nw::broadcast_to(ones, {2, n}).T();
  EXPECT_EQ(columns.sum(0).to_vector(), (std::vector<float>{float(n), float(n)}));
  EXPECT_EQ(nw::var(ones * 3.0f).item(), 0.0f);
}

TEST(reductions_of_many, halves_are_carried_in_float32) {
  // 4096 sixteens pass the largest float16 on the way to a mean of 16.
  const auto h = nw::full<nw::float16>(4096, 16);
  EXPECT_EQ(float(h.mean().item()), 16.0f);
  EXPECT_TRUE(std::isinf(float(h.sum().item())));
  EXPECT_EQ(h.sum<float>().item(), 65536.0f);
  const auto cancelling = nw::array({300.0f, 300.0f, -300.0f, -300.0f}).astype<nw::float16>() * 200;
  EXPECT_EQ(float(cancelling.sum().item()), 0.0f);
  EXPECT_EQ(float(nw::ones<nw::bfloat16>(1000).sum().item()), 1000.0f);
  EXPECT_EQ(float(nw::ones<nw::float16>(2049).sum().item()), 2048.0f);
  EXPECT_EQ(nw::count_nonzero(nw::ones<nw::float16>(5000)).item(), 5000);
}

TEST(reductions_of_many, small_integers_do_not_wrap) {
  EXPECT_EQ(nw::full<nw::int8>(1000, 100).sum().item(), 100000);
  EXPECT_EQ(nw::full<bool>(1000, true).sum().item(), 1000);
  EXPECT_EQ(nw::full<nw::uint32>(3, 4294967295u).sum().item(), 3u * 4294967295ul);
  EXPECT_EQ(nw::full<nw::int64>(2, INT64_MAX).sum().item(), -2);
  EXPECT_EQ(nw::sum<nw::int8>(nw::full<nw::int8>(3, 100)).item(), 44);
  EXPECT_EQ(nw::full<nw::int64>(4, INT64_MAX).mean().item(), 9223372036854775807.0);
  static_assert(std::is_same_v<decltype(nw::zeros<nw::uint8>(1).sum())::value_type, nw::uint64>);
  static_assert(std::is_same_v<decltype(nw::zeros<bool>(1).prod())::value_type, nw::int64>);
  static_assert(std::is_same_v<decltype(nw::zeros<nw::int8>(1).mean())::value_type, double>);
  static_assert(std::is_same_v<decltype(nw::zeros<nw::complex64>(1).std())::value_type, float>);
  static_assert(std::is_same_v<decltype(nw::zeros<nw::int8>(1).max())::value_type, nw::int8>);
}

TEST(reduction_calls, have_three_forms) {
  const auto a = nw::arange(24).reshape({2, 3, 4});
  EXPECT_EQ(nw::sum(a).item(), 276);
  EXPECT_EQ(nw::sum(a, 1).shape(), nw::shape(2, 4));
  EXPECT_EQ(nw::sum(a, {0, 2}).to_vector(), (std::vector<nw::int64>{60, 92, 124}));
  EXPECT_EQ(a.sum({0, 2}).to_vector(), a.sum({.axis = {0, 2}}).to_vector());
  EXPECT_EQ(a.sum({.axis = {0, -1}, .keepdims = true}).shape(), nw::shape(1, 3, 1));
  EXPECT_EQ(a.sum({.axis = -1}).to_vector(), nw::sum(a, 2).to_vector());
  const auto out = nw::zeros<nw::int64>({3, 4});
  EXPECT_EQ(a.max({.axis = 0, .out = out}).shape(), out.shape());
  EXPECT_EQ(nw::zeros<double>(3).var({.axis = 0, .ddof = 1}).item(), 0.0);
  EXPECT_EQ(nw::sum(a, {0, 1, 2}).item(), 276);
  EXPECT_EQ(out.to_vector(), nw::max(a, 0).to_vector());
  EXPECT_EQ(nw::sum(a * 2 + 1, 0).to_vector(), (a * 2 + 1).compute().sum(0).to_vector());
  EXPECT_EQ((a > 3).any().item(), true);
  const auto mask = a > 3;
  EXPECT_EQ(mask.any().item(), true);
  EXPECT_EQ(mask.all().item(), false);
}

TEST(reduction_calls, write_out_that_overlaps_the_operand) {
  auto a = nw::arange(12).reshape({3, 4}).copy();
  const auto want = a.sum(0).to_vector();
  a.sum({.axis = 0, .out = a(1)});
  EXPECT_EQ(a(1).to_vector(), want);
  EXPECT_EQ(a(0).to_vector(), (std::vector<nw::int64>{0, 1, 2, 3}));
}

TEST(reduction_calls, start_at_initial) {
  const auto a = nw::array({3, 1, 2});
  EXPECT_EQ(a.sum({.initial = 10}).item(), 16);
  EXPECT_EQ(a.prod({.initial = 5}).item(), 30);
  EXPECT_EQ(a.max({.initial = 7}).item(), 7);
  EXPECT_EQ(a.max({.initial = -7}).item(), 3);
  const auto empty = nw::zeros<nw::int64>({0, 2});
  EXPECT_EQ(empty.min({.axis = 0, .initial = 4}).to_vector(), (std::vector<nw::int64>{4, 4}));
  EXPECT_EQ(empty.sum({.axis = 0, .initial = 4}).to_vector(), (std::vector<nw::int64>{4, 4}));
  EXPECT_EQ(nw::ones<float>(3).sum({.initial = 0.5}).item(), 3.5f);
  EXPECT_TRUE(
      throws([&] { nw::zeros<nw::int8>(2).max({.initial = 300}); }, "OverflowError", "max: "));
}

TEST(reduction_calls, take_what_where_chooses) {
  const auto a = nw::arange(12).reshape({3, 4});
  const auto even = a % 2 == 0;
  EXPECT_EQ(a.sum({.axis = 1, .where = even}).to_vector(), (std::vector<nw::int64>{2, 10, 18}));
  EXPECT_EQ(a.prod({.axis = 0, .where = a > 7}).to_vector(),
            (std::vector<nw::int64>{8, 9, 10, 11}));
  EXPECT_EQ(a.min({.axis = 1, .initial = 100, .where = a > 5}).to_vector(),
            (std::vector<nw::int64>{100, 6, 8}));
  EXPECT_EQ(nw::count_nonzero(a, {.axis = 0, .where = even}).to_vector(),
            (std::vector<nw::int64>{2, 0, 3, 0}));
  EXPECT_EQ(nw::any(a, {.axis = 1, .where = a == 0}).to_vector(), std::vector<bool>(3, false));
  EXPECT_EQ(nw::all(a, {.axis = 1, .where = a != 0}).to_vector(), std::vector<bool>(3, true));
  const auto row = nw::array({true, false, false, true});
  EXPECT_EQ(a.sum({.where = row}).item(), 0 + 3 + 4 + 7 + 8 + 11);
  EXPECT_TRUE(
      throws([&] { a.min({.where = even}); }, "ValueError",
             "min: reduction operation 'minimum' does not have an identity, so to use a where "
             "mask one has to specify 'initial'"));
  EXPECT_TRUE(throws([&] { a.sum({.where = nw::ones<bool>({2, 3, 4})}); }, "ValueError", "sum: "));
}

TEST(argument_of_extrema, are_the_first_in_c_order) {
  const double nan = std::nan("");
  EXPECT_EQ(nw::array({1.0, nan, 5.0, nan}).argmax().item(), 1);
  EXPECT_EQ(nw::array({1.0, nan, -5.0, nan}).argmin().item(), 1);
  EXPECT_EQ(nw::array({2, 7, 7, 2}).argmax().item(), 1);
  EXPECT_EQ(nw::array({false, true, true}).argmax().item(), 1);
  const auto f = nw::array({{1, 5, 9}, {9, 5, 1}}).copy(nw::order::f);
  EXPECT_EQ(f.argmax().item(), 2);
  EXPECT_EQ(f.argmin().item(), 0);
  EXPECT_EQ(f.argmax(0).to_vector(), (std::vector<nw::int64>{1, 0, 0}));
  EXPECT_EQ(f.T().argmax().item(), 1);
  EXPECT_EQ(f.argmax({.axis = 1, .keepdims = true}).shape(), nw::shape(2, 1));
  EXPECT_TRUE(throws(
      [&] {
        nw::zeros<float>({0, 3}).argmax(0);
      },
      "ValueError", "argmax: attempt to get argmax of an empty sequence"));
  EXPECT_EQ((nw::zeros<float>({0, 3}).argmax(1).shape()), nw::shape(0));
}

TEST(argument_of_extrema, the_first_of_several_complex_nan_wins) {
  const double nan = std::nan("");
  const auto z = nw::zeros<nw::complex128>(200);
  z(70) = nw::complex128(5, nan);
  z(130) = nw::complex128(nan, 6);
  for (const auto& v : {z.max().item(), z.min().item(), z.reshape({200, 1}).max(0).item(0)}) {
    EXPECT_EQ(v.real(), 5);
    EXPECT_TRUE(std::isnan(v.imag()));
  }
  EXPECT_EQ(z.argmax().item(), 70);
  EXPECT_EQ(z.argmin().item(), 70);
}

TEST(argument_of_extrema, of_ties_far_apart_are_the_first) {
  const std::int64_t n = (1 << 20) + 3;
  const auto a = nw::zeros<float>(n);
  a(700001) = 1.0f;
  a(900000) = 1.0f;
  EXPECT_EQ(a.argmax().item(), 700001);
  EXPECT_EQ((a + 1).argmax().item(), 700001);
  EXPECT_EQ(nw::broadcast_to(a, {2, n}).T().argmax(0).to_vector(),
            std::vector<nw::int64>(2, 700001));
  EXPECT_EQ(a.argmin().item(), 0);
}

// Lengths around those at which loops are cut, and past what a byte can count.
template <class T> void expect_first_of_equals(T most) {
  for (const std::int64_t n : {1, 31, 32, 33, 63, 8159, 8160, 8161, 32768, 32800, 70001}) {
    for (const std::int64_t at : {std::int64_t(0), n / 3, n / 2, n - 1}) {
      auto a = nw::zeros<T>(nw::shape(n));
      a(nw::slice(at, nw::none, 5)) = most;
      EXPECT_EQ(a.argmax().item(), at) << nw::name(nw::dtype_of<T>) << ' ' << n;
      EXPECT_EQ(a.argmin().item(), at > 0 ? 0 : n > 1 ? 1 : 0) << n;
      EXPECT_EQ(a.reshape({1, n}).argmax(1).item(), at) << n;
    }
  }
}

TEST(reductions_of_many, arg_reductions_find_the_first) {
  expect_first_of_equals(true);
  expect_first_of_equals(nw::uint8(255));
  expect_first_of_equals(nw::int16(7));
  expect_first_of_equals(nw::int64(1) << 60);
  expect_first_of_equals(1.5f);
  expect_first_of_equals(nw::float16(2.0f));
  expect_first_of_equals(std::complex<float>(0, 1));
}

TEST(reductions_of_many, arg_reductions_find_the_first_nan) {
  const std::int64_t n = 70001;
  for (const std::int64_t at : {std::int64_t(0), std::int64_t(33), n / 2, n - 1}) {
    auto a = nw::arange<float>(n);
    a(nw::slice(at, nw::none, 7)) = nw::nan;
    EXPECT_EQ(a.argmax().item(), at);
    EXPECT_EQ(a.argmin().item(), at);
    auto c = nw::zeros<std::complex<double>>(nw::shape(n));
    c(nw::slice(at, nw::none, 7)) = std::complex<double>(-1, nw::nan);
    EXPECT_EQ(c.argmax().item(), at);
    EXPECT_EQ(c.argmin().item(), at);
  }
}

TEST(special_values, of_extrema_and_empty_arrays) {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isnan(nw::array({1.0f, nan, inf}).max().item()));
  EXPECT_EQ(nw::array({-inf, -inf}).max().item(), -inf);
  EXPECT_EQ(nw::array({inf, inf}).min().item(), inf);
  EXPECT_TRUE(std::isnan(nw::zeros<float>(0).mean().item()));
  EXPECT_TRUE(std::isnan(nw::zeros<float>(0).var().item()));
  EXPECT_TRUE(std::isnan(nw::ones<float>(1).var({.ddof = 1}).item()));
  EXPECT_EQ(nw::zeros<float>(0).sum().item(), 0.0f);
  EXPECT_EQ(nw::zeros<nw::int8>(0).prod().item(), 1);
  EXPECT_EQ(nw::zeros<nw::int8>({3, 0}).max(0).shape(), nw::shape(0));
  EXPECT_EQ(nw::all(nw::zeros<bool>(0)).item(), true);
}

}  // namespace
