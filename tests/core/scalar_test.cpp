// float16, bfloat16 and complex as values; every half converted, and roundings against NumPy.
#include <complex>
#include <type_traits>

#include "core_test_support.hpp"

using namespace core_test;

static_assert(std::is_trivially_copyable_v<float16> && sizeof(float16) == 2);
static_assert(std::is_trivially_default_constructible_v<bfloat16> && sizeof(bfloat16) == 2);
static_assert(sizeof(core::complex<float>) == sizeof(std::complex<float>));
static_assert(alignof(core::complex<double>) == alignof(std::complex<double>));
static_assert(!std::is_convertible_v<float, float16> && std::is_convertible_v<float16, float>);
static_assert(float(float16(1.5f)) == 1.5f && float16(2).bits == 0x4000);
static_assert(std::is_same_v<decltype(float16() + float16()), float16>);
static_assert(std::is_same_v<decltype(float16() + bfloat16()), float>);

namespace {

// The definition of binary16, term by term.
double value_of_float16(unsigned bits) {
  const int exponent = int(bits >> 10 & 31u);
  const double fraction = double(bits & 1023u);
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : std::nan("");
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

TEST(float16_scalar, every_value_widens_exactly_and_comes_back) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const float16 h = float16::from_bits(static_cast<unsigned short>(bits));
    const double expected = value_of_float16(bits);
    ASSERT_TRUE(same_value(double(float(h)), expected)) << bits;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(float(float16(float(h)))) && std::isnan(float(float16(expected))));
    } else {
      ASSERT_EQ(float16(float(h)).bits, bits);
      ASSERT_EQ(float16(expected).bits, bits);
    }
  }
}

TEST(bfloat16_scalar, every_value_widens_exactly_and_comes_back) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const bfloat16 h = bfloat16::from_bits(static_cast<unsigned short>(bits));
    const float value = from_bits<float>(std::uint64_t(bits) << 16);
    ASSERT_TRUE(same_value(float(h), value)) << bits;
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(float(bfloat16(value))) && std::isnan(float(bfloat16(double(value)))));
    } else {
      ASSERT_EQ(bfloat16(value).bits, bits);
      ASSERT_EQ(bfloat16(double(value)).bits, bits);
    }
  }
}

template <class T> void check_float16_rounding(const char* inputs, const char* results) {
  const auto x = parse_bits(inputs), expected = parse_bits(results);
  ASSERT_EQ(x.size(), expected.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T value = from_bits<T>(x[i]);
    EXPECT_EQ(float16(value).bits, expected[i]) << value;
    EXPECT_EQ(float16(-value).bits, expected[i] | 0x8000u) << -value;
  }
}

TEST(float16_scalar, rounds_as_numpy) {
  using float32 = float;
  using float64 = double;
#define NW_HALF(type, inputs, results) check_float16_rounding<type>(inputs, results);
#include "halves_golden.inc"
#undef NW_HALF
}

TEST(bfloat16_scalar, rounds_halfway_points_once) {
  for (unsigned bits = 0; bits < 0x7f7f; ++bits) {
    const double low = from_bits<float>(std::uint64_t(bits) << 16);
    const double high = from_bits<float>(std::uint64_t(bits + 1) << 16);
    const double middle = low + (high - low) / 2;
    ASSERT_EQ(bfloat16(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(bfloat16(std::nextafter(middle, HUGE_VAL)).bits, bits + 1);
    ASSERT_EQ(bfloat16(std::nextafter(middle, 0.0)).bits, bits);
    ASSERT_EQ(bfloat16(-std::nextafter(middle, 0.0)).bits, bits | 0x8000u);
  }
  EXPECT_EQ(bfloat16(1e300).bits, 0x7f80);
  EXPECT_EQ(bfloat16(-3.4e38).bits, 0xff80);
  EXPECT_EQ(bfloat16(0x1p-134).bits, 0);
}

TEST(half_scalars, integers_round_once) {
  EXPECT_EQ(float16(2049).bits, float16(2048).bits);
  EXPECT_EQ(float16(2051).bits, float16(2052).bits);
  EXPECT_EQ(float(float16(65519)), 65504.0f);
  EXPECT_EQ(float(float16(-65520)), -HUGE_VALF);
  const std::int64_t above_middle = (std::int64_t(257) << 54) + 1;  // a double cannot hold the 1
  EXPECT_EQ(bfloat16(above_middle).bits, bfloat16(std::int64_t(258) << 54).bits);
  EXPECT_EQ(bfloat16(-above_middle).bits, bfloat16(-(std::int64_t(258) << 54)).bits);
  EXPECT_EQ(float(bfloat16(~std::uint64_t(0))), 0x1p64f);
  EXPECT_EQ(float(bfloat16(INT64_MIN)), -0x1p63f);
}

TEST(half_scalars, arithmetic_rounds_after_each_op) {
  float16 a(2048), one(1);
  EXPECT_EQ(float(a + one + one), 2048.0f);
  EXPECT_EQ(float(float16(1) / float16(3)), 0.333251953125f);
  EXPECT_EQ((-float16(0.0f)).bits, 0x8000);
  a -= one;
  a *= float16(0.5f);
  EXPECT_EQ(float(a), 1023.5f);
  EXPECT_TRUE(float16(1) < float16(2) && float16(0.0f) == float16(-0.0f));
  const float16 nan = float16::from_bits(0x7e00);
  EXPECT_FALSE(nan == nan || nan < nan || nan > nan);
  EXPECT_TRUE(nan != nan);
}

}  // namespace
