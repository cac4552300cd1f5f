// The counters of profiling.hpp.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <numwarp/jit.hpp>
#include <numwarp/memory.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>
#include <string>

#include "support/devices.hpp"
#include "support/errors.hpp"

namespace nw = numwarp;
using numwarp::testing::text_of;
using numwarp_test::for_each_device;

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
    const std::string alone = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX ";
    return std::system((alone + "SHIPPED=" + directory.string() + " " + self +
                        " --gtest_also_run_disabled_tests --gtest_filter='*shipped_directory'")
                           .c_str());
  };
  EXPECT_NE(run(made), 0);  // compiles it
  fs::copy(made, shipped);
  EXPECT_EQ(run(shipped), 0);
  fs::remove_all(made);
  fs::remove_all(shipped);
}

namespace profiler = nw::profiler;

TEST(profiling, benchmark_times_each_call) {
  for_each_device([](nw::device d) {
    const auto a = nw::ones<float>(1000);
    int calls = 0;
    const auto launches = nw::launch_count();
    const auto r = profiler::benchmark(
        [&] {
          ++calls;
          return a + 1;  // pending: computed as part of the call
        },
        {.name = "add one", .n_repeat = 20, .n_warmup = 3});
    EXPECT_EQ(calls, 23);
    EXPECT_EQ(nw::launch_count() - launches, 23);
    ASSERT_EQ(r.cpu_times.size(), 20);
    for (const double s : r.cpu_times) EXPECT_GT(s, 0);
    ASSERT_EQ(r.gpu_times.size(), d.is_cpu() ? 0 : 1);
    const std::string text = r.to_string();
    EXPECT_EQ(text.rfind("add one             :    CPU: ", 0), 0) << text;
    EXPECT_NE(text.find(" us   +/- "), std::string::npos) << text;
    EXPECT_NE(text.find(" (min: "), std::string::npos) << text;
    EXPECT_EQ(text.find("GPU-0: ") != std::string::npos, !d.is_cpu()) << text;
    if (d.is_cpu()) return;
    ASSERT_EQ(r.gpu_times[0].size(), 20);
    for (const double s : r.gpu_times[0]) EXPECT_GT(s, 0);
  });
}

TEST(profiling, benchmark_ends_in_time_and_refuses_bad_options) {
  int calls = 0;
  const auto count = [&] { ++calls; };
  EXPECT_EQ(profiler::benchmark(count, {.n_warmup = 0, .max_duration = 0}).cpu_times.size(), 1);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(text_of<nw::value_error>([&] { profiler::benchmark(count, {.n_repeat = 0}); }),
            "benchmark: n_repeat must be positive, got 0");
  EXPECT_THROW(profiler::benchmark(count, {.n_warmup = -1}), nw::value_error);
  EXPECT_THROW(profiler::benchmark(count, {.max_duration = -0.5}), nw::value_error);
  EXPECT_THROW(profiler::benchmark(count, {.devices = {nw::cuda(63)}}), nw::device_error);
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(profiler::benchmark([] { throw nw::value_error("mine"); }), nw::value_error);
}

TEST(profiling, ranges_have_names) {
  const profiler::time_range outer("outer", 3);
  EXPECT_EQ(outer.outer(), nullptr);
  const profiler::time_range inner;
  EXPECT_EQ(inner.outer(), &outer);
  EXPECT_EQ(inner.name(), "profiling_test.cpp:" + std::to_string(__LINE__ - 2));
}

TEST(profiling, a_trace_lists_launches) {
  for_each_device([](nw::device d) {
    const auto a = nw::ones<float>({100, 30}), b = nw::ones<float>(30);
    a.compute();
    b.compute();
    const auto launches = nw::launch_count();
    const profiler::trace trace;
    {
      const profiler::time_range range("step");
      (a * 2 + b).compute();
    }
    nw::sum(a * a, {.axis = {1}}).compute();
    nw::matmul(a, a.T()).compute();
    EXPECT_EQ((a + 1).item(0, 0), 2.0f);
    const auto records = trace.records();
    EXPECT_GE(std::int64_t(records.size()), nw::launch_count() - launches);
    ASSERT_GE(records.size(), 4);
    EXPECT_EQ(records[0].name, "multiply+add");
    EXPECT_EQ(records[0].shapes, "(100, 30)");
    EXPECT_EQ(records[0].range, "step");
    EXPECT_EQ(records[0].device, d);
    EXPECT_EQ(records[0].bytes, 4 * (3000 + 30 + 3000));
    EXPECT_EQ(records[1].name, "sum(multiply)");
    EXPECT_EQ(records[1].bytes, 4 * (3000 + 100));
    EXPECT_EQ(records[1].range, "");
    EXPECT_EQ(records[2].name, "matmul");
    EXPECT_EQ(records[2].shapes, "(100, 30) @ (30, 100)");
    for (const auto& r : records) EXPECT_GT(r.seconds, 0) << r.name;
    if (!d.is_cpu()) {
      EXPECT_EQ(records.back().name, "download");
    }
    EXPECT_NE(trace.to_string().find("multiply+add (100, 30)  [step]\n"), std::string::npos);
  });
}

TEST(profiling, traces_nest_and_end) {
  const nw::device_guard on_cpu{nw::cpu};
  const auto a = nw::ones<float>(10);
  (a + 1).compute();
  const profiler::trace outer;
  (a + 1).compute();
  {
    const profiler::trace inner;
    (a * 2).compute();
    ASSERT_EQ(inner.records().size(), 1);
    EXPECT_EQ(inner.records()[0].name, "multiply");
  }
  EXPECT_EQ(outer.records().size(), 2);
}

[[noreturn]] void compute_and_exit() {
  const nw::device_guard on_cpu{nw::cpu};
  (nw::ones<float>(10) * 2 + 1).compute();
  std::exit(0);
}

TEST(profiling, the_environment_traces_the_process) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the child starts anew and reads the variable
  setenv("NUMWARP_TRACE", "1", 1);
  EXPECT_EXIT(compute_and_exit(), ::testing::ExitedWithCode(0), "multiply.add \\(10,\\)");
  unsetenv("NUMWARP_TRACE");
}

TEST(profiling, waits_can_be_forbidden) {
  for_each_device([](nw::device d) {
    const auto a = nw::arange<float>(1000);
    auto h = nw::empty_pinned<float>(1000);
    {
      const profiler::allow_synchronize forbidden(false);
      const auto b = (a * 2).compute();  // launches do not wait
      const auto c = nw::sum(b);
      if (d.is_cpu()) {
        EXPECT_EQ(c.item(), 999000.0f);
        nw::synchronize();
      } else {
        EXPECT_EQ(text_of<nw::synchronization_error>([&] { c.item(); }),
                  "item: waits for cuda:0, which allow_synchronize(false) forbids here");
        EXPECT_THROW(b.to_vector(), nw::synchronization_error);
        EXPECT_THROW(nw::asnumpy(b), nw::synchronization_error);
        EXPECT_THROW(nw::asnumpy(b, {.out = h}), nw::synchronization_error);
        EXPECT_THROW(b(b > 3).compute(), nw::synchronization_error);
        EXPECT_THROW(nw::nonzero(b), nw::synchronization_error);
        EXPECT_THROW(nw::synchronize(), nw::synchronization_error);
        EXPECT_THROW(nw::current_stream().synchronize(), nw::synchronization_error);
        nw::asnumpy(b, {.out = h, .blocking = false});
        EXPECT_THROW(h.item(0), nw::synchronization_error);
        EXPECT_THROW(nw::get_default_memory_pool().free_all_blocks(), nw::synchronization_error);
        const profiler::allow_synchronize again(true);
        EXPECT_EQ(c.item(), 999000.0f);
      }
    }
    EXPECT_EQ((a + 1).item(3), 4.0f);
  });
}

}  // namespace
