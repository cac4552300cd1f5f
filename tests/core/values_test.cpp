// Division, remainders, integer powers, shifts and their like on all pairs of special values.
#include "core_test_support.hpp"

using namespace core_test;

namespace {

template <class Op, class T> void check_values(const char* inputs, const char* results) {
  const auto values = parse_bits(inputs), expected = parse_bits(results);
  ASSERT_EQ(values.size() * values.size(), expected.size());
  std::size_t i = 0;
  for (const auto a_bits : values) {
    for (const auto b_bits : values) {
      const T a = from_bits<T>(a_bits);
      T b = from_bits<T>(b_bits);
      if (Op::code == op_code::power && b < T(0)) b = T(0);
      const T r = Op::call(a, b), wanted = from_bits<T>(expected[i++]);
      EXPECT_TRUE(same_value(r, wanted))
          << op_name(Op::code) << '(' << cast<double>(a) << ", " << cast<double>(b) << ") is "
          << cast<double>(r) << ", not " << cast<double>(wanted);
    }
  }
}

namespace names {
using int8 = i8;
using int32 = i32;
using int64 = i64;
using uint8 = u8;
using float16 = numwarp::float16;
using float32 = float;
using float64 = double;
}  // namespace names

TEST(values, are_those_of_numpy) {
#define NW_VALUES(name, type, inputs, results) check_values<op::name, names::type>(inputs, results);
#include "values_golden.inc"
}

TEST(values, power_with_a_negative_exponent_is_defined) {
  EXPECT_EQ(op::power::call(i32(1), i32(-5)), 1);
  EXPECT_EQ(op::power::call(i32(-1), i32(-5)), -1);
  EXPECT_EQ(op::power::call(i32(-1), i32(-4)), 1);
  EXPECT_EQ(op::power::call(i32(2), i32(-1)), 0);
  EXPECT_EQ(op::power::call(i32(0), i32(-1)), 0);
}

TEST(values, first_nan_wins_and_fmax_skips_it) {
  const double nan = std::nan("");
  EXPECT_TRUE(std::isnan(op::maximum::call(nan, 1.0)) && std::isnan(op::maximum::call(1.0, nan)));
  EXPECT_TRUE(std::isnan(op::minimum::call(nan, 1.0)) && std::isnan(op::minimum::call(1.0, nan)));
  EXPECT_EQ(op::fmax::call(nan, 1.0), 1.0);
  EXPECT_EQ(op::fmin::call(1.0, nan), 1.0);
  EXPECT_TRUE(std::isnan(op::clip::call<double>(0.5, nan, 1.0)));
  EXPECT_TRUE(std::isnan(op::clip::call<double>(0.5, 0.0, nan)));
  EXPECT_EQ(op::clip::call<double>(0.5, 2.0, 1.0), 1.0);
  const complex<double> a(1, nan), b(2, 0);
  EXPECT_TRUE(std::isnan(op::maximum::call(a, b).im) && std::isnan(op::maximum::call(b, a).im));
  EXPECT_EQ(op::fmax::call(a, b), b);
  EXPECT_EQ(op::maximum::call(complex<double>(1, 5), complex<double>(1, 7)).im, 7);
}

TEST(values, wrap_around) {
  EXPECT_EQ(op::add::call(INT32_MAX, i32(1)), INT32_MIN);
  EXPECT_EQ(op::multiply::call(u16(65535), u16(65535)), 1);
  EXPECT_EQ(op::negative::call(i8(-128)), -128);
  EXPECT_EQ(op::absolute::call(INT64_MIN), INT64_MIN);
  EXPECT_EQ(op::square::call(i16(-32768)), 0);
  EXPECT_EQ(op::subtract::call(u8(0), u8(1)), 255);
}

TEST(values, bool_and_halves) {
  EXPECT_EQ(op::add::call(true, true), true);
  EXPECT_EQ(op::multiply::call(true, false), false);
  EXPECT_EQ(op::invert::call(true), false);
  EXPECT_EQ(op::logical_xor::call(float16(2), float16(3)), false);
  EXPECT_EQ(op::logical_not::call(complex<float>(0, 0)), true);
  EXPECT_EQ(op::nextafter::call(bfloat16(1), bfloat16(2)).bits, bfloat16(1).bits + 1);
  EXPECT_EQ(op::add::call(float16(2048), float16(1)).bits, float16(2048).bits);
  EXPECT_EQ(op::where::call<float16>(true, float16::from_bits(0x7d01), float16(1)).bits, 0x7d01);
  EXPECT_EQ(op::where::call<complex<float>>(false, {1, 2}, {3, 4}), (complex<float>(3, 4)));
}

TEST(values, logarithms_of_sums_do_not_overflow) {
  EXPECT_DOUBLE_EQ(op::logaddexp::call(1000.0, 1000.0), 1000.6931471805599);
  EXPECT_EQ(op::logaddexp::call(HUGE_VAL, HUGE_VAL), HUGE_VAL);
  EXPECT_EQ(op::logaddexp::call(-HUGE_VAL, -HUGE_VAL), -HUGE_VAL);
  EXPECT_EQ(op::logaddexp::call(-HUGE_VAL, 3.0), 3.0);
  EXPECT_TRUE(std::isnan(op::logaddexp2::call(std::nan(""), 1.0)));
  EXPECT_DOUBLE_EQ(op::logaddexp2::call(-1000.0, -1000.0), -999.0);
}

}  // namespace
