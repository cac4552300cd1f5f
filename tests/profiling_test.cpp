// The counters of profiling.hpp.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numwarp/numwarp.hpp>

namespace nw = numwarp;

namespace {

TEST(profiling, counts_launches_and_allocations) {
  const auto a = nw::ones<float>(100);
  const auto launches = nw::launch_count(), allocations = nw::allocation_count();
  const auto b = (a * 2 + 1).compute();
  EXPECT_EQ(nw::launch_count(), launches + 1);
  EXPECT_EQ(nw::allocation_count(), allocations + 1);
}

TEST(profiling, nothing_is_compiled_for_a_cpu) {
  const nw::device_guard on_cpu{nw::cpu};
  const auto before = nw::get_jit_statistics();
  const auto a = nw::ones<float>(100);
  (nw::sqrt(a * 2 + 1) - a).compute();
  const auto after = nw::get_jit_statistics();
  EXPECT_EQ(after.launches, before.launches);
  EXPECT_EQ(after.compiles, before.compiles);
  EXPECT_EQ(after.memory_hits, before.memory_hits);
  EXPECT_EQ(after.disk_hits, before.disk_hits);
  EXPECT_EQ(after.unfused, before.unfused);
  EXPECT_EQ(after.failures, before.failures);
}

// Every fused statement is launched fused or step by step; a kernel is made or found once.
TEST(profiling, fused_statements_of_a_gpu_are_counted) {
  if (!nw::is_available(nw::cuda(0))) GTEST_SKIP() << "no GPU";
  const nw::device_guard on_gpu{nw::cuda(0)};
  const auto a = nw::ones<float>(1000);
  nw::synchronize();
  const auto before = nw::get_jit_statistics();
  for (int i = 0; i < 5; ++i) (nw::sqrt(a * 2.5f + 1.25f) - a * 0.125f).compute();
  nw::synchronize();
  const auto after = nw::get_jit_statistics();
  EXPECT_EQ(after.launches + after.unfused, before.launches + before.unfused + 5);
  EXPECT_LE(after.memory_hits - before.memory_hits, after.launches - before.launches);
  EXPECT_LE(after.compiles - before.compiles + after.disk_hits - before.disk_hits, 1);
  EXPECT_EQ(after.failures, before.failures);
}

}  // namespace
