// Philox against its authors' vectors; radius and direction of normal samples against long double.
#include <gtest/gtest.h>

#include <cmath>
#include <numwarp/core/random.hpp>
#include <vector>

namespace {

using namespace numwarp::core;
using namespace numwarp::core::random;

void expect_philox(words counter, u32 key0, u32 key1, words want) {
  const words got = philox(counter, key0, key1);
  EXPECT_EQ(got.a, want.a);
  EXPECT_EQ(got.b, want.b);
  EXPECT_EQ(got.c, want.c);
  EXPECT_EQ(got.d, want.d);
}

// philox4x32, 10 rounds, in kat_vectors of Random123.
TEST(core_random, philox_is_that_of_its_authors) {
  expect_philox({0, 0, 0, 0}, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expect_philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff, 0xffffffff,
                {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expect_philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0,
                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST(core_random, the_counter_has_64_bits) {
  const words got = block(0x1234567890abcdef, 0x900000007);
  const words want = philox({7, 9, 0, 0}, 0x90abcdef, 0x12345678);
  EXPECT_TRUE(got.a == want.a && got.b == want.b && got.c == want.c && got.d == want.d);
}

// Both ends, all powers of two, and words between.
template <class Word> std::vector<Word> sample_words() {
  std::vector<Word> list{0, Word(-1)};
  for (int bit = 0; bit < int(sizeof(Word)) * 8; ++bit) {
    const Word one = Word(Word(1) << bit);
    for (const Word w : {one, Word(one - 1), Word(one + 1), Word(~one), Word(-one)})
      list.push_back(w);
  }
  for (u64 k = 0; k < 50000; ++k) {
    const words w = block(1, k);
    const Word x = Word(wide(w.a, w.b));
    list.push_back(x);
    list.push_back(Word(x >> (w.c % (sizeof(Word) * 8))));
    list.push_back(Word(~(x >> (w.d % (sizeof(Word) * 8)))));
  }
  return list;
}

template <class T> void check_functions() {
  using word = typename format<T>::word;
  const long double ulp = std::ldexp(1.0L, -format<T>::digits), turn = 2 * std::acos(-1.0L);
  for (const word w : sample_words<word>()) {
    const long double u = (w + 0.5L) * format<T>::unit, rest = (word(~w) + 0.5L) * format<T>::unit;
    const long double r = std::sqrt(-2 * (u < 0.5L ? std::log(u) : std::log1p(-rest)));
    EXPECT_NEAR(double(radius<T>(w) / r), 1, double(2 * ulp)) << w;
    const direction<T> d = direction_of<T>(w);
    EXPECT_LE(std::abs(d.x - std::cos(turn * u)), ulp) << w;
    EXPECT_LE(std::abs(d.y - std::sin(turn * u)), ulp) << w;
  }
}

TEST(core_random, radius_and_direction_are_accurate) {
  check_functions<float>();
  check_functions<double>();
}

TEST(core_random, normal_tails_reach_far) {
  EXPECT_GT(radius<float>(0), 6.7f);
  EXPECT_GT(radius<double>(0), 9.4);
  EXPECT_GT(radius<float>(~0u), 0);
  EXPECT_LT(radius<float>(~0u), 2e-5f);
  EXPECT_LT(radius<double>(~0ul), 4e-10);
}

__extension__ typedef unsigned __int128 u128;

TEST(core_random, wide_products) {
  const auto list = sample_words<u64>();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const u64 a = list[i], b = list[(i * 7919) % list.size()];
    const halves<u64> p = product(a, b);
    const u128 want = u128(a) * b;
    ASSERT_EQ(p.high, u64(want >> 64));
    ASSERT_EQ(p.low, u64(want));
  }
}

}  // namespace
