// profile [N]: where the time and the memory of an iteration over N elements (1000000) go: a
// benchmark, a trace of its launches, and its memory by place in the program.
#include <iostream>
#include <numwarp/memory_hooks.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>

#include "arguments.hpp"

namespace nw = numwarp;

// One step of a damped fixed-point iteration, and how far it went.
nw::ndarray<float> step(nw::ndarray<float>& x) {
  nw::ndarray<float> next;
  {
    const nw::profiler::time_range range("update");
    next = 0.5f * x + 0.5f * nw::cos(x);
  }
  const nw::profiler::time_range range("norm");
  const auto moved = nw::sqrt(nw::sum(nw::square(next - x)));
  x = next;
  return moved;
}

int main(int argc, char** argv) try {
  const std::int64_t n = positive(argc, argv, 1, 1000000);
  std::cout << "on " << to_string(nw::default_device()) << '\n';
  auto x = nw::linspace<float>(0, 1, n);

  const auto timed = nw::profiler::benchmark([&] { return step(x); },
                                             {.name = "step", .n_repeat = 20, .n_warmup = 3});
  std::cout << timed.to_string() << "\n\n";

  const nw::memory_pool pool;  // of our own, so that only the step is seen
  const nw::line_profile_hook places;
  const nw::memory_hook_scope hook(pool, places);
  const nw::using_allocator scope(pool);
  const nw::profiler::trace trace;
  nw::ndarray<float> moved;
  {
    const nw::profiler::allow_synchronize forbidden(false);  // nothing in a step may wait
    moved = step(x);
  }
  std::cout << trace.to_string() << '\n' << places.report();
  const auto launches = trace.records();
  const bool right = launches.size() >= 3 && launches[0].range == "update" &&
                     places.entries().size() == 2 && nw::isfinite(moved).item();
  return right && int(timed.cpu_times.size()) == 20 ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
