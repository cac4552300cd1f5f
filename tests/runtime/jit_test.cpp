// Counters of compiled kernels, and their cache on disk.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numwarp/error.hpp>
#include <numwarp/jit.hpp>
#include <numwarp/ranges.hpp>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/kernel_cache.hpp"

namespace nw = numwarp;
namespace fs = std::filesystem;
using nw::runtime::jit_event;
using nw::runtime::kernel_cache;

namespace {

TEST(jit, each_event_has_its_counter) {
  const auto counters = [] {
    const auto s = nw::jit::statistics();
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

// A directory that goes with the test.
struct folder {
  fs::path path =
      fs::temp_directory_path() / ("numwarp_jit_" + std::to_string(getpid()) + "_" + next());
  ~folder() { fs::remove_all(path); }
  static std::string next() {
    static int n = 0;
    return std::to_string(n++);
  }
  std::string text() const { return path.string(); }
};

TEST(kernel_cache, gives_back_what_it_was_given_or_nothing) {
  const folder f;
  const kernel_cache cache(f.text());
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", std::string("code\0more", 9));
  EXPECT_EQ(cache.find("key"), std::string("code\0more", 9));
  EXPECT_FALSE(cache.find("other"));
  for (const auto& e : fs::directory_iterator(f.path)) {
    std::fstream damage(e.path(), std::ios::in | std::ios::out | std::ios::binary);
    damage.seekp(-1, std::ios::end);
    damage.put('x');
  }
  EXPECT_FALSE(cache.find("key"));
  const kernel_cache none("/proc/no_such_place/numwarp");
  none.store("key", "code");
  EXPECT_FALSE(none.find("key"));
  EXPECT_EQ(none.directory(), "");
}

TEST(kernel_cache, a_copied_directory_has_the_same_kernels) {
  const folder made, shipped;
  const kernel_cache first(made.text());
  first.store("one", "code of one");
  first.store("two", "code of two");
  fs::copy(made.path, shipped.path);
  fs::permissions(shipped.path, fs::perms::owner_read | fs::perms::owner_exec);
  const kernel_cache second(shipped.text());
  EXPECT_EQ(second.find("one"), "code of one");
  EXPECT_EQ(second.find("two"), "code of two");
  EXPECT_EQ(second.size(), first.size());
  fs::permissions(shipped.path, fs::perms::owner_all);
}

TEST(kernel_cache, the_oldest_kernels_go_and_nothing_else) {
  const folder f;
  const kernel_cache cache(f.text());
  cache.store("old", std::string(1000, 'o'));
  for (const auto& e : fs::directory_iterator(f.path))
    fs::last_write_time(e.path(), fs::file_time_type::clock::now() - std::chrono::hours(1));
  cache.store("new", std::string(1000, 'n'));
  std::ofstream(f.path / "somebody.cubin") << "else";
  EXPECT_GT(cache.size(), 2000);
  cache.trim_to(1500);
  EXPECT_FALSE(cache.find("old"));
  EXPECT_TRUE(cache.find("new"));
  cache.trim_to(0);
  EXPECT_EQ(cache.size(), 0);
  EXPECT_TRUE(fs::exists(f.path / "somebody.cubin"));
}

TEST(jit, the_cache_can_be_elsewhere_bounded_and_cleared) {
  const std::string before = nw::jit::cache_directory();
  const std::int64_t limit = nw::jit::cache_limit();
  const folder f;
  nw::jit::set_cache_directory(f.text());
  EXPECT_EQ(nw::jit::cache_directory(), f.text());
  EXPECT_EQ(nw::jit::cache_size(), 0);
  nw::runtime::current_kernel_cache()->store("key", std::string(1000, 'c'));
  EXPECT_GT(nw::jit::cache_size(), 1000);
  nw::jit::set_cache_limit(5000);
  EXPECT_EQ(nw::jit::cache_limit(), 5000);
  EXPECT_GT(nw::jit::cache_size(), 1000);
  EXPECT_THROW(nw::jit::set_cache_limit(-1), nw::value_error);
  nw::jit::set_cache_limit(100);
  EXPECT_EQ(nw::jit::cache_size(), 0);
  nw::runtime::current_kernel_cache()->store("key", "code");
  nw::jit::clear_cache();
  EXPECT_EQ(nw::jit::cache_size(), 0);

  const folder open;
  fs::create_directory(open.path);
  fs::permissions(open.path, fs::perms::all);
  EXPECT_THROW(nw::jit::set_cache_directory(open.text()), nw::io_error);
  EXPECT_THROW(nw::jit::set_cache_directory("/proc/no_such_place"), nw::io_error);
  EXPECT_EQ(nw::jit::cache_directory(), f.text());
  nw::jit::set_cache_directory("");
  nw::runtime::current_kernel_cache()->store("key", "code");
  EXPECT_EQ(nw::jit::cache_size(), 0);
  nw::jit::set_cache_limit(limit);
  nw::jit::set_cache_directory(before);
}

TEST(jit, compile_runs_on_the_examples_and_keeps_nothing_pending) {
  const nw::device_guard on_cpu{nw::cpu};
  const auto a = nw::arange<float>(10);
  nw::ndarray<float> seen;
  nw::jit::compile(
      [&](const nw::ndarray<float>& x, double by) {
        EXPECT_TRUE(nw::runtime::compiles_at_once());
        seen = x * by + 1;
        return seen - x;
      },
      a, 2.0);
  EXPECT_EQ(seen.item(9), 19);
  EXPECT_FALSE(nw::runtime::compiles_at_once());
  nw::ndarray<float> pending;
  nw::jit::compile([&] { pending = nw::ndarray<float>(a.untyped()) - 1; });
  EXPECT_FALSE(pending.is_pending());
  EXPECT_THROW(nw::jit::compile([] { throw nw::value_error("no"); }), nw::value_error);
  EXPECT_FALSE(nw::runtime::compiles_at_once());
  nw::jit::wait();
}

}  // namespace
