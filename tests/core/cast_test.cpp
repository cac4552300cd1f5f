// Casts whose result NumPy leaves open or wraps: the rest is compared with NumPy as astype.
#include "core_test_support.hpp"

using namespace core_test;

namespace {

TEST(cast, floats_saturate_to_integers_and_nan_gives_0) {
  EXPECT_EQ((cast<i8>(127.9)), 127);
  EXPECT_EQ((cast<i8>(128.0f)), 127);
  EXPECT_EQ((cast<i8>(-1e9f)), -128);
  EXPECT_EQ((cast<u8>(-0.9)), 0);
  EXPECT_EQ((cast<u8>(-5.0)), 0);
  EXPECT_EQ((cast<i32>(2147483647.0f)), INT32_MAX);
  EXPECT_EQ((cast<i32>(0x1.fffffep30f)), 0x7fffff80);
  EXPECT_EQ((cast<i32>(-0x1p31f)), INT32_MIN);
  EXPECT_EQ((cast<u32>(0x1p32)), UINT32_MAX);
  EXPECT_EQ((cast<i64>(0x1p63)), INT64_MAX);
  EXPECT_EQ((cast<i64>(-0x1p63)), INT64_MIN);
  EXPECT_EQ((cast<i64>(0x1.fffffffffffffp62)), INT64_MAX - 1023);
  EXPECT_EQ((cast<u64>(0x1p63)), u64(1) << 63);
  EXPECT_EQ((cast<u64>(0x1p64f)), UINT64_MAX);
  EXPECT_EQ((cast<u16>(HUGE_VAL)), UINT16_MAX);
  EXPECT_EQ((cast<i16>(float16::from_bits(0xfc00))), INT16_MIN);
  EXPECT_EQ((cast<i64>(std::nan(""))), 0);
  EXPECT_EQ((cast<u8>(bfloat16(std::nanf("")))), 0);
  EXPECT_EQ((cast<i32>(complex<double>(-3.7, 9))), -3);
}

TEST(cast, integers_wrap) {
  EXPECT_EQ((cast<i8>(i32(200))), -56);
  EXPECT_EQ((cast<u8>(i64(-1))), 255);
  EXPECT_EQ((cast<u64>(i8(-1))), UINT64_MAX);
  EXPECT_EQ((cast<i16>(u64(65535))), -1);
}

TEST(cast, bool_asks_for_not_zero) {
  EXPECT_TRUE((cast<bool>(std::nan(""))));
  EXPECT_TRUE((cast<bool>(0.25)));
  EXPECT_TRUE((cast<bool>(i32(256))));
  EXPECT_FALSE((cast<bool>(-0.0f)));
  EXPECT_FALSE((cast<bool>(float16::from_bits(0x8000))));
  EXPECT_TRUE((cast<bool>(float16::from_bits(1))));
  EXPECT_TRUE((cast<bool>(complex<float>(0, 1))));
  EXPECT_FALSE((cast<bool>(complex<float>(0, -0.0f))));
}

TEST(cast, from_bool_and_complex) {
  EXPECT_EQ(float(cast<float16>(true)), 1.0f);
  EXPECT_EQ((cast<complex<double>>(true)), (complex<double>(1, 0)));
  EXPECT_EQ((cast<complex<float>>(complex<double>(1e300, 0.5))), (complex<float>(HUGE_VALF, 0.5f)));
  EXPECT_EQ((cast<float>(complex<double>(2.5, 7))), 2.5f);
  EXPECT_EQ((cast<float16>(complex<double>(2049.000001, 7))).bits, float16(2050).bits);
}

TEST(cast, narrowing_rounds_once) {
  const double above_half = 1 + 0x1p-11 + 0x1p-30;  // float would round it to the halfway point
  EXPECT_EQ((cast<float16>(above_half)).bits, 0x3c01);
  EXPECT_EQ((cast<bfloat16>(1 + 0x1p-8 + 0x1p-40)).bits, 0x3f81);
  EXPECT_EQ((cast<bfloat16>(float16(1.0f + 0x1p-8f))).bits, 0x3f80);
}

}  // namespace
