// Graphs: what a launch does again, who owns the memory, and what cannot be captured.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <numwarp/graph.hpp>
#include <numwarp/kernel.hpp>
#include <numwarp/memory.hpp>
#include <numwarp/numwarp.hpp>
#include <numwarp/profiling.hpp>
#include <numwarp/transfer.hpp>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

namespace nw = numwarp;

namespace {

using floats = std::vector<float>;

TEST(Graph, OneOfNothingSaysSo) {
  const nw::graph g;
  EXPECT_THROW(g.launch(), nw::value_error);
  EXPECT_THROW(g.upload(), nw::value_error);
  EXPECT_THROW(g.device(), nw::value_error);
  EXPECT_THROW(g.update([] {}), nw::value_error);
}

TEST(Graph, TheCpuSaysWhatToDoInstead) {
  bool called = false;
  try {
    nw::capture([&] { called = true; }, nw::cpu);
    ADD_FAILURE() << "no exception";
  } catch (const nw::device_error& e) {
    EXPECT_STREQ(e.what(), "capture: graphs are of CUDA devices; on cpu call the function itself");
  }
  EXPECT_FALSE(called);
}

struct GraphOnGpu : testing::Test {
  void SetUp() override {
    if (!nw::is_available(nw::cuda(0))) GTEST_SKIP() << "no GPU";
    guard.emplace(nw::cuda(0));
  }
  void TearDown() override {
    if (!guard) return;
    EXPECT_EQ((nw::ones<float>(100) + 1).sum().item(), 200.0f);  // all is usable
  }
  std::optional<nw::device_guard> guard;
};

TEST_F(GraphOnGpu, LaunchesRepeatWhatWasDoneToElements) {
  const auto u = nw::zeros<float>(1000), v = nw::zeros<float>(1000);
  const auto g = nw::capture([&] {
    u += 1;
    v(nw::ellipsis) = v + 2.0f * u;
  });
  EXPECT_EQ(g.device(), nw::cuda(0));
  EXPECT_EQ(u.sum().item(), 0.0f);  // nothing ran yet
  for (int i = 0; i < 3; ++i) g.launch();
  EXPECT_EQ(u.to_vector(), floats(1000, 3.0f));
  EXPECT_EQ(v.to_vector(), floats(1000, 12.0f));
  v.fill(0);  // ordered behind the launches, and before the next one
  g.launch();
  EXPECT_EQ(v.max().item(), 8.0f);
  EXPECT_EQ(v.min().item(), 8.0f);
}

TEST_F(GraphOnGpu, ALaunchCountsAsOne) {
  const auto u = nw::zeros<float>(100);
  const auto g = nw::capture([&] {
    for (int i = 0; i < 20; ++i) u += 1;
  });
  const auto before = nw::launch_count();
  g.launch();
  EXPECT_EQ(nw::launch_count(), before + 1);
  EXPECT_EQ(u.max().item(), 20.0f);
}

TEST_F(GraphOnGpu, PendingOperationsStayOnTheirSide) {
  const auto a = nw::ones<float>(1000);
  const auto before = a * 3;  // pending: computed outside, once
  EXPECT_TRUE(before.is_pending());
  nw::ndarray<float> inside;
  const auto g = nw::capture([&] {
    EXPECT_FALSE(before.is_pending());
    a += 1;
    inside = a + before;  // still pending when f ends
  });
  EXPECT_FALSE(inside.is_pending());
  EXPECT_EQ(before.max().item(), 3.0f);
  g.launch();
  EXPECT_EQ(inside.max().item(), 5.0f);
  g.launch();
  EXPECT_EQ(inside.max().item(), 6.0f);
  EXPECT_EQ(before.max().item(), 3.0f);
  const auto reader = a * 10;  // pending: reads a before the next launch writes it
  g.launch();
  EXPECT_EQ(reader.max().item(), 30.0f);
}

// The memory of a temporary is lent inside; what lies outside never is.
TEST_F(GraphOnGpu, InputsAreThereForTheNextLaunch) {
  auto a = nw::full<float>(1000, 2.0f);
  nw::ndarray<float> b;
  const auto g = nw::capture([&] { b = nw::sqrt(std::move(a) * 2 + 0) + 1; });
  for (int i = 0; i < 3; ++i) {
    g.launch();
    EXPECT_EQ(b.max().item(), 3.0f);
  }
  const auto c = std::move(b) + 1;  // nor is the graph's lent outside
  EXPECT_EQ(c.max().item(), 4.0f);
  g.launch();
  EXPECT_EQ(c.max().item(), 4.0f);
}

TEST_F(GraphOnGpu, OwnsItsMemory) {
  auto pool = nw::get_default_memory_pool();
  const auto u = nw::ones<float>(1 << 20);
  nw::synchronize();
  const auto before = pool.used_bytes();
  {
    const auto g = nw::capture([&] {
      for (int i = 0; i < 10; ++i) {
        const auto t = (u * 2).compute(), s = nw::sum(t, {.axis = {0}, .keepdims = true});
        u(nw::ellipsis) = t / s;
      }
    });
    const auto held = pool.used_bytes() - before;
    EXPECT_GE(held, 4 << 20);
    EXPECT_LT(held, 10 * (4 << 20));  // blocks are used again inside
    pool.free_all_blocks();
    for (int i = 0; i < 4; ++i) {
      const auto other = nw::full<float>((1 << 20) + 512 * i, -7.0f);
      g.launch();
      EXPECT_EQ(other.max().item(), -7.0f);
      EXPECT_NEAR(u.sum().item(), 1.0f, 1e-3f);
    }
  }
  EXPECT_EQ(pool.used_bytes(), before);
}

TEST_F(GraphOnGpu, ArraysOutliveIt) {
  auto pool = nw::get_default_memory_pool();
  nw::synchronize();
  const auto before = pool.used_bytes();
  {
    nw::ndarray<float> made;
    {
      auto g = nw::capture([&] { made = nw::arange<float>(1000) * 2; });
      g.launch();
      g = nw::graph();
    }
    EXPECT_EQ(made.sum().item(), 999000.0f);
    EXPECT_EQ((made + 1).max().item(), 1999.0f);
  }
  nw::synchronize();
  EXPECT_EQ(pool.used_bytes(), before);
}

TEST_F(GraphOnGpu, KeepsTheArraysThatItTouches) {
  nw::graph g;
  const auto out = nw::zeros<float>(1000);
  {
    const auto only_here = nw::full<float>(1000, 5.0f);
    g = nw::capture([&] { out += only_here; });
  }
  const auto other = nw::full<float>(1000, -1.0f);
  g.launch();
  EXPECT_EQ(out.min().item(), 5.0f);
  EXPECT_EQ(out.max().item(), 5.0f);
}

TEST_F(GraphOnGpu, RunsOnAnyStream) {
  const auto u = nw::zeros<float>(1 << 20);
  const auto g = nw::capture([&] { u += 1; });
  const nw::stream s, t;
  for (int i = 0; i < 20; ++i) {
    g.launch(s);
    u *= 2;  // on the current stream, behind it
    g.launch(t);
    const nw::stream_guard on_t(t);
    g.launch();
    u(nw::ellipsis) = (u - 2) / 2;
  }
  EXPECT_EQ(u.min().item(), 20.0f);
  EXPECT_EQ(u.max().item(), 20.0f);
  g.upload();
  g.upload(s);
  nw::synchronize();
}

TEST_F(GraphOnGpu, ProductsReductionsAndIndices) {
  const auto a = nw::random::default_rng(1).random<float>({64, 64});
  const auto b = nw::random::default_rng(2).random<double>({40, 40});
  const auto places = nw::array({3, 1, 2});
  const auto ab = nw::zeros<float>({64, 64}), rows = nw::zeros<float>({3, 64});
  const auto bb = nw::zeros<double>({40, 40});
  const auto total = nw::zeros<float>(64);
  const auto g = nw::capture([&] {
    ab(nw::ellipsis) = nw::matmul(a, a);
    bb(nw::ellipsis) = nw::matmul(b, b.T());
    nw::sum(ab, {.axis = 0, .out = total});
    rows(nw::ellipsis) = ab(places);
    a(a > 2.0f) = 0;
  });
  for (int i = 0; i < 2; ++i) {
    a *= 1.5f;
    const auto want = nw::matmul(a, a);
    const auto want_b = nw::matmul(b, b.T());
    const auto want_total = nw::sum(want, {.axis = 0});
    g.launch();
    EXPECT_EQ(ab.to_vector(), want.to_vector());
    EXPECT_EQ(bb.to_vector(), want_b.to_vector());
    EXPECT_EQ(total.to_vector(), want_total.to_vector());
    EXPECT_EQ(rows.to_vector(), nw::take(want, places, {.axis = 0}).to_vector());
    EXPECT_LE(a.max().item(), 2.0f);
  }
}

struct refused {
  const char* what;
  std::function<void()> call;
};

TEST_F(GraphOnGpu, RefusesWhatCannotBeCaptured) {
  const auto a = nw::arange<float>(10);
  const auto host = nw::zeros<float>(10, nw::order::c, nw::cpu);
  const nw::stream other;
  nw::event e;
  const auto inner = nw::capture([&] { a += 0; });
  const refused list[] = {
      {"item", [&] { a.sum().item(); }},
      {"element", [&] { a.item(3); }},
      {"to_vector", [&] { a.to_vector(); }},
      {"asnumpy", [&] { nw::asnumpy(a); }},
      {"printing", [&] { std::ostringstream() << a; }},
      {"upload",
       [&] {
         nw::array({1.0f, 2.0f});
       }},
      {"to the device", [&] { host.to(nw::cuda(0)); }},
      {"mask", [&] { nw::ndarray<float>(a(a > 3)).compute(); }},
      {"nonzero", [&] { nw::nonzero(a); }},
      {"synchronize", [&] { nw::synchronize(); }},
      {"stream", [&] { nw::current_stream().synchronize(); }},
      {"done", [&] { nw::current_stream().done(); }},
      {"record", [&] { e.record(); }},
      {"wait", [&] { nw::current_stream().wait(e); }},
      {"another stream",
       [&] {
         const nw::stream_guard g(other);
         a += 1;
       }},
      {"a capture", [&] { nw::capture([] {}); }},
      {"a launch", [&] { inner.launch(); }},
      {"an update", [&] { inner.update([] {}); }},
  };
  for (const refused& r : list) {
    SCOPED_TRACE(r.what);
    EXPECT_THROW(nw::capture([&] {
                   a += 100;
                   r.call();
                 }),
                 nw::capture_error);
    // Also where f keeps it to itself.
    EXPECT_THROW(nw::capture([&] {
                   try {
                     r.call();
                   } catch (const nw::capture_error&) {
                   }
                 }),
                 nw::capture_error);
    EXPECT_EQ(a.sum().item(), 45.0f);  // nothing ran
  }
}

TEST_F(GraphOnGpu, AnExceptionEndsTheCapture) {
  const auto a = nw::ones<float>(1000);
  auto pool = nw::get_default_memory_pool();
  nw::synchronize();
  const auto before = pool.used_bytes();
  for (int i = 0; i < 3; ++i) {
    EXPECT_THROW(nw::capture([&] {
                   a += 1;
                   const auto t = (a * 2).compute();
                   throw std::runtime_error("mine");
                 }),
                 std::runtime_error);
    EXPECT_THROW(nw::capture([&] { a += nw::ones<float>(7); }), nw::value_error);
  }
  EXPECT_EQ(pool.used_bytes(), before);
  const auto g = nw::capture([&] { a += 1; });
  g.launch();
  EXPECT_EQ(a.max().item(), 2.0f);
}

// A pending operation of another thread or stream cannot go into the graph.
TEST_F(GraphOnGpu, PendingElsewhere) {
  const auto a = nw::ones<float>(1000);
  std::optional<nw::ndarray<float>> pending;
  const nw::stream s;
  std::thread([&] {
    const nw::device_guard d(nw::cuda(0));
    const nw::stream_guard g(s);
    pending.emplace(a * 2);
  }).join();
  EXPECT_TRUE(pending->is_pending());
  EXPECT_THROW(nw::capture([&] { a += *pending; }), nw::capture_error);
  pending->compute();
  const auto g = nw::capture([&] { a += *pending; });
  g.launch();
  EXPECT_EQ(a.max().item(), 3.0f);
}

TEST_F(GraphOnGpu, Update) {
  const auto a = nw::zeros<float>(1000), b = nw::zeros<float>(1000);
  const auto g = nw::capture([&] { a += 1; });
  const nw::graph same = g;
  g.launch();
  EXPECT_TRUE(g.update([&] { a += 10; }));
  g.launch();
  EXPECT_EQ(a.max().item(), 11.0f);
  EXPECT_TRUE(g.update([&] { b += 100; }));
  same.launch();
  EXPECT_EQ(a.max().item(), 11.0f);
  EXPECT_EQ(b.max().item(), 100.0f);
  EXPECT_FALSE(g.update([&] {
    a += 1;
    nw::sum(a, {.out = nw::empty<float>({})});
  }));
  g.launch();
  EXPECT_EQ(a.max().item(), 12.0f);
  EXPECT_THROW(g.update([&] { a.sum().item(); }), nw::capture_error);
  g.launch();  // as before
  EXPECT_EQ(a.max().item(), 13.0f);
}

TEST_F(GraphOnGpu, LateErrorsOfALaunch) {
  const auto base = nw::array<int>({2, 3}), exponent = nw::array<int>({1, 2});
  const auto out = nw::zeros<int>(2);
  const auto g = nw::capture([&] { nw::power(base, exponent, {.out = out}); });
  const nw::stream s;
  g.launch(s);
  EXPECT_NO_THROW(s.synchronize());
  exponent(1) = -2;
  for (int i = 0; i < 2; ++i) {
    g.launch(s);
    EXPECT_THROW(s.synchronize(), nw::value_error);
    EXPECT_NO_THROW(s.synchronize());
  }
  g.launch();
  EXPECT_THROW(out.to_vector(), nw::value_error);
  g.launch(s);
  EXPECT_THROW(nw::synchronize(), nw::value_error);
  exponent(1) = 3;
  g.launch();
  EXPECT_EQ(out.to_vector(), (std::vector<int>{2, 27}));
  EXPECT_NO_THROW(nw::synchronize());
}

TEST_F(GraphOnGpu, HostFunctionsAreCalledByEachLaunch) {
  std::atomic<int> calls{0};
  const auto a = nw::zeros<float>(1000);
  auto g = nw::capture([&] {
    a += 1;
    nw::current_stream().launch_host_function([&calls] { ++calls; });
    a += 1;
  });
  EXPECT_EQ(calls, 0);
  for (int i = 0; i < 3; ++i) g.launch();
  g = nw::graph();  // launches under way go on
  nw::synchronize();
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(a.max().item(), 6.0f);
  const auto throws = nw::capture(
      [] { nw::current_stream().launch_host_function([] { throw nw::io_error("mine"); }); });
  throws.launch();
  EXPECT_THROW(nw::synchronize(), nw::io_error);
  EXPECT_NO_THROW(nw::synchronize());
}

TEST_F(GraphOnGpu, PinnedCopiesWithoutBlocking) {
  const auto in = nw::zeros_pinned<float>(1000), out = nw::zeros_pinned<float>(1000);
  const auto a = nw::zeros<float>(1000);
  const auto g = nw::capture([&] {
    nw::asarray(in, {.out = a, .blocking = false});
    a += 1;
    nw::asnumpy(a, {.out = out, .blocking = false});
  });
  for (float x : {1.0f, 5.0f}) {
    in.fill(x);
    g.launch();
    EXPECT_EQ(out.max().item(), x + 1);
  }
}

TEST_F(GraphOnGpu, KernelsOfUsersStayLoaded) {
  const auto a = nw::zeros<float>(256);
  nw::graph g;
  {
    const nw::raw_kernel k("extern \"C\" __global__ void add(float* a) { a[threadIdx.x] += 2; }",
                           "add");
    g = nw::capture([&] { k(1, 256, a); });
  }
  g.launch();
  g.launch();
  EXPECT_EQ(a.max().item(), 4.0f);
}

TEST_F(GraphOnGpu, NumbersAreThoseOfTheCapture) {
  auto rng = nw::random::default_rng(7);
  const auto want = nw::random::default_rng(7).random<float>(1000).to_vector();
  const auto a = nw::zeros<float>(1000);
  const auto g = nw::capture([&] { a(nw::ellipsis) = rng.random<float>(1000); });
  for (int i = 0; i < 2; ++i) {
    g.launch();
    EXPECT_EQ(a.to_vector(), want);
  }
}

TEST_F(GraphOnGpu, TwoThreadsCapture) {
  std::atomic<int> right{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      const nw::device_guard d(nw::cuda(0));
      for (int i = 0; i < 10; ++i) {
        const auto a = nw::zeros<float>(1000 + k);
        const auto g = nw::capture([&] {
          for (int j = 0; j < 5; ++j) a(nw::ellipsis) = nw::sqrt(a * a) + 1;
        });
        g.launch();
        g.launch();
        right += a.min().item() == 10.0f && a.max().item() == 10.0f;
      }
    });
  }
  std::thread other([&] {  // one that only waits
    while (!stop) {
      nw::synchronize(nw::cuda(0));
      std::this_thread::sleep_for(std::chrono::microseconds(100));  // tools give it every turn else
    }
  });
  for (auto& t : threads) t.join();
  stop = true;
  other.join();
  EXPECT_EQ(right, 40);
}

}  // namespace
