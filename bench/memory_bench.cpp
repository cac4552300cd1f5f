// Allocation, transfers between host and device, and what the first call of a process costs.
#include <benchmark/benchmark.h>

#include <chrono>

#include "harness.hpp"

namespace {

using bench::large;
using bench::small;

const bool gpu = !nw::default_device().is_cpu();

// An array made and dropped: the pool's part of it is what the test runtime_pool_test prints.
void allocation() {
  small(
      "alloc_free_1MiB", [] { benchmark::DoNotOptimize(nw::empty<std::uint8_t>(1 << 20).valid()); },
      0);
  // Of a pool of one's own, in the scope that chooses it.
  benchmark::RegisterBenchmark("alloc_free_1MiB_own_pool", [](benchmark::State& state) {
    const nw::memory_pool pool;
    const nw::using_allocator scope(pool);
    for (auto _ : state) benchmark::DoNotOptimize(nw::empty<std::uint8_t>(1 << 20).valid());
  })->Unit(benchmark::kMicrosecond);
}

// 2^27 float32 both ways, from and to ordinary and page-locked memory.
void transfers() {
  if (!gpu) return;
  const std::int64_t n = std::int64_t(1) << 27;
  const std::string size = "_512MiB";
  const double bytes = 4 * double(n);
  const auto on_device = bench::values(n, 3);
  const auto out = nw::empty_like(on_device);
  const auto ordinary = nw::empty<float>(n, nw::order::c, nw::cpu);
  ordinary.fill(0.5f);
  const auto pinned = nw::empty_pinned<float>(n);
  pinned.fill(0.5f);
  const auto both = [&](const std::string& kind, const nw::ndarray<float>& host) {
    large(
        "h2d_" + kind + size, {bytes}, [=] { nw::asarray(host, {.out = out}); }, 0);
    large(
        "d2h_" + kind + size, {bytes}, [=] { nw::asnumpy(on_device, {.out = host}); }, 0);
  };
  both("pageable", ordinary);
  both("pinned", pinned);
}

// One call of an operation that this process has not used yet; later iterations would be something
// else, so there is one.
void first_call() {
  benchmark::RegisterBenchmark("first_call_new_ufunc",
                               [](benchmark::State& state) {
                                 const auto a = nw::full<double>(10, 0.5);
                                 nw::synchronize();
                                 for (auto _ : state) {
                                   nw::tanh(a).compute();
                                   nw::synchronize();
                                 }
                               })
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime()
      ->Iterations(1);
}

const bench::group cases([] {
  first_call();
  allocation();
  transfers();
});

}  // namespace
