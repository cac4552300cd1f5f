#include "harness.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <numwarp/profiling.hpp>
#include <vector>

namespace bench {

namespace {

std::vector<void (*)()>& groups() {
  static std::vector<void (*)()> list;
  return list;
}

void check_launches(benchmark::State& state, std::int64_t before, int launches) {
  const std::int64_t made = nw::launch_count() - before;
  const std::int64_t wanted = std::int64_t(state.iterations()) * launches;
  if (made != wanted) {
    state.SkipWithError(
        ("launched " + std::to_string(made) + " times, expected " + std::to_string(wanted))
            .c_str());
  }
}

void report(benchmark::State& state, cost c) {
  using benchmark::Counter;
  const auto rate = Counter::kIsIterationInvariantRate;
  if (c.bytes > 0) state.counters["GB/s"] = Counter(c.bytes * 1e-9, rate);
  if (c.flops > 0) state.counters["TFLOP/s"] = Counter(c.flops * 1e-12, rate);
}

}  // namespace

group::group(void (*add_cases)()) { groups().push_back(add_cases); }

void add_all_cases() {
  if (const char* threads = std::getenv("NUMWARP_BENCH_THREADS")) {
    nw::set_num_threads(std::atoi(threads));
  }
  for (auto* add_cases : groups()) add_cases();
}

void large(const std::string& name, cost c, std::function<void()> call, int launches) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 call();
                                 nw::synchronize();
                                 const std::int64_t before = nw::launch_count();
                                 for (auto _ : state) {
                                   call();
                                   nw::synchronize();
                                 }
                                 check_launches(state, before, launches);
                                 report(state, c);
                               })
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime()
      ->MinTime(0.2);
}

void small(const std::string& name, std::function<void()> call, int launches) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 call();
                                 nw::synchronize();
                                 const std::int64_t before = nw::launch_count();
                                 for (auto _ : state) call();
                                 check_launches(state, before, launches);
                                 nw::synchronize();
                               })
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime()
      ->MinTime(0.1);
}

int log2_size() { return nw::default_device().is_cpu() ? 24 : 28; }

std::string power_of_two(int n) { return "2^" + std::to_string(n); }

nw::ndarray<float> values(const nw::shape& s, int seed) {
  std::int64_t n = 1;
  for (std::int64_t d : s) n *= d;
  const auto i = nw::arange<std::uint32_t>(n);
  const auto mixed = (i * 2654435761u + std::uint32_t(seed) * 40503u) >> 8;
  auto x = mixed.astype<float>() * float(1.0 / (1 << 24));
  x.compute();
  return x.reshape(s);
}

}  // namespace bench

int main(int argc, char** argv) {
  bench::add_all_cases();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
