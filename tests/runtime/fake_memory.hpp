// An upstream and queues without a device, for tests of the pool.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "runtime/pool.hpp"

namespace numwarp_test {

// Hands out addresses of a range that is never touched, up to a capacity.
class fake_upstream final : public numwarp::runtime::upstream {
 public:
  struct state {
    std::int64_t capacity = INT64_MAX / 4, used = 0, calls = 0, released = 0;
    std::map<char*, std::int64_t> live;
    bool ordered = false;
    numwarp::runtime::queue* last = nullptr;
    std::uintptr_t next = std::uintptr_t(1) << 32;
  };
  explicit fake_upstream(state& s) : s_(s) {}

  void* allocate(std::int64_t bytes, numwarp::runtime::queue* q) noexcept override {
    ++s_.calls;
    s_.last = q;
    if (bytes > s_.capacity - s_.used) return nullptr;
    char* p = reinterpret_cast<char*>(s_.next);
    s_.next += std::uintptr_t(bytes + 4096) / 4096 * 4096;
    s_.live[p] = bytes;
    s_.used += bytes;
    return p;
  }
  void release(void* p, std::int64_t bytes, numwarp::runtime::queue* q) noexcept override {
    s_.last = q;
    const auto at = s_.live.find(static_cast<char*>(p));
    if (at == s_.live.end() || at->second != bytes) std::abort();
    s_.live.erase(at);
    s_.used -= bytes;
    ++s_.released;
  }
  bool ordered() const override { return s_.ordered; }
  std::int64_t free_bytes() noexcept override { return s_.capacity - s_.used; }
  std::int64_t total_bytes() noexcept override { return s_.capacity; }

 private:
  state& s_;
};

// Work counts as finished when the test says so.
class fake_queue final : public numwarp::runtime::queue {
 public:
  explicit fake_queue(std::string n) : queue(numwarp::cpu), name(std::move(n)) {}

  std::string name;
  std::vector<std::string> log;
  bool finished = false;  // whether a mark counts as passed
  int host_waits = 0;

  void work() { advance(); }
  void synchronize() override { wait(now()); }
  bool idle() override { return finished; }

 protected:
  void wait_for(queue& other) override { log.push_back(static_cast<fake_queue&>(other).name); }
  void wait_on_host() override { ++host_waits; }
  bool set_mark() noexcept override { return true; }
  bool passed_mark() noexcept override { return finished; }
};

}  // namespace numwarp_test
