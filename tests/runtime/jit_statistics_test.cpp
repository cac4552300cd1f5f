// What the compiler of kernels reports is what profiling.hpp shows.
#include <gtest/gtest.h>

#include <numwarp/profiling.hpp>

#include "runtime/backend.hpp"

namespace nw = numwarp;
using nw::runtime::jit_event;

namespace {

TEST(jit_statistics, each_event_has_its_counter) {
  const auto counters = [] {
    const auto s = nw::get_jit_statistics();
    return std::vector<std::int64_t>{s.launches,  s.compiles, s.memory_hits,
                                     s.disk_hits, s.unfused,  s.failures};
  };
  const jit_event events[] = {jit_event::launch,   jit_event::compile, jit_event::memory_hit,
                              jit_event::disk_hit, jit_event::unfused, jit_event::failure};
  for (int e = 0; e < 6; ++e) {
    auto want = counters();
    nw::runtime::count_jit(events[e]);
    ++want[std::size_t(e)];
    EXPECT_EQ(counters(), want) << e;
  }
}

}  // namespace
