// Who waits for whom, with queues that only take notes.
#include "runtime/launch_scope.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numwarp/detail/call.hpp>
#include <numwarp/memory.hpp>

#include "runtime/fake_memory.hpp"
#include "runtime/memory.hpp"
#include "runtime/transfer.hpp"

namespace nw = numwarp;
using namespace numwarp::runtime;
using numwarp_test::fake_queue;
using names = std::vector<std::string>;

namespace {

// Queues are never destroyed, but a leak checker must still find them.
fake_queue& new_queue(const char* name) {
  static auto* const kept = new std::vector<std::unique_ptr<fake_queue>>;
  return *kept->emplace_back(std::make_unique<fake_queue>(name));
}

nw::any_array ones() {
  return nw::detail::full({10}, nw::dtype::float32, nw::detail::scalar(true), nw::cpu,
                          nw::order::c);
}

nw::detail::storage& storage_of(const nw::any_array& a) { return *nw::detail::access::store(a); }

float item(const nw::any_array& a, std::int64_t i) {
  float v = 0;
  nw::detail::item_at(a, {&i, 1}, nw::dtype::float32, &v);
  return v;
}

TEST(LaunchScope, OneQueueNeedsNoEvents) {
  fake_queue& s = new_queue("s");
  const auto a = ones(), b = ones();
  for (int i = 0; i < 3; ++i) {
    launch_scope scope(&s);
    scope.reads(storage_of(a));
    scope.writes(storage_of(b));
  }
  EXPECT_TRUE(s.log.empty());
  EXPECT_EQ(s.now(), 3u);
}

TEST(LaunchScope, ReadersFollowTheWriterAndWritersTheReaders) {
  fake_queue &s = new_queue("s"), &t = new_queue("t"), &u = new_queue("u");
  const auto a = ones();
  { launch_scope(&s).writes(storage_of(a)); }
  { launch_scope(&t).reads(storage_of(a)); }
  { launch_scope(&u).reads(storage_of(a)); }
  EXPECT_EQ(t.log, names{"s"});
  EXPECT_EQ(u.log, names{"s"});
  { launch_scope(&t).writes(storage_of(a)); }
  EXPECT_EQ(t.log, (names{"s", "u"}));
  { launch_scope(&s).reads(storage_of(a)); }
  EXPECT_EQ(s.log, names{"t"});
}

TEST(LaunchScope, IsTheCurrentQueueOfItsDevice) {
  EXPECT_EQ(current_queue(nw::cpu), nullptr);
  fake_queue& s = new_queue("s");
  const launch_scope scope(&s);
  EXPECT_EQ(scope.on(), &s);
  EXPECT_EQ(current_queue(nw::cpu), nullptr);
}

TEST(LaunchScope, OperationsOfTheHostWaitForTheDevice) {
  fake_queue& s = new_queue("s");
  const auto a = ones();
  { launch_scope(&s).writes(storage_of(a)); }
  EXPECT_EQ(s.host_waits, 0);
  const auto b = a.copy();
  EXPECT_EQ(item(b, 3), 1.0f);
  EXPECT_EQ(s.host_waits, 1);
  EXPECT_EQ(item(a, 3), 1.0f);
  EXPECT_NE(a.data(), nullptr);
  EXPECT_EQ(s.host_waits, 1);  // it has been waited for
  { launch_scope(&s).reads(storage_of(a)); }
  EXPECT_EQ(item(a, 3), 1.0f);
  a.mutable_data();
  EXPECT_EQ(s.host_waits, 2);
}

TEST(LaunchScope, MemoryOfTheHostIsNotReusedTooEarly) {
  fake_queue& s = new_queue("s");
  const void* at;
  {
    const auto a = nw::detail::empty_pinned({1000}, nw::dtype::float64, nw::order::c);
    EXPECT_TRUE(is_pinned(storage_of(a)));
    at = a.data();
    launch_scope(&s).reads(storage_of(a));
  }
  const auto b = nw::detail::empty_pinned({1000}, nw::dtype::float64, nw::order::c);
  if (!pools_are_off()) {
    EXPECT_NE(b.data(), at);
  } else {
    EXPECT_EQ(s.host_waits, 1);
  }
}

TEST(LaunchScope, ManyStorages) {
  fake_queue &s = new_queue("s"), &t = new_queue("t");
  std::vector<nw::any_array> list;
  for (int i = 0; i < 40; ++i) list.push_back(ones());
  {
    launch_scope scope(&s);
    for (const auto& a : list) scope.writes(storage_of(a));
  }
  for (const auto& a : list) EXPECT_EQ(storage_of(a).used.writer().on, &s);
  launch_scope scope(&t);
  for (const auto& a : list) scope.reads(storage_of(a));
  EXPECT_EQ(t.log, names{"s"});
}

}  // namespace
