// The counters of profiling.hpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
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
  const auto before = nw::jit::statistics();
  const auto a = nw::ones<float>(100);
  (nw::sqrt(a * 2 + 1) - a).compute();
  const auto after = nw::jit::statistics();
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
  const auto before = nw::jit::statistics();
  for (int i = 0; i < 5; ++i) (nw::sqrt(a * 2.5f + 1.25f) - a * 0.125f).compute();
  nw::synchronize();
  const auto after = nw::jit::statistics();
  EXPECT_EQ(after.launches + after.unfused, before.launches + before.unfused + 5);
  EXPECT_LE(after.memory_hits - before.memory_hits, after.launches - before.launches);
  EXPECT_LE(after.compiles - before.compiles + after.disk_hits - before.disk_hits, 1);
  EXPECT_EQ(after.failures, before.failures);
}

bool compiles_nothing() {
  const char* const jit = std::getenv("NUMWARP_JIT");
  return !nw::is_available(nw::cuda(0)) || (jit && std::string(jit) == "off");
}

nw::ndarray<float> compiled_ahead(const nw::ndarray<float>& a, const nw::ndarray<float>& b) {
  return nw::sqrt(a * 3.5f + 7) / (b - 0.375f) + nw::abs(a) * 4;
}

TEST(profiling, what_was_compiled_ahead_is_fused_at_once) {
  if (compiles_nothing()) GTEST_SKIP() << "no GPU, or no compiler";
  const nw::device_guard on_gpu{nw::cuda(0)};
  nw::jit::compile(compiled_ahead, nw::ones<float>(4), nw::ones<float>(4));
  nw::jit::wait();
  const auto before = nw::jit::statistics();
  compiled_ahead(nw::ones<float>(10000), nw::ones<float>(10000)).compute();
  const auto after = nw::jit::statistics();
  EXPECT_EQ(after.memory_hits, before.memory_hits + 1);
  EXPECT_EQ(after.unfused, before.unfused);
  EXPECT_EQ(after.compiles, before.compiles);
}

TEST(profiling, wait_waits_for_the_kernel_in_the_background) {
  if (compiles_nothing()) GTEST_SKIP() << "no GPU, or no compiler";
  const nw::device_guard on_gpu{nw::cuda(0)};
  const auto a = nw::ones<float>(1000);
  const auto statement = [&] { (nw::cos(a - 3.5f) * a + nw::sin(a) * 9).compute(); };
  statement();
  nw::jit::wait();
  const auto before = nw::jit::statistics();
  statement();
  EXPECT_EQ(nw::jit::statistics().launches, before.launches + 1);
  EXPECT_EQ(nw::jit::statistics().unfused, before.unfused);
}

// Run by the next test, in a process that has no kernels in memory.
TEST(profiling, DISABLED_finds_the_kernels_of_a_shipped_directory) {
  const nw::device_guard on_gpu{nw::cuda(0)};
  nw::jit::set_cache_directory(std::getenv("SHIPPED"));
  nw::jit::compile(compiled_ahead, nw::ones<float>(4), nw::ones<float>(4));
  EXPECT_EQ(nw::jit::statistics().disk_hits, 1);
  EXPECT_EQ(nw::jit::statistics().compiles, 0);
}

TEST(profiling, kernels_can_be_shipped) {
  if (compiles_nothing()) GTEST_SKIP() << "no GPU, or no compiler";
  namespace fs = std::filesystem;
  const fs::path made = fs::temp_directory_path() / ("numwarp_made_" + std::to_string(getpid()));
  const fs::path shipped = made.string() + "_shipped";
  const auto run = [](const fs::path& directory) {
    const std::string self = fs::read_symlink("/proc/self/exe").string();
    return std::system(("SHIPPED=" + directory.string() + " " + self +
                        " --gtest_also_run_disabled_tests --gtest_filter='*shipped_directory'")
                           .c_str());
  };
  EXPECT_NE(run(made), 0);  // compiles it
  fs::copy(made, shipped);
  EXPECT_EQ(run(shipped), 0);
  fs::remove_all(made);
  fs::remove_all(shipped);
}

}  // namespace
