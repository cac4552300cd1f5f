// The management of blocks, over an upstream that has no memory.
#include <gtest/gtest.h>

#include <chrono>
#include <numwarp/error.hpp>
#include <random>
#include <thread>

#include "runtime/fake_memory.hpp"
#include "support/errors.hpp"

using namespace numwarp::runtime;
using numwarp_test::fake_queue;
using numwarp_test::fake_upstream;

namespace {

constexpr std::int64_t kib = 1 << 10, mib = 1 << 20, gib = 1 << 30;

struct PoolTest : testing::Test {
  fake_upstream::state memory;
  pool_options options;
  std::vector<std::unique_ptr<fake_queue>> queues;  // outlive the pool, as all queues do
  std::unique_ptr<pool> made;

  fake_queue& new_queue(const char* name) {
    queues.push_back(std::make_unique<fake_queue>(name));
    return *queues.back();
  }

  pool& p() {
    if (!made) {
      options.name = "test:0";
      made = std::make_unique<pool>(std::make_unique<fake_upstream>(memory), options);
    }
    return *made;
  }
  void TearDown() override {
    if (!made) return;
    EXPECT_EQ(made->used_bytes(), 0);
    made->free_all_blocks();
    EXPECT_EQ(made->total_bytes(), 0);
    EXPECT_EQ(made->n_free_blocks(), 0);
    EXPECT_TRUE(memory.live.empty());
  }
};

TEST_F(PoolTest, ReusesTheSameBlock) {
  block* a = p().allocate(1000, nullptr);
  char* at = a->data;
  EXPECT_EQ(a->bytes, 1024);
  p().release(a);
  block* b = p().allocate(600, nullptr);
  EXPECT_EQ(b->data, at);
  EXPECT_EQ(memory.calls, 1);
  p().release(b);
}

TEST_F(PoolTest, CountsBytes) {
  block* a = p().allocate(3 * mib, nullptr);
  EXPECT_EQ(p().used_bytes(), 3 * mib);
  EXPECT_EQ(p().total_bytes(), 20 * mib);
  EXPECT_EQ(p().free_bytes(), 17 * mib);
  EXPECT_EQ(p().n_free_blocks(), 1);
  p().release(a);
  EXPECT_EQ(p().used_bytes(), 0);
  EXPECT_EQ(p().peak_bytes(), 3 * mib);
  EXPECT_EQ(p().n_free_blocks(), 1);  // joined again
  p().reset_peak();
  EXPECT_EQ(p().peak_bytes(), 0);
}

TEST_F(PoolTest, SmallAndLargeRequestsDoNotShareSegments) {
  block* a = p().allocate(512, nullptr);
  block* b = p().allocate(5 * mib, nullptr);
  block* c = p().allocate(100 * mib + 1, nullptr);
  EXPECT_EQ(p().total_bytes(), 2 * mib + 20 * mib + 102 * mib);
  for (block* x : {a, b, c}) p().release(x);
}

TEST_F(PoolTest, TakesTheBestFit) {
  std::vector<block*> held;
  block* large = p().allocate(9 * mib, nullptr);
  held.push_back(p().allocate(mib + 512, nullptr));
  block* fit = p().allocate(4 * mib, nullptr);
  held.push_back(p().allocate(mib + 512, nullptr));
  char* at = fit->data;
  p().release(large);
  p().release(fit);
  EXPECT_EQ(p().n_free_blocks(),
            3);  // and the blocks taken back last are where any request finds them
  block* again = p().allocate(4 * mib - 100 * kib, nullptr);
  EXPECT_EQ(again->data, at);
  p().release(again);
  for (block* x : held) p().release(x);
}

TEST_F(PoolTest, JoinsNeighboursInEveryOrder) {
  for (int first = 0; first < 3; ++first) {
    block* b[3];
    for (block*& x : b) x = p().allocate(100 * kib, nullptr);
    for (int k = 0; k < 3; ++k) p().release(b[(first + k) % 3]);
    EXPECT_EQ(p().n_free_blocks(), 1) << first;
    EXPECT_EQ(p().free_bytes(), 2 * mib);
  }
}

TEST_F(PoolTest, DoesNotSplitOversizeSegments) {
  block* a = p().allocate(4 * gib, nullptr);
  char* at = a->data;
  p().release(a);
  block* one = p().allocate(gib, nullptr);
  EXPECT_NE(one->data, at);
  block* four = p().allocate(4 * gib - 200 * mib, nullptr);
  EXPECT_EQ(four->data, at);
  p().release(one);
  p().release(four);
}

TEST_F(PoolTest, SplitsOversizeSegmentsBeforeItFails) {
  memory.capacity = 5 * gib;
  block* keep = p().allocate(2 * gib, nullptr);
  block* a = p().allocate(3 * gib, nullptr);
  p().release(keep);
  // 2 GiB are cached in one block: a request of 1 GiB gives them back and gets its own.
  block* one = p().allocate(gib, nullptr);
  block* two = p().allocate(gib, nullptr);
  EXPECT_EQ(p().total_bytes(), 5 * gib);
  for (block* x : {one, two, a}) p().release(x);
  block* five = p().allocate(5 * gib, nullptr);
  p().release(five);
}

TEST_F(PoolTest, GivesBackCachedBlocksOnExhaustion) {
  memory.capacity = 100 * mib;
  block* a = p().allocate(60 * mib, nullptr);
  p().release(a);
  block* b = p().allocate(90 * mib, nullptr);
  EXPECT_EQ(memory.released, 1);
  p().release(b);
}

TEST_F(PoolTest, TakesASmallerSegmentWhenTheUsualOneHasNoRoom) {
  memory.capacity = 4 * mib;
  block* a = p().allocate(3 * mib, nullptr);
  EXPECT_EQ(p().total_bytes(), 3 * mib);
  p().release(a);
}

TEST_F(PoolTest, ExplainsExhaustion) {
  memory.capacity = 64 * mib;
  block* a = p().allocate(40 * mib, nullptr);
  block* b = p().allocate(3 * mib, nullptr);
  p().release(b);
  try {
    p().allocate(50 * mib, nullptr);
    FAIL();
  } catch (const numwarp::out_of_memory& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("out of memory on test:0: requested 52428800 (50 MiB) bytes"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("used 41943040 (40 MiB)"), std::string::npos) << text;
    EXPECT_NE(text.find("largest free block"), std::string::npos) << text;
    EXPECT_NE(text.find("reserved by the pool 41943040 (40 MiB)"), std::string::npos) << text;
    EXPECT_NE(text.find("free on the device 25165824 (24 MiB)"), std::string::npos) << text;
  }
  EXPECT_THROW(p().allocate(INT64_MAX, nullptr), numwarp::out_of_memory);
  p().release(a);
}

TEST_F(PoolTest, Limit) {
  p().set_limit(30 * mib);
  EXPECT_EQ(p().get_limit(), 30 * mib);
  block* a = p().allocate(20 * mib, nullptr);
  EXPECT_THROW(p().allocate(11 * mib, nullptr), numwarp::out_of_memory);
  p().release(a);
  a = p().allocate(28 * mib, nullptr);  // the 20 MiB are given back for it
  p().release(a);
  p().set_limit(0);
  a = p().allocate(100 * mib, nullptr);
  p().release(a);
  memory.capacity = 200 * mib;
  p().set_limit_fraction(0.25);
  EXPECT_EQ(p().get_limit(), 50 * mib);
  EXPECT_THROW(p().set_limit(-1), numwarp::value_error);
  EXPECT_THROW(p().set_limit_fraction(1.5), numwarp::value_error);
}

TEST_F(PoolTest, BoundsCachedBytes) {
  options.max_cached = 64 * mib;
  std::vector<block*> list;
  for (int i = 0; i < 4; ++i) list.push_back(p().allocate((30 + 2 * i) * mib, nullptr));
  for (block* b : list) p().release(b);
  EXPECT_LE(p().free_bytes(), 64 * mib);
  EXPECT_GT(p().free_bytes(), 0);
}

TEST_F(PoolTest, ExactModeAllocatesWhatIsAsked) {
  options.exact = true;
  block* a = p().allocate(13, nullptr);
  EXPECT_EQ(memory.live.begin()->second, 13);
  EXPECT_EQ(p().used_bytes(), 13);
  p().release(a);
  EXPECT_EQ(memory.released, 1);
  EXPECT_EQ(p().total_bytes(), 0);
}

TEST_F(PoolTest, Hooks) {
  using type = numwarp::memory_event::type;
  std::vector<numwarp::memory_event> events;
  p().set_hook([&](const numwarp::memory_event& e) { events.push_back(e); });
  block* a = p().allocate(700, nullptr);
  char* const at = a->data;
  p().release(a);
  p().release(p().allocate(700, nullptr));
  p().free_all_blocks();
  p().set_hook({});
  p().release(p().allocate(1, nullptr));
  ASSERT_EQ(events.size(), 5);
  EXPECT_EQ(events[0].what, type::allocate);
  EXPECT_EQ(events[0].pool, "test:0");
  EXPECT_EQ(events[0].address, at);
  EXPECT_EQ(events[0].bytes, 1024);
  EXPECT_EQ(events[0].requested, 700);
  EXPECT_EQ(events[0].acquired, 2 * mib);
  EXPECT_EQ(events[1].what, type::free);
  EXPECT_EQ(events[1].address, at);
  EXPECT_EQ(events[2].acquired, 0) << "reused";
  EXPECT_EQ(events[4].what, type::give_back);
  EXPECT_EQ(events[4].bytes, 2 * mib);
}

// An upstream like cudaMallocAsync: no host waits, all uses are ordered before the free.
TEST_F(PoolTest, OrderedUpstream) {
  memory.ordered = true;
  fake_queue &s = new_queue("s"), &t = new_queue("t");
  block* a = p().allocate(700, &s);
  EXPECT_EQ(memory.last, &s);
  EXPECT_EQ(memory.live.begin()->second, 700) << "not rounded, not split";
  EXPECT_GT(s.now(), 0) << "what follows the queue follows the allocation";
  t.follow(s, s.now());
  EXPECT_EQ(t.log, std::vector<std::string>{"s"});
  t.work();
  usage used;
  used.start({&s, s.now()});
  used.read({&t, t.now()});
  p().release(a, used);
  EXPECT_EQ(memory.last, &s);
  EXPECT_EQ(s.log, std::vector<std::string>{"t"});
  EXPECT_EQ(s.host_waits + t.host_waits, 0);
  EXPECT_EQ(p().total_bytes(), 0);
}

TEST_F(PoolTest, SnapshotShowsSegmentsAndBlocks) {
  fake_queue& s = new_queue("s");
  block* a = p().allocate(1000, nullptr);
  block* b = p().allocate(5 * mib, &s);
  const std::string text = p().snapshot();
  EXPECT_EQ(text.rfind("test:0: 2 segments, 23068672 (22 MiB) bytes, used 5243904 (5 MiB)", 0), 0)
      << text;
  EXPECT_NE(text.find(": 2097152 bytes, small\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" used 1024, host\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" free 2096128, host\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" used 5242880, stream 0\n"), std::string::npos) << text;
  p().release(a);
  p().release(b);
  EXPECT_EQ(p().snapshot().find(" used 1"), std::string::npos);
}

TEST_F(PoolTest, LivesUntilTheLastBlockIsBack) {
  auto own = pool::make(std::make_unique<fake_upstream>(memory), {.name = "own"});
  block* a = own->allocate(1000, nullptr);
  block* b = own->allocate(3 * mib, nullptr);
  own->release(a);
  own.reset();
  EXPECT_FALSE(memory.live.empty());
  b->owner->release(b);
  EXPECT_TRUE(memory.live.empty());
  own = pool::make(std::make_unique<fake_upstream>(memory), {.name = "own"});
  own->release(own->allocate(1, nullptr));
  own.reset();
  EXPECT_TRUE(memory.live.empty());
}

// Streams.

TEST_F(PoolTest, OneQueueReusesAtOnceWithoutWaiting) {
  fake_queue& s = new_queue("s");
  block* a = p().allocate(1024, &s);
  s.work();
  char* at = a->data;
  p().release(a);
  block* b = p().allocate(1024, &s);
  EXPECT_EQ(b->data, at);
  EXPECT_TRUE(s.log.empty());
  p().release(b);
}

TEST_F(PoolTest, AnotherQueueDoesNotTakeWhatIsStillInUse) {
  fake_queue &s = new_queue("s"), &t = new_queue("t");
  block* a = p().allocate(30 * mib, &s);
  s.work();
  char* at = a->data;
  p().release(a);
  block* b = p().allocate(30 * mib, &t);
  EXPECT_NE(b->data, at);
  s.finished = true;
  block* c = p().allocate(30 * mib, &t);
  EXPECT_EQ(c->data, at);
  EXPECT_TRUE(t.log.empty());
  EXPECT_EQ(s.host_waits, 0);
  p().release(b);
  p().release(c);
}

TEST_F(PoolTest, AnotherQueueWaitsByAnEventWhenMemoryIsShort) {
  memory.capacity = 40 * mib;
  fake_queue &s = new_queue("s"), &t = new_queue("t");
  block* a = p().allocate(30 * mib, &s);
  s.work();
  p().release(a);
  block* b = p().allocate(30 * mib, &t);
  EXPECT_EQ(t.log, std::vector<std::string>{"s"});
  EXPECT_EQ(s.host_waits, 0);
  p().release(b);
}

TEST_F(PoolTest, ReadersOnOtherQueuesAreWaitedFor) {
  memory.capacity = 40 * mib;
  fake_queue &s = new_queue("s"), &t = new_queue("t");
  block* a = p().allocate(30 * mib, &s);
  usage used;
  used.wrote({&s, s.advance()});
  used.before_read(&t);
  used.read({&t, t.advance()});
  EXPECT_EQ(t.log, std::vector<std::string>{"s"});
  p().release(a, used);
  block* b = p().allocate(30 * mib, &s);
  EXPECT_EQ(s.log, std::vector<std::string>{"t"});
  p().release(b);
}

TEST_F(PoolTest, GivingBackWaitsOnTheHost) {
  fake_queue &s = new_queue("s"), &t = new_queue("t");
  block* a = p().allocate(30 * mib, &s);
  usage used;
  used.wrote({&s, s.advance()});
  used.read({&t, t.advance()});
  p().release(a, used);
  p().free_all_blocks();
  EXPECT_EQ(s.host_waits, 1);
  EXPECT_EQ(t.host_waits, 1);
}

TEST_F(PoolTest, WaitsAreRefusedWhereTheyAreForbidden) {
  options.where = numwarp::cuda(0);
  memory.capacity = 64 * mib;
  block* a = p().allocate(40 * mib, nullptr);
  p().release(a);
  exchange_waiting_forbidden(true);
  EXPECT_THROW(p().allocate(50 * mib, nullptr), numwarp::synchronization_error);
  EXPECT_THROW(p().free_all_blocks(), numwarp::synchronization_error);
  {
    const waiting_allowed here;
    p().release(p().allocate(50 * mib, nullptr));
  }
  EXPECT_EQ(numwarp::testing::text_of<numwarp::synchronization_error>(
                [] { check_wait(numwarp::cuda(0), "item"); }),
            "item: waits for cuda:0, which allow_synchronize(false) forbids here");
  check_wait(numwarp::cpu, "item");
  exchange_waiting_forbidden(false);
}

TEST_F(PoolTest, HostMemoryWithWorkInFlight) {
  memory.capacity = 40 * mib;
  fake_queue& s = new_queue("s");
  block* a = p().allocate(30 * mib, nullptr);
  usage used;
  used.read({&s, s.advance()});
  p().release(a, used);
  block* b = p().allocate(30 * mib, nullptr);
  EXPECT_EQ(s.host_waits, 1);
  p().release(b);
}

TEST_F(PoolTest, FreeBlocksOfTwoQueuesJoinWhenMemoryIsShort) {
  memory.capacity = 20 * mib;
  fake_queue &s = new_queue("s"), &t = new_queue("t"), &u = new_queue("u");
  block* a = p().allocate(8 * mib, &s);
  p().release(p().allocate(512, &u));
  s.work();
  t.work();
  block* b = p().allocate(8 * mib, &s);
  p().release(a);
  usage used;
  used.wrote({&t, t.advance()});
  p().release(b, used);
  block* c = p().allocate(15 * mib, &u);
  EXPECT_EQ(c->bytes % 512, 0);
  p().release(c);
}

TEST(QueueTest, FollowsOnceForAllEarlierWork) {
  fake_queue s("s"), t("t");
  for (int i = 0; i < 5; ++i) s.work();
  t.follow(s, 3);
  t.follow(s, 2);
  t.follow(s, 5);  // the event was recorded behind all five
  EXPECT_EQ(t.log.size(), 1u);
  s.work();
  t.follow(s, 6);
  EXPECT_EQ(t.log.size(), 2u);
  t.follow(t, 99);
  EXPECT_EQ(t.log.size(), 2u);
}

TEST(QueueTest, FinishedWorkIsNotFollowed) {
  fake_queue s("s"), t("t");
  s.work();
  s.wait(1);
  s.wait(1);
  EXPECT_EQ(s.host_waits, 1);
  t.follow(s, 1);
  EXPECT_TRUE(t.log.empty());
}

TEST(UsageTest, WritesWaitForAllReaders) {
  fake_queue s("s"), t("t"), u("u");
  usage used;
  EXPECT_TRUE(used.empty());
  used.before_write(&s);
  used.wrote({&s, s.advance()});
  for (fake_queue* q : {&t, &u}) {
    used.before_read(q);
    used.read({q, q->advance()});
    used.read({q, q->advance()});
  }
  EXPECT_EQ(used.all().size(), 3u);
  used.before_write(&s);
  EXPECT_EQ(s.log, (std::vector<std::string>{"t", "u"}));
  used.wrote({&s, s.advance()});
  EXPECT_EQ(used.all().size(), 1u);
  used.before_read(nullptr);
  EXPECT_EQ(s.host_waits, 1);
}

TEST_F(PoolTest, RandomRequestsKeepBlocksApart) {
  memory.capacity = 2 * gib;
  std::mt19937 random(7);
  fake_queue* const list[] = {&new_queue("a"), &new_queue("b"), &new_queue("c")};
  std::map<char*, block*> held;
  std::int64_t used = 0;
  for (int i = 0; i < 30000; ++i) {
    fake_queue& q = *list[random() % 3];
    q.work();
    q.finished = random() % 2 == 0;
    if (held.size() < 200 && random() % 5 < 3) {
      const std::int64_t size = 1 + std::int64_t(random() % (std::uint64_t(1) << (random() % 27)));
      block* b = p().allocate(size, &q);
      ASSERT_GE(b->bytes, size);
      ASSERT_FALSE(b->free);
      const auto next = held.lower_bound(b->data);
      if (next != held.end()) {
        ASSERT_LE(b->data + b->bytes, next->first);
      }
      if (next != held.begin()) {
        const auto& before = *std::prev(next);
        ASSERT_LE(before.first + before.second->bytes, b->data);
      }
      held[b->data] = b;
      used += b->bytes;
    } else if (!held.empty()) {
      auto at = std::next(held.begin(), std::ptrdiff_t(random() % held.size()));
      used -= at->second->bytes;
      usage u;
      if (random() % 3 == 0) u.read({&q, q.now()});
      p().release(at->second, u);
      held.erase(at);
    }
    ASSERT_EQ(p().used_bytes(), used);
    if (i % 5000 == 0) p().free_all_blocks();
  }
  for (auto& entry : held) p().release(entry.second);
}

TEST_F(PoolTest, SeveralThreads) {
  std::vector<std::thread> threads;
  pool& shared = p();
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&shared, t] {
      std::mt19937 random{unsigned(t)};
      std::vector<block*> held;
      for (int i = 0; i < 5000; ++i) {
        if (held.size() < 20 && random() % 2) {
          held.push_back(shared.allocate(1 + std::int64_t(random() % (3 << 20)), nullptr));
        } else if (!held.empty()) {
          shared.release(held.back());
          held.pop_back();
        }
      }
      for (block* b : held) shared.release(b);
    });
  }
  for (auto& t : threads) t.join();
}

// A bound with room for slow machines and checked builds; the figure itself goes to the log.
TEST_F(PoolTest, HitIsFast) {
  fake_queue& s = new_queue("s");
  for (std::int64_t size : {1024, 4 << 20}) {
    p().release(p().allocate(size, &s));
    const std::int64_t calls = memory.calls;
    const auto start = std::chrono::steady_clock::now();
    constexpr int n = 100000;
    for (int i = 0; i < n; ++i) p().release(p().allocate(size, &s));
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    RecordProperty("ns_per_pair_" + std::to_string(size), int(took.count() / n));
    std::printf("allocate and release of %lld bytes: %.0f ns\n", static_cast<long long>(size),
                took.count() / n);
    EXPECT_EQ(memory.calls, calls) << "a hit asks nothing of the upstream";
  }
}

}  // namespace
