// NUMWARP_DEBUG=1 launches every operation at its call. It is read once, so the checks run in a
// child process that has it set.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>

namespace nw = numwarp;

namespace {

void check_in_child() {
  const auto a = nw::array<float>({1, 2, 3});
  const auto before = nw::launch_count();
  const auto c = a + 1;
  bool good = !c.is_pending() && nw::launch_count() == before + 1;
  // What would have been found when it runs is found at the call.
  const auto base = nw::array({2, 3}), exponent = nw::array({-1, 1});
  try {
    const auto p = nw::power(base, exponent);
    good = false;
  } catch (const nw::value_error&) {
  }
  try {
    base(nw::array({1, 5})).compute();
    good = false;
  } catch (const nw::index_error&) {
  }
  auto b = a.copy();
  b(b > 1) = 0;  // selections still write through
  good &= b.sum().item() == 1;
  std::exit(good ? 0 : 1);
}

TEST(debug_mode, launches_at_the_call) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the child starts anew and reads the variable
  setenv("NUMWARP_DEBUG", "1", 1);
  EXPECT_EXIT(check_in_child(), ::testing::ExitedWithCode(0), "");
  unsetenv("NUMWARP_DEBUG");
}

TEST(debug_mode, is_off_otherwise) {
  const auto a = nw::array<float>({1, 2, 3});
  EXPECT_TRUE((a + 1).is_pending());
}

}  // namespace
