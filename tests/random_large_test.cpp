// Draws of more than 2^32 elements: 4 GiB at a time.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>

#include "support/devices.hpp"

namespace nw = numwarp;

namespace {

TEST(random_large, elements_beyond_32_bits_are_those_of_a_later_draw) {
  numwarp_test::for_each_device([] {
    constexpr std::int64_t n = (std::int64_t(1) << 32) + 7, last = 1000;
    auto whole = nw::random::default_rng(1), split = whole;
    const auto end = whole.integers<nw::int8>(-100, 100, {n})(nw::slice(-last, nw::none)).copy();
    split.integers<nw::int8>(-100, 100, {n - last});
    EXPECT_EQ(split.integers<nw::int8>(-100, 100, {last}).to_vector(), end.to_vector());
    EXPECT_EQ(whole.random<float>({8}).to_vector(), split.random<float>({8}).to_vector());
  });
}

}  // namespace
