// Pools, pinned arrays and transfers as users see them, on every device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <numwarp/memory.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/transfer.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/devices.hpp"

// The checkers' allocators refuse an absurd size by ending the program unless they are asked not
// to.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }

namespace nw = numwarp;
using numwarp_test::for_each_device;

namespace {

constexpr std::int64_t mib = 1 << 20;

TEST(MemoryPool, CountsWhatArraysHold) {
  for_each_device([](nw::device d) {
    auto pool = nw::get_default_memory_pool(d);
    const std::int64_t before = pool.used_bytes();
    {
      const auto a = nw::empty<float>({512, 1024});
      EXPECT_EQ(pool.used_bytes() - before, 2 * mib);
      const auto view = a(nw::slice(0, 10));
      EXPECT_EQ(pool.used_bytes() - before, 2 * mib);
    }
    EXPECT_EQ(pool.used_bytes(), before);
    EXPECT_GE(pool.total_bytes(), pool.used_bytes());
    EXPECT_EQ(pool.free_bytes(), pool.total_bytes() - pool.used_bytes());
    EXPECT_GE(pool.peak_bytes(), before + 2 * mib);
  });
}

TEST(MemoryPool, FreeAllBlocksGivesEverythingBack) {
  for_each_device([](nw::device d) {
    auto pool = nw::get_default_memory_pool(d);
    { const auto a = nw::ones<float>(5 * mib); }
    pool.free_all_blocks();
    if (pool.used_bytes() == 0) {
      EXPECT_EQ(pool.total_bytes(), 0);
    }
    EXPECT_EQ(nw::ones<float>(1000).sum().item(), 1000.0f);
  });
}

TEST(MemoryPool, ALimitIsKeptAndExplained) {
  for_each_device([](nw::device d) {
    auto pool = nw::get_default_memory_pool(d);
    pool.free_all_blocks();
    pool.set_limit(pool.total_bytes() + 64 * mib);
    const auto small = nw::ones<float>(8 * mib);
    try {
      nw::ones<float>(100 * mib);
      ADD_FAILURE() << "no exception";
    } catch (const nw::out_of_memory& e) {
      const std::string text = e.what();
      EXPECT_NE(
          text.find("out of memory on " + nw::to_string(d) + ": requested 419430400 (400 MiB)"),
          std::string::npos)
          << text;
      EXPECT_NE(text.find("limit of the pool"), std::string::npos) << text;
    }
    pool.set_limit({});
    EXPECT_EQ(pool.get_limit(), 0);
    EXPECT_EQ(small.sum().item(), float(8 * mib));
  });
}

TEST(MemoryPool, AnArrayLargerThanTheDeviceIsRefused) {
  for_each_device(
      [] { EXPECT_THROW(nw::empty<double>(std::int64_t(1) << 50), nw::out_of_memory); });
}

TEST(MemoryPool, AFailedStatementCanBeRetried) {
  for_each_device([](nw::device d) {
    auto pool = nw::get_default_memory_pool(d);
    const auto a = nw::ones<float>(8 * mib);
    a.compute();
    pool.free_all_blocks();
    const std::int64_t reserved = pool.total_bytes();
    const auto b = a + 1;
    pool.set_limit(reserved);
    bool failed = false;
    try {
      b.compute();
    } catch (const nw::out_of_memory&) {
      failed = true;
    }
    pool.set_limit(0);
    EXPECT_TRUE(failed);
    EXPECT_TRUE(b.is_pending());
    EXPECT_EQ(b.sum().item(), 2.0f * 8 * mib);
  });
}

TEST(MemoryPool, ExhaustionLaunchesWhatGivesMemoryBack) {
  for_each_device([](nw::device d) {
    auto pool = nw::get_default_memory_pool(d);
    pool.free_all_blocks();
    auto x = nw::ones<float>(8 * mib), y = nw::ones<float>(8 * mib);
    x.compute();
    y.compute();
    const auto kept = nw::ones<float>(8 * mib);
    kept.compute();
    const std::int64_t limit = pool.total_bytes();  // statistics launch what is pending
    const auto wait = kept + 1;                     // reads what somebody else holds: stays pending
    const auto sum =
        std::move(x) + std::move(y);  // the last owner of two buffers, one of them lent
    pool.set_limit(limit);
    const auto more = nw::empty<float>(8 * mib);  // takes the other one
    EXPECT_FALSE(sum.is_pending());
    EXPECT_TRUE(wait.is_pending());
    EXPECT_THROW(nw::empty<float>(8 * mib), nw::out_of_memory);
    pool.set_limit(0);
    EXPECT_EQ(sum.sum().item(), 2.0f * 8 * mib);
    EXPECT_EQ(wait.sum().item(), 2.0f * 8 * mib);
  });
}

TEST(MemoryPool, HooksSeeEveryBuffer) {
  for_each_device([](nw::device d) {
    auto pool = nw::get_default_memory_pool(d);
    std::int64_t held = 0;
    pool.set_hook([&](const nw::memory_event& e) {
      if (e.what == nw::memory_event::type::allocate) held += e.bytes;
      if (e.what == nw::memory_event::type::free) held -= e.bytes;
    });
    {
      const auto a = nw::empty<double>(1024);
      EXPECT_EQ(held, 8192);
    }
    EXPECT_EQ(held, 0);
    EXPECT_TRUE(pool.set_hook({}));
    EXPECT_FALSE(pool.set_hook({}));
  });
}

TEST(Pinned, IsAnOrdinaryArrayOfTheCpu) {
  auto h = nw::empty_pinned<float>({300, 100});
  EXPECT_TRUE(h.device().is_cpu());
  h(nw::ellipsis) = 2;
  EXPECT_EQ((h * h).sum().item(), 4.0f * 30000);
  EXPECT_EQ(nw::zeros_pinned<int>(7).sum().item(), 0);
  EXPECT_EQ(nw::empty_pinned<double>({0, 3}).size(), 0);
  EXPECT_GE(nw::get_default_pinned_memory_pool().used_bytes(), 120000);
}

// Sizes on both sides of every way of copying, element values that show a displaced chunk.
TEST(Transfer, RoundTripsOfAllSizes) {
  for_each_device([](nw::device d) {
    for (std::int64_t n :
         {std::int64_t(0), std::int64_t(1), std::int64_t(33), 256 * std::int64_t(1024), 2 * mib - 1,
          2 * mib, 2 * mib + 1, 5 * mib + 3, 17 * mib + 5}) {
      std::vector<std::int32_t> v(static_cast<std::size_t>(n));
      std::iota(v.begin(), v.end(), 7);
      const auto a = nw::array(v, nw::shape(n), d);
      EXPECT_EQ(a.device(), d);
      EXPECT_TRUE(a.to_vector() == v) << n;
      const auto back = nw::asnumpy(a);
      EXPECT_TRUE(back.device().is_cpu());
      EXPECT_TRUE(std::equal(v.begin(), v.end(), back.data())) << n;
    }
  });
}

TEST(Transfer, ManyRoundTripsReuseTheStaging) {
  for_each_device([] {
    std::vector<float> v(std::size_t(3 * mib));
    for (int i = 0; i < 8; ++i) {
      std::fill(v.begin(), v.end(), float(i));
      auto a = nw::array(v);
      v.back() = -1;  // the copy has been taken
      const auto b = a * 2;
      EXPECT_EQ(b.item(3 * mib - 1), 2.0f * float(i));
      EXPECT_EQ(b.max().item(), 2.0f * float(i));
    }
  });
}

TEST(Transfer, FromAndToPinnedMemoryWithoutBlocking) {
  for_each_device([](nw::device d) {
    auto h = nw::empty_pinned<float>(4 * mib);
    for (int i = 0; i < 5; ++i) {
      h(nw::ellipsis) = i;
      auto a = nw::to<float>(h, d, {.blocking = false});
      if (!d.is_cpu()) {
        h(nw::ellipsis) = -1;  // waits for the copy by itself
        EXPECT_EQ(a.sum().item(), float(i) * 4 * mib);
      }
      auto back = nw::asnumpy(a + 1, {.blocking = false});
      if (!d.is_cpu()) {
        EXPECT_EQ(back.min().item(), float(i + 1));
      }
    }
  });
}

TEST(Transfer, Out) {
  for_each_device([](nw::device d) {
    const auto a = nw::arange<float>(12).reshape({3, 4});
    auto h = nw::zeros<float>({3, 4}, nw::order::c, nw::cpu);
    nw::asnumpy(a, {.out = h});
    EXPECT_EQ(h.to_vector(), a.to_vector());
    auto f = nw::zeros<float>({3, 4}, nw::order::f, nw::cpu);
    nw::asnumpy(a, {.out = f});
    EXPECT_EQ(f.to_vector(), a.to_vector());
    auto g = nw::zeros<float>({3, 4}, nw::order::c, d);
    nw::asarray(h, {.out = g});
    EXPECT_EQ(g.sum().item(), 66.0f);
    auto wrong = nw::zeros<float>({4, 3}, nw::order::c, nw::cpu);
    EXPECT_THROW(nw::asnumpy(a, {.out = wrong}), nw::value_error);
    if (!d.is_cpu()) {
      EXPECT_THROW(nw::asnumpy(a, {.out = g}), nw::device_error);
    }
  });
}

TEST(Transfer, StridedAndPendingArrays) {
  for_each_device([] {
    const auto a = nw::arange<int>(24).reshape({4, 6});
    const auto part = a(nw::slice(nw::none, nw::none, 2), nw::slice(5, nw::none, -2));
    EXPECT_EQ(nw::asnumpy(part).to_vector(), (std::vector<int>{5, 3, 1, 17, 15, 13}));
    EXPECT_EQ(nw::asnumpy(a.T() + 1).item(5, 3), 24);
    EXPECT_EQ(a.T().to_vector()[1], 6);
  });
}

TEST(Transfer, OnAStream) {
  for_each_device([](nw::device d) {
    const nw::stream s(d);
    const auto a = nw::full<float>(3 * mib, 3.0f);
    auto h = nw::empty_pinned<float>(3 * mib);
    nw::asnumpy(a, {.out = h, .stream = s, .blocking = false});
    s.synchronize();
    EXPECT_EQ(h.item(3 * mib - 1), 3.0f);
    EXPECT_EQ(h.sum().item(), 9.0f * mib);
  });
}

}  // namespace
