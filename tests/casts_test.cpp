// Conversions between all pairs of types against NumPy (golden/casts.npz), and what NumPy leaves
// undefined.
#include "support/arrays.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;

namespace {

std::string name_of(int t) { return std::string(nw::name(nw::dtype(t))); }

any_array input(const std::string& from, const std::string& to) {
  const auto& arrays = golden("casts.npz");
  const auto own = arrays.find(from + "/" + to + "/in");
  return to_array(own != arrays.end() ? own->second : golden("casts.npz", "inputs/" + from));
}

TEST(casts, are_those_of_numpy) {
  for (int f = 0; f < nw::dtype_count; ++f) {
    for (int t = 0; t < nw::dtype_count; ++t) {
      const std::string pair = name_of(f) + "/" + name_of(t);
      SCOPED_TRACE(pair);
      const any_array a = input(name_of(f), name_of(t));
      const golden_array& want = golden("casts.npz", pair + "/out");
      EXPECT_TRUE(equal(a.astype(nw::dtype(t)), want));
      // By assignment, from strides, and pending.
      const any_array out = nw::detail::full(a.shape(), nw::dtype(t), true, nw::default_device());
      nw::detail::assign(out, named(spread(a, -2)), "test");
      EXPECT_TRUE(equal(out, want));
      const any_array yes = nw::full<bool>(nw::shape(), true).untyped();
      any_array pending = call(nw::core::op_code::where, {yes, a, a});
      EXPECT_TRUE(equal(nw::detail::cast(temporary(pending), nw::dtype(t)), want));
    }
  }
}

template <class T> void check_saturation() {
  using limits = std::numeric_limits<T>;
  const double inf = std::numeric_limits<double>::infinity();
  const auto a = nw::array(std::vector<double>{1e30, -1e30, inf, -inf, std::nan(""), -0.9, 1.9});
  const std::vector<T> want{limits::max(), limits::min(), limits::max(), limits::min(), 0, 0, 1};
  EXPECT_EQ(a.astype<T>().to_vector(), want);
  EXPECT_EQ(a.astype<float>().template astype<T>().to_vector(), want);
  const auto z = a + nw::complex128(0, 5);
  EXPECT_EQ(z.template astype<T>().to_vector(), want);
  // The first value out of range and the last one in it.
  const double edge = std::ldexp(1.0, limits::digits);
  EXPECT_EQ(nw::array({edge}).astype<T>().item(), limits::max());
  if (limits::digits < 53) {
    EXPECT_EQ(nw::array({edge - 0.5}).astype<T>().item(), limits::max());
  }
}

TEST(casts, of_floats_out_of_range_saturate) {
  check_saturation<nw::int8>();
  check_saturation<nw::int16>();
  check_saturation<nw::int32>();
  check_saturation<nw::int64>();
  check_saturation<nw::uint8>();
  check_saturation<nw::uint16>();
  check_saturation<nw::uint32>();
  check_saturation<nw::uint64>();
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(nw::array({inf}).astype<nw::float16>().astype<nw::int64>().item(), INT64_MAX);
  EXPECT_EQ(nw::array({-inf}).astype<nw::bfloat16>().astype<nw::uint8>().item(), 0);
}

TEST(casts, of_integers_wrap_around) {
  const auto a = nw::array(std::vector<nw::int64>{-1, 256, 257, INT64_MIN, 1l << 40});
  EXPECT_EQ(a.astype<nw::uint8>().to_vector(), (std::vector<nw::uint8>{255, 0, 1, 0, 0}));
  EXPECT_EQ(a.astype<nw::int8>().to_vector(), (std::vector<nw::int8>{-1, 0, 1, 0, 0}));
  EXPECT_EQ(a.astype<bool>().to_vector(), std::vector<bool>(5, true));
}

TEST(casts, round_halves_once) {
  // Just above the middle of two halves: a detour through a coarser type would round to even.
  const double middle = 1 + std::ldexp(1.0, -11);
  const auto a = nw::array({middle, middle + std::ldexp(1.0, -40), 65520.0, 65519.99});
  const auto h = a.astype<nw::float16>().astype<double>().to_vector();
  EXPECT_EQ(h, (std::vector<double>{1, 1 + std::ldexp(1.0, -10), HUGE_VAL, 65504}));
  const double between = 1 + std::ldexp(1.0, -8);
  const auto b = nw::array({between, between + std::ldexp(1.0, -40)});
  EXPECT_EQ(b.astype<nw::bfloat16>().astype<double>().to_vector(),
            (std::vector<double>{1, 1 + std::ldexp(1.0, -7)}));
}

TEST(casts, always_copy) {
  const auto a = nw::arange(3);
  const auto b = a.astype<nw::int64>();
  b(0) = 7;
  EXPECT_EQ(a(0).item(), 0);
  EXPECT_EQ(b(0).item(), 7);
}

TEST(casts, of_assignments_in_place_are_of_one_kind) {
  const auto i = nw::arange(3).untyped();
  EXPECT_TRUE(throws([&] { nw::detail::assign_op(nw::core::op_code::add, i, number(0.5)); },
                     "TypeError", "with casting rule 'same_kind'"));
  EXPECT_TRUE(throws([&] { nw::detail::assign_op(nw::core::op_code::divide, i, number(2)); },
                     "TypeError",
                     "Cannot cast ufunc 'divide' output from dtype('float64') to dtype('int64')"));
  const auto f = nw::ones<float>(3).untyped();
  nw::detail::assign_op(nw::core::op_code::multiply, f,
                        named(nw::array({1.5, 2.5, 3.5}).untyped()));
  EXPECT_EQ(nw::ndarray<float>(f).to_vector(), (std::vector<float>{1.5f, 2.5f, 3.5f}));
  EXPECT_EQ(nw::ndarray<nw::int64>(i).to_vector(), (std::vector<nw::int64>{0, 1, 2}));
}

}  // namespace
