// Streams, events, and arrays that several streams and threads share.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numwarp/memory.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/stream.hpp>
#include <numwarp/transfer.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "support/devices.hpp"

namespace nw = numwarp;
using numwarp_test::for_each_device;

namespace {

constexpr std::int64_t n = 1 << 20;

TEST(Stream, CurrentStream) {
  for_each_device([](nw::device d) {
    const auto before = nw::current_stream();
    EXPECT_EQ(before.device(), d);
    const nw::stream s(d);
    if (!d.is_cpu()) {
      EXPECT_NE(s, before);
      EXPECT_NE(s.handle(), nullptr);
    }
    {
      const nw::stream_guard g(s);
      EXPECT_EQ(nw::current_stream(), s);
      std::thread([&] { EXPECT_EQ(nw::current_stream(d), before); }).join();
    }
    EXPECT_EQ(nw::current_stream(), before);
  });
}

TEST(Stream, WorkOfTwoStreamsIsOrderedByItself) {
  for_each_device([](nw::device d) {
    const nw::stream s(d), t(d, {.priority = -1});
    auto a = nw::zeros<float>(n);
    for (int i = 0; i < 50; ++i) {
      {
        const nw::stream_guard g(s);
        a += 1;
      }
      {
        const nw::stream_guard g(t);
        a *= 2;  // after the addition
        const auto b = a + 0;
        a -= b / 2;  // back to half
      }
    }
    EXPECT_EQ(a.min().item(), 50.0f);
    EXPECT_EQ(a.max().item(), 50.0f);
  });
}

TEST(Stream, APendingArrayRunsOnTheStreamOfItsCall) {
  for_each_device([](nw::device d) {
    const nw::stream s(d);
    const auto a = nw::ones<float>(n);
    std::optional<nw::ndarray<float>> b;
    {
      const nw::stream_guard g(s);
      b = nw::sqrt(a * 4);
    }
    const auto c = *std::move(b) + 1;  // made for another stream: computed there
    EXPECT_EQ(c.sum().item(), 3.0f * n);
  });
}

// Memory that one stream frees and another one gets must not be overwritten early.
TEST(Stream, MemoryIsNotReusedTooEarly) {
  for_each_device([](nw::device d) {
    const nw::stream s(d), t(d);
    for (int i = 0; i < 30; ++i) {
      auto source = nw::full<float>(n, float(i));
      nw::ndarray<float> kept;
      {
        const nw::stream_guard g(s);
        kept = source + 1;
        for (int k = 0; k < 4; ++k) kept = nw::sqrt(kept * kept);
      }
      { const auto dropped = std::move(source); }  // still read on s
      {
        const nw::stream_guard g(t);
        auto other = nw::full<float>(n, -5.0f);
        other += 1;
        EXPECT_EQ(other.max().item(), -4.0f);
      }
      ASSERT_EQ(kept.min().item(), float(i + 1));
      ASSERT_EQ(kept.max().item(), float(i + 1));
    }
  });
}

TEST(Event, OrdersAndMeasures) {
  for_each_device([](nw::device d) {
    const nw::stream s(d), t(d);
    nw::event start, end, never;
    EXPECT_TRUE(never.done());
    EXPECT_THROW(never.elapsed_time(start), nw::value_error);
    auto a = nw::ones<float>(n);
    start.record(s);
    {
      const nw::stream_guard g(s);
      a += 1;
    }
    end.record(s);
    t.wait(end);
    end.synchronize();
    EXPECT_TRUE(end.done());
    EXPECT_TRUE(start.done());
    EXPECT_GE(start.elapsed_time(end), 0.0);
    EXPECT_LT(start.elapsed_time(end), 60000.0);
    s.synchronize();
    t.synchronize();
    EXPECT_TRUE(s.done());
    nw::event plain({.timing = false});
    plain.record();
    EXPECT_THROW(start.elapsed_time(plain), nw::value_error);
  });
}

// The late error of a stream is thrown by its next wait, once.
TEST(Stream, LateErrors) {
  for_each_device([](nw::device d) {
    const auto base = nw::array<int>({2, 3, 4});
    const auto exponent = nw::array<int>({1, -2, 3});
    EXPECT_THROW(
        {
          const auto p = nw::power(base, exponent);
          p.to_vector();
        },
        nw::value_error);
    nw::synchronize(d);
    EXPECT_EQ((base + 1).sum().item(), 12);
  });
}

TEST(Stream, GuardsNest) {
  for_each_device([](nw::device d) {
    const auto before = nw::current_stream();
    const nw::stream s(d), t(d);
    {
      const nw::stream_guard outer(s);
      {
        const nw::stream_guard inner(t);
        EXPECT_EQ(nw::current_stream(), t);
        const nw::stream_guard again(s);
        EXPECT_EQ(nw::current_stream(), s);
      }
      EXPECT_EQ(nw::current_stream(), s);
    }
    EXPECT_EQ(nw::current_stream(), before);
  });
}

TEST(Stream, Priorities) {
  for_each_device([](nw::device d) {
    const auto p = nw::get_device_properties(d);
    EXPECT_LE(p.greatest_priority, p.least_priority);
    EXPECT_EQ(nw::stream(d).priority(), 0);
    EXPECT_EQ(nw::stream(d, {.priority = -1000}).priority(), p.greatest_priority);
    EXPECT_EQ(nw::stream(d, {.priority = 1000}).priority(), p.least_priority);
  });
}

TEST(Stream, PerThread) {
  for_each_device([](nw::device d) {
    const auto mine = nw::stream::per_thread();
    EXPECT_EQ(nw::stream::per_thread(), mine);
    std::thread([&] {
      const nw::device_guard device(d);
      const auto its = nw::stream::per_thread();
      EXPECT_EQ(its == mine, d.is_cpu());
      const nw::stream_guard g(its);
      EXPECT_EQ((nw::ones<float>(n) + 1).max().item(), 2.0f);
    }).join();
    if (d.is_cpu()) return;
    EXPECT_NE(mine, nw::current_stream());
    mine.close();
    EXPECT_NE(nw::stream::per_thread(), mine);
  });
}

TEST(Stream, HostFunctionsRunInOrder) {
  for_each_device([](nw::device d) {
    const nw::stream s(d);
    const auto host = nw::zeros_pinned<float>(n);
    const float* const address = host.data();
    float seen = -1;
    {
      const nw::stream_guard g(s);
      const auto a = nw::full<float>(n, 3.0f);
      nw::asnumpy(a * 2, {.out = host, .blocking = false});
      s.launch_host_function([&seen, p = address] { seen = *p; });
    }
    s.synchronize();
    EXPECT_EQ(seen, 6.0f);
    EXPECT_THROW(s.launch_host_function({}), nw::value_error);
  });
}

// It never crosses the driver: the CPU throws at once, a GPU at the next wait.
TEST(Stream, WhatAHostFunctionThrows) {
  for_each_device([](nw::device d) {
    const nw::stream s(d);
    const auto fails = [] { throw nw::io_error("mine"); };
    EXPECT_THROW(
        {
          s.launch_host_function(fails);
          s.synchronize();
        },
        nw::io_error);
    EXPECT_NO_THROW(s.synchronize());
    std::atomic<int> calls{0};
    for (int i = 0; i < 100; ++i) s.launch_host_function([&calls] { ++calls; });
    s.synchronize();
    EXPECT_EQ(calls, 100);
  });
}

TEST(Stream, AClosedOneTakesNoWork) {
  for_each_device([](nw::device d) {
    const nw::stream s(d);
    const auto copy = s;
    nw::ndarray<float> a;
    {
      const nw::stream_guard g(s);
      a = (nw::zeros<float>(n) + 5).compute();
      s.close();
      if (!d.is_cpu()) {
        EXPECT_THROW((a + 1).compute(), nw::value_error);
        EXPECT_THROW(a += 1, nw::value_error);
      }
    }
    EXPECT_EQ((a + 1).max().item(), 6.0f);  // what was there before is done and ordered
    if (d.is_cpu()) return;
    const auto closed = [](const std::function<void()>& f) {
      try {
        f();
      } catch (const nw::value_error& e) {
        return std::string(e.what()).find(": the stream is closed") != std::string::npos;
      }
      return false;
    };
    nw::event e;
    EXPECT_TRUE(closed([&] { const nw::stream_guard g(copy); }));
    EXPECT_TRUE(closed([&] { copy.synchronize(); }));
    EXPECT_TRUE(closed([&] { copy.done(); }));
    EXPECT_TRUE(closed([&] { copy.wait(e); }));
    EXPECT_TRUE(closed([&] { e.record(copy); }));
    EXPECT_TRUE(closed([&] { copy.handle(); }));
    EXPECT_TRUE(closed([&] { copy.launch_host_function([] {}); }));
    EXPECT_TRUE(closed([&] { copy.close(); }));
    EXPECT_TRUE(closed([&] { nw::asnumpy(a, {.stream = copy}); }));
    nw::stream from(d);
    const nw::stream to = std::move(from);
    EXPECT_TRUE(closed([&] { from.synchronize(); }));
    EXPECT_THROW(nw::current_stream().close(), nw::value_error);
  });
}

TEST(Threads, EachWithAStreamOfItsOwn) {
  for_each_device([](nw::device d) {
    const auto shared = nw::arange<float>(n);
    const float expected = (shared * 2).sum().item();
    std::atomic<int> good{0};
    std::vector<std::thread> threads;
    for (int k = 0; k < 8; ++k) {
      threads.emplace_back([&, k] {
        const nw::device_guard device(d);
        std::optional<nw::stream_guard> guard;
        if (k % 2 == 0) guard.emplace(nw::stream(d));
        int right = 0;
        for (int i = 0; i < 20; ++i) {
          auto x = shared + shared;
          x = x + float(k);
          x = x - float(k);
          right += std::abs(x.sum().item() - expected) <= 1e-3f * expected;
        }
        good += right == 20;
      });
    }
    for (auto& t : threads) t.join();
    EXPECT_EQ(good, 8);
  });
}

TEST(Threads, ReadDropAndOverwriteOnePendingArray) {
  for_each_device([](nw::device d) {
    std::vector<nw::stream> streams;
    for (int k = 0; k < 4; ++k) streams.emplace_back(d);
    for (int round = 0; round < 10; ++round) {
      const auto a = nw::full<float>(4096, 2.0f);
      const auto pending = nw::sqrt(a * a + 0) * 3;
      std::vector<std::thread> threads;
      std::atomic<int> wrong{0};
      for (int k = 0; k < 8; ++k) {
        threads.emplace_back([&, k, mine = pending]() mutable {
          const nw::device_guard device(d);
          const nw::stream_guard guard(streams[std::size_t(k % 4)]);
          auto x = mine + float(k);
          { const auto dropped = std::move(mine); }
          wrong += x.max().item() != 6.0f + float(k);
          x = x * 0;
          wrong += x.min().item() != 0.0f;
        });
      }
      for (auto& t : threads) t.join();
      ASSERT_EQ(wrong, 0);
    }
  });
}

// Everything at once: shared arrays that all read, arrays that go from thread to thread and are
// written in place by their holder, events, host functions, and memory given back meanwhile.
TEST(Threads, StreamsAndSharedArrays) {
  for_each_device([](nw::device d) {
    constexpr int threads = 8, rounds = 12;
    const auto shared = nw::arange<float>(4096);
    const float sum = shared.sum().item();
    std::vector<nw::stream> streams;
    for (int k = 0; k < threads / 2; ++k) streams.emplace_back(d, nw::stream_options{-k});
    std::mutex mutex;
    std::vector<nw::ndarray<float>> passed;  // each counts how often it has been taken
    for (int k = 0; k < threads; ++k) passed.push_back(nw::zeros<float>(4096));
    std::atomic<int> wrong{0}, called{0};
    const auto work = [&](int k) {
      const nw::device_guard device(d);
      const nw::stream s = k % 2 ? nw::stream::per_thread() : streams[std::size_t(k / 2)];
      const nw::stream_guard guard(s);
      nw::event e;
      for (int i = 0; i < rounds; ++i) {
        nw::ndarray<float> mine;
        {
          std::lock_guard lock(mutex);
          mine = std::move(passed.front());
          passed.erase(passed.begin());
        }
        auto x = shared * 2 + mine;  // may stay pending on this stream
        mine += 1;
        e.record(s);
        streams[std::size_t(i) % streams.size()].wait(e);
        s.launch_host_function([&called] { ++called; });
        {
          std::lock_guard lock(mutex);
          passed.push_back(std::move(mine));
        }
        x = x - shared * 2;
        wrong += x.min().item() != x.max().item();
        wrong += shared.sum().item() != sum;
        if (i % 5 == k % 5) nw::get_default_memory_pool(d).free_all_blocks();
      }
      s.synchronize();
    };
    std::vector<std::thread> list;
    for (int k = 0; k < threads; ++k) list.emplace_back(work, k);
    for (auto& t : list) t.join();
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(called, threads * rounds);
    float taken = 0;
    for (const auto& a : passed) taken += a.max().item();
    EXPECT_EQ(taken, float(threads * rounds));
  });
}

TEST(Threads, PoolsAreShared) {
  for_each_device([](nw::device d) {
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k) {
      threads.emplace_back([d, k] {
        const nw::device_guard device(d);
        const nw::stream_guard guard{nw::stream(d)};
        for (int i = 0; i < 30; ++i) {
          auto a = nw::full<float>(1000 + 5000 * ((i * 7 + k) % 40), float(k));
          auto b = a + 1;
          EXPECT_EQ(b.max().item(), float(k + 1));
          if (i % 10 == 9) nw::get_default_memory_pool(d).free_all_blocks();
        }
      });
    }
    for (auto& t : threads) t.join();
  });
}

}  // namespace
