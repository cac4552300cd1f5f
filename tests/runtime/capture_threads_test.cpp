// What a capture notes, refuses and hands out, with queues that only take notes.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <numwarp/detail/call.hpp>
#include <numwarp/error.hpp>
#include <thread>

#include "runtime/capture.hpp"
#include "runtime/fake_memory.hpp"
#include "runtime/launch_scope.hpp"

namespace nw = numwarp;
using namespace numwarp::runtime;
using numwarp_test::fake_queue;
using numwarp_test::fake_upstream;

namespace {

// Queues are never destroyed, but a leak checker must still find them.
std::shared_ptr<fake_queue> new_queue(const char* name) {
  static auto* const kept = new std::vector<std::shared_ptr<fake_queue>>;
  return kept->emplace_back(std::make_shared<fake_queue>(name));
}

nw::any_array ones() {
  return nw::detail::full({10}, nw::dtype::float32, nw::detail::scalar(true), nw::cpu,
                          nw::order::c);
}
nw::detail::storage& storage_of(const nw::any_array& a) { return *nw::detail::access::store(a); }

struct CaptureTest : testing::Test {
  fake_upstream::state memory;
  pool_options options;
  std::unique_ptr<pool> parent =
      std::make_unique<pool>(std::make_unique<fake_upstream>(memory), options);
  std::shared_ptr<fake_queue> q = new_queue("q");

  void TearDown() override {
    EXPECT_EQ(capture::of_thread(), nullptr);
    EXPECT_EQ(q->now_is(), queue::state::open);
    EXPECT_EQ(parent->used_bytes(), 0);
  }
};

TEST_F(CaptureTest, NotesInsteadOfWaiting) {
  const auto s = new_queue("s");
  const auto a = ones(), b = ones();
  { launch_scope(s.get()).writes(storage_of(a)); }
  capture c(q, *parent);
  EXPECT_EQ(capture::on(q.get()), &c);
  EXPECT_EQ(capture::on(s.get()), nullptr);
  {
    launch_scope scope(q.get());
    scope.reads(storage_of(a));
    scope.reads(storage_of(b));
    scope.writes(storage_of(b));
  }
  const auto work = c.finish();
  EXPECT_TRUE(q->log.empty());
  EXPECT_EQ(s->host_waits, 0);
  EXPECT_EQ(storage_of(a).used.writer().on, s.get());
  EXPECT_TRUE(storage_of(b).used.empty());
  ASSERT_EQ(work->arrays.size(), 2u);
  for (const auto& held : work->arrays) {
    EXPECT_EQ(held.written, held.of.get() == &storage_of(b));
  }
}

TEST_F(CaptureTest, BlocksAreUsedAgainInsideAndByNobodyElse) {
  capture c(q, *parent);
  block* a = allocate_block(*parent, 1000, q.get());
  char* const at = a->data;
  a->owner->release(a);
  EXPECT_GT(parent->used_bytes(), 0);
  block* other = parent->allocate(1000, nullptr);
  EXPECT_NE(other->data, at);
  parent->release(other);
  block* b = allocate_block(*parent, 1000, q.get());
  EXPECT_EQ(b->data, at);
  b->owner->release(b);
  auto work = c.finish();
  EXPECT_GT(parent->used_bytes(), 0);
  block* later = parent->allocate(1000, nullptr);
  EXPECT_NE(later->data, at);
  parent->release(later);
  work.reset();
  EXPECT_EQ(parent->used_bytes(), 0);
}

TEST_F(CaptureTest, MemoryStaysForBlocksThatOutliveTheGraph) {
  block* a = nullptr;
  {
    capture c(q, *parent);
    a = allocate_block(*parent, 1 << 20, q.get());
    c.finish();
  }
  EXPECT_GT(parent->used_bytes(), 0);
  a->owner->release(a);
  EXPECT_EQ(parent->used_bytes(), 0);
}

TEST_F(CaptureTest, ExhaustionNamesTheDeviceAndLeavesNothing) {
  memory.capacity = 0;
  capture c(q, *parent);
  EXPECT_THROW(allocate_block(*parent, 1000, q.get()), nw::out_of_memory);
  memory.capacity = 64 << 20;
  block* a = allocate_block(*parent, 1000, q.get());
  a->owner->release(a);
}

// Segments go back behind the last launch of the graph.
TEST_F(CaptureTest, SegmentsWaitForLaunches) {
  const auto s = new_queue("s"), t = new_queue("t");
  memory.capacity = 2 << 20;  // one segment
  {
    capture c(q, *parent);
    block* a = allocate_block(*parent, 1000, q.get());
    a->owner->release(a);
    const auto work = c.finish();
    work->memory->used().before_write(s.get());
    work->memory->used().wrote({s.get(), s->advance()});
  }
  block* b = parent->allocate(2 << 20, t.get());
  EXPECT_EQ(t->log, std::vector<std::string>{"s"});
  parent->release(b);
}

TEST_F(CaptureTest, HoldsWhatIsNotItsOwn) {
  std::weak_ptr<nw::detail::storage> outside, temporary;
  capture c(q, *parent);
  {
    const auto a = ones();
    outside = nw::detail::access::store(a);
    launch_scope(q.get()).reads(storage_of(a));
  }
  {
    const auto made = std::make_shared<nw::detail::storage>(nw::cpu, 1000);
    made->allocate(q.get());
    EXPECT_TRUE(c.memory().owns(*made));
    EXPECT_TRUE(made->used.empty());
    temporary = made;
    launch_scope(q.get()).writes(*made);
  }
  EXPECT_FALSE(outside.expired());
  EXPECT_TRUE(temporary.expired());
  auto work = c.finish();
  EXPECT_EQ(work->arrays.size(), 1u);
  work.reset();
  EXPECT_TRUE(outside.expired());
}

TEST_F(CaptureTest, RefusesOtherQueuesAndTheHost) {
  const auto s = new_queue("s");
  capture c(q, *parent);
  EXPECT_THROW(launch_scope{s.get()}, nw::capture_error);
  EXPECT_NO_THROW(launch_scope{nullptr});
  EXPECT_THROW(refuse_recorded(q.get(), "item: no"), nw::capture_error);
  EXPECT_NO_THROW(refuse_recorded(s.get(), "item: no"));
  try {
    c.finish();
    ADD_FAILURE() << "no exception";
  } catch (const nw::capture_error& e) {  // the first one
    EXPECT_NE(std::string(e.what()).find("another stream"), std::string::npos) << e.what();
  }
}

TEST_F(CaptureTest, AnExceptionEndsIt) {
  EXPECT_THROW(
      {
        const capture c(q, *parent);
        throw std::runtime_error("x");
      },
      std::runtime_error);
  EXPECT_NO_THROW(launch_scope{q.get()});
}

TEST_F(CaptureTest, AClosedQueueTakesNoWork) {
  const auto s = new_queue("s");
  s->close();
  EXPECT_THROW(launch_scope{s.get()}, nw::value_error);
}

TEST_F(CaptureTest, ThreadsCaptureAtOnceAndKeepOut) {
  std::atomic<int> right{0};
  std::atomic<bool> there{false}, done{false};
  const auto shared = ones();
  capture c(q, *parent);
  std::thread other([&] {
    EXPECT_EQ(capture::of_thread(), nullptr);
    EXPECT_THROW(launch_scope{q.get()}, nw::capture_error);
    const auto mine = new_queue("mine");
    capture inner(mine, *parent);
    there = true;
    while (!done) std::this_thread::yield();
    launch_scope(mine.get()).reads(storage_of(shared));
    right += inner.finish()->arrays.size() == 1;
  });
  while (!there) std::this_thread::yield();
  launch_scope(q.get()).reads(storage_of(shared));
  right += c.finish()->arrays.size() == 1;
  done = true;
  other.join();
  EXPECT_EQ(right, 2);
}

}  // namespace
