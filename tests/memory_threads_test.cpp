// Pools of one's own, what arrays are allocated from, unowned memory and hooks; all of it from
// several threads, too.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <numwarp/memory.hpp>
#include <numwarp/memory_hooks.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/devices.hpp"
#include "support/errors.hpp"

namespace nw = numwarp;
using numwarp::testing::text_of;
using numwarp_test::for_each_device;

namespace {

constexpr std::int64_t mib = 1 << 20;

template <class F> void in_threads(int n, const F& f) {
  std::vector<std::thread> threads;
  for (int i = 0; i < n; ++i) threads.emplace_back([&f, i] { f(i); });
  for (auto& t : threads) t.join();
}

TEST(OwnPool, ServesArraysWithinAScope) {
  for_each_device([](nw::device d) {
    nw::memory_pool pool(d), inner(d);
    const auto usual = nw::get_default_memory_pool(d);
    EXPECT_EQ(pool.device(), d);
    EXPECT_EQ(pool.name(), to_string(d) + " (own pool)");
    EXPECT_EQ(nw::get_allocator(d), usual);
    const std::int64_t before = usual.used_bytes();
    {
      const nw::using_allocator scope(pool);
      EXPECT_EQ(nw::get_allocator(d), pool);
      const auto a = nw::ones<float>(mib);
      EXPECT_EQ(pool.used_bytes(), 4 * mib);
      const auto b = a + 1;  // results come from it, too
      EXPECT_EQ(pool.used_bytes(), 8 * mib);
      {
        const nw::using_allocator nested(inner);
        const auto c = nw::ones<float>(mib);
        EXPECT_EQ(inner.used_bytes(), 4 * mib);
        EXPECT_EQ((a + c).sum().item(), 2.0f * mib);
      }
      EXPECT_EQ(pool.used_bytes(), 8 * mib);
      std::thread([&] { EXPECT_EQ(nw::get_allocator(d), usual); }).join();
      EXPECT_EQ(usual.used_bytes(), before);
    }
    EXPECT_EQ(nw::get_allocator(d), usual);
    EXPECT_EQ(pool.used_bytes(), 0);
    pool.free_all_blocks();
    EXPECT_EQ(pool.total_bytes(), 0);
  });
}

TEST(OwnPool, MayGoBeforeItsArrays) {
  for_each_device([](nw::device d) {
    nw::ndarray<float> a;
    {
      const nw::memory_pool pool(d);
      const nw::using_allocator scope(pool);
      a = nw::full<float>(mib, 3.0f);
    }
    EXPECT_EQ(a.sum().item(), 3.0f * mib);
    const auto b = a * 2;
    a = {};
    EXPECT_EQ(b.sum().item(), 6.0f * mib);
  });
}

TEST(OwnPool, SetAllocatorIsForAllThreads) {
  for_each_device([](nw::device d) {
    std::optional<nw::memory_pool> pool(std::in_place, d);
    nw::set_allocator(*pool);
    nw::ndarray<float> kept;
    std::thread([&] {
      const nw::device_guard guard(d);
      kept = nw::ones<float>(mib);
      kept.compute();
    }).join();
    EXPECT_EQ(pool->used_bytes(), 4 * mib);
    EXPECT_EQ(nw::get_allocator(d), *pool);
    nw::set_allocator(nw::get_default_memory_pool(d));
    EXPECT_EQ(nw::get_allocator(d), nw::get_default_memory_pool(d));
    pool.reset();
    EXPECT_EQ(kept.sum().item(), float(mib));
  });
}

TEST(OwnPool, HasItsOwnLimitAndSaysItsName) {
  for_each_device([](nw::device d) {
    const nw::memory_pool pool(d, {.limit = {.size = 8 * mib}, .name = "scratch"});
    const nw::using_allocator scope(pool);
    const auto a = nw::ones<float>(mib);
    a.compute();
    const auto text = text_of<nw::out_of_memory>([] { nw::empty<float>(2 * mib); });
    EXPECT_NE(text.find("out of memory on scratch: requested 8388608 (8 MiB) bytes, used 4194304"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("limit of the pool 8388608 (8 MiB)"), std::string::npos) << text;
    EXPECT_EQ(a.sum().item(), float(mib));
  });
  EXPECT_THROW(nw::memory_pool(nw::cpu, {.limit = {.size = -1}}), nw::value_error);
  EXPECT_THROW(nw::memory_pool(nw::cpu, {.limit = {.fraction = 1.5}}), nw::value_error);
  EXPECT_THROW(nw::memory_pool(nw::cuda(63)), nw::device_error);
  EXPECT_EQ(text_of<nw::device_error>(
                [] { nw::memory_pool(nw::cuda(0), {.kind = nw::memory_kind::pinned}); }),
            "memory_pool: pinned memory is for arrays on the cpu, got cuda:0");
}

TEST(OwnPool, PinnedArraysHaveAllocatorsOfTheirOwn) {
  const nw::memory_pool pool(nw::cpu, {.kind = nw::memory_kind::pinned});
  const nw::using_allocator scope(pool);
  EXPECT_EQ(nw::get_pinned_allocator(), pool);
  EXPECT_EQ(nw::get_allocator(nw::cpu), nw::get_default_memory_pool(nw::cpu));
  const auto h = nw::empty_pinned<float>(mib);
  const auto ordinary = nw::zeros<float>(mib, nw::order::c, nw::cpu);
  EXPECT_EQ(pool.used_bytes(), 4 * mib);
  for_each_device([&](nw::device d) {
    h.fill(2.0f);
    const auto a = nw::to<float>(h, d, {.blocking = false});
    EXPECT_EQ(a.sum().item(), 2.0f * mib);
  });
}

// Statements, reductions, streams and exhaustion over the driver's pool and over managed memory.
TEST(OwnPool, OfAllKinds) {
  for_each_device([](nw::device d) {
    for (const auto kind : {nw::memory_kind::async, nw::memory_kind::managed}) {
      nw::memory_pool pool(d, {.kind = kind, .max_cached = 64 * mib});
      EXPECT_EQ(pool.kind(), kind);
      {
        const nw::using_allocator scope(pool);
        const nw::stream s(d);
        auto a = nw::ones<float>({128, 1024});
        for (int i = 0; i < 20; ++i) {
          const nw::stream_guard on(s);
          const auto b = (a * 2 + 1) / 3;
          a = b + 0;
        }
        EXPECT_EQ(a.sum().item(), 128.0f * 1024);
        EXPECT_GE(pool.used_bytes(), mib / 2);
        EXPECT_GE(pool.total_bytes(), pool.used_bytes());
        pool.set_limit(pool.total_bytes() + mib);
        EXPECT_THROW(nw::empty<float>(64 * mib), nw::out_of_memory);
        pool.set_limit(0);
        EXPECT_EQ(nw::memory_snapshot(pool).rfind(pool.name() + ": ", 0), 0);
      }
      EXPECT_EQ(pool.used_bytes(), 0);
      pool.free_all_blocks();
      EXPECT_EQ(pool.total_bytes(), 0);
    }
  });
}

TEST(ManagedMemory, IsPrefetchedAndAdvised) {
  for_each_device([](nw::device d) {
    const nw::memory_pool pool(d, {.kind = nw::memory_kind::managed});
    const nw::using_allocator scope(pool);
    const auto a = nw::full<float>(4 * mib, 2.0f);
    nw::advise(a, nw::memory_advice::preferred_location, d);
    nw::advise(a, nw::memory_advice::read_mostly);
    nw::prefetch(a, nw::cpu);
    nw::synchronize();
    EXPECT_EQ(a.data()[4 * mib - 1], 2.0f) << "the host can read it";
    nw::prefetch(a, d);
    nw::advise(a, nw::memory_advice::unset_read_mostly);
    EXPECT_EQ((a + a).sum().item(), 16.0f * mib);
  });
  for_each_device([](nw::device d) {
    const auto a = nw::ones<float>(10);
    if (d.is_cpu()) return nw::prefetch(a, d);
    EXPECT_EQ(text_of<nw::value_error>([&] { nw::prefetch(a, d); }),
              "prefetch: the array's memory, of cuda:0, is not managed");
    EXPECT_THROW(nw::advise(a, nw::memory_advice::read_mostly), nw::value_error);
    EXPECT_THROW(nw::prefetch(a, nw::cuda(63)), nw::device_error);
  });
}

TEST(UnownedMemory, IsReleasedOnceByTheLastArray) {
  for_each_device([](nw::device d) {
    // Memory of somebody else: here another array's.
    const auto owner = nw::arange<float>(1000).compute();
    nw::synchronize();
    int released = 0;
    {
      nw::ndarray<float> view;
      {
        const auto a = nw::wrap(owner.mutable_data(), {10, 100},
                                {.device = d, .release = [&] { ++released; }});
        EXPECT_EQ(a.device(), d);
        EXPECT_FALSE(a.flags().owndata);
        a(0) = -1;
        EXPECT_EQ((a + 1).sum().item(), owner.sum().item() + 1000);
        view = a(nw::slice(2, 4));
      }
      EXPECT_EQ(released, 0);
      EXPECT_EQ(view.sum().item(), (200 + 399) * 100.0f);
    }
    EXPECT_EQ(released, 1);
    EXPECT_EQ(owner.item(0), -1.0f);
  });
}

TEST(UnownedMemory, IsCheckedBeforeItIsTaken) {
  for_each_device([](nw::device d) {
    int released = 0;
    const auto wrapped = [&](float* p, const nw::shape& s, nw::device where) {
      return nw::wrap(p, s, {.device = where, .release = [&] { ++released; }});
    };
    const auto owner = nw::zeros<float>(8).compute();
    float* const p = owner.mutable_data();
    EXPECT_EQ(text_of<nw::value_error>([&] {
                wrapped(nullptr, {2, 3}, d);
              }),
              "wrap: the pointer 0 to float32 of shape (2, 3) is null");
    const auto odd = reinterpret_cast<float*>(reinterpret_cast<std::uintptr_t>(p) + 2);
    EXPECT_NE(
        text_of<nw::value_error>([&] { wrapped(odd, {2}, d); }).find("is not aligned to 4 bytes"),
        std::string::npos);
    EXPECT_THROW(wrapped(p, {-1}, d), nw::value_error);
    EXPECT_THROW(wrapped(p, {2}, nw::cuda(63)), nw::device_error);
    EXPECT_EQ(released, 0);
    EXPECT_EQ(wrapped(nullptr, {0, 3}, d).size(), 0);
    EXPECT_EQ(released, 1);
  });
}

TEST(MemoryHook, PrintsEvents) {
  for_each_device([](nw::device d) {
    const nw::memory_pool pool(d, {.name = "printed"});
    std::ostringstream out;
    {
      const nw::memory_hook_scope hook(pool, nw::debug_print_hook(out));
      const nw::using_allocator scope(pool);
      nw::empty<float>(1000);
    }
    {
      const nw::using_allocator scope(pool);
      nw::empty<float>(1000);
    }
    const std::string text = out.str();
    EXPECT_EQ(text.rfind("allocate ", 0), 0) << text;
    EXPECT_NE(text.find(" for 4000, "), std::string::npos) << text;
    EXPECT_NE(text.find(" new from the device (printed)\nfree "), std::string::npos) << text;
    EXPECT_EQ(text.find("allocate", 1), std::string::npos) << text;
  });
}

TEST(MemoryHook, ProfilesByPlace) {
  for_each_device([](nw::device d) {
    nw::memory_pool pool(d);
    const nw::line_profile_hook profile;
    pool.set_hook(profile);
    const nw::using_allocator scope(pool);
    {
      const nw::profiler::time_range step("step");
      nw::empty<std::uint8_t>(64 * 1024);
      const nw::profiler::time_range solve("solve");
      nw::empty<std::uint8_t>(128 * 1024);
      nw::empty<std::uint8_t>(128 * 1024);
    }
    nw::empty<std::uint8_t>(1024);
    const auto entries = profile.entries();
    ASSERT_EQ(entries.size(), 3);
    EXPECT_EQ(entries[0].place, "step > solve");
    EXPECT_EQ(entries[0].allocations, 2);
    EXPECT_EQ(entries[0].used, 256 * 1024);
    EXPECT_EQ(entries[1].place, "step");
    EXPECT_GT(entries[1].acquired, 0);
    EXPECT_EQ(entries[2].place, "(outside of ranges)");
    EXPECT_NE(profile.report().find("step > solve\n"), std::string::npos);
  });
}

TEST(Threads, SharePoolsHooksAndAllocators) {
  for_each_device([](nw::device d) {
    nw::memory_pool pool(d);
    const nw::line_profile_hook profile;
    std::atomic<std::int64_t> held{0};
    pool.set_hook([&, profile](const nw::memory_event& e) {
      profile(e);
      if (e.what == nw::memory_event::type::allocate) held += e.bytes;
      if (e.what == nw::memory_event::type::free) held -= e.bytes;
    });
    in_threads(8, [&](int t) {
      const nw::device_guard guard(d);
      const nw::using_allocator scope(pool);
      const nw::profiler::time_range range(t % 2 ? "odd" : "even");
      for (int i = 0; i < 100; ++i) {
        const auto a = nw::full<float>(100 + 10 * t, float(t));
        if ((a + i).sum().item() != float((t + i) * (100 + 10 * t))) ADD_FAILURE() << t;
        if (i % 10 == 0) nw::memory_snapshot(pool);
      }
    });
    EXPECT_EQ(held, 0);
    EXPECT_EQ(pool.used_bytes(), 0);
    const auto entries = profile.entries();
    ASSERT_EQ(entries.size(), 2);
    EXPECT_EQ(entries[0].allocations, entries[1].allocations);
    pool.set_hook({});
  });
}

// Threads that allocate while another one changes what they allocate from, and drops the pools.
TEST(Threads, AllocatorsChangeUnderThem) {
  for_each_device([](nw::device d) {
    std::atomic<bool> stop{false};
    std::thread changing([&] {
      for (int i = 0; i < 200; ++i) nw::set_allocator(nw::memory_pool(d));
      nw::set_allocator(nw::get_default_memory_pool(d));
      stop = true;
    });
    in_threads(4, [&](int t) {
      const nw::device_guard guard(d);
      do {
        const auto a = nw::full<float>(1000, float(t));
        if (a.sum().item() != 1000.0f * float(t)) ADD_FAILURE() << t;
      } while (!stop);
    });
    changing.join();
    EXPECT_EQ(nw::get_allocator(d), nw::get_default_memory_pool(d));
  });
}

TEST(Threads, TracesSeeAllOfThem) {
  for_each_device([](nw::device d) {
    const nw::profiler::trace trace;
    in_threads(4, [&](int t) {
      const nw::device_guard guard(d);
      const nw::profiler::time_range range("thread " + std::to_string(t));
      const auto a = nw::ones<float>(1000);
      for (int i = 0; i < 25; ++i) (a + i).compute();
      trace.records();
    });
    int additions = 0;
    for (const auto& r : trace.records()) additions += r.name == "add";
    EXPECT_EQ(additions, 100);
  });
}

}  // namespace
