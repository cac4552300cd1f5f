#include "runtime/queue.hpp"

#include <numwarp/error.hpp>
#include <string>

namespace numwarp::runtime {

void queue::follow(queue& other, std::uint64_t ticket) {
  if (&other == this || other.finished_.load(std::memory_order_acquire) >= ticket) return;
  std::lock_guard lock(mutex_);
  auto entry = followed_.begin();
  while (entry != followed_.end() && entry->first != &other) ++entry;
  if (entry != followed_.end() && entry->second >= ticket) return;
  // Read before the event is recorded: work counted later may or may not be behind the event.
  const std::uint64_t at = other.now();
  if (entry == followed_.end()) entry = followed_.insert(entry, {&other, 0});
  wait_for(other);
  entry->second = at;
  advance();  // who follows this queue must follow the wait, too
}

std::unique_ptr<recording> queue::end_recording() { return nullptr; }

void queue::finish_up_to(std::uint64_t ticket) {
  std::uint64_t before = finished_.load(std::memory_order_relaxed);
  while (before < ticket && !finished_.compare_exchange_weak(before, ticket)) {
  }
}

bool queue::is_idle() noexcept {
  try {
    return idle();
  } catch (...) {
    return false;
  }
}

bool queue::reached(std::uint64_t ticket) noexcept {
  if (finished_.load(std::memory_order_acquire) >= ticket) return true;
  const std::uint64_t at = now();
  if (is_idle()) {
    finish_up_to(at);
    return true;
  }
  std::lock_guard lock(mutex_);
  if (marked_ && passed_mark()) {
    marked_ = false;
    finish_up_to(mark_at_);
  }
  if (!marked_ && finished_.load(std::memory_order_relaxed) < ticket) {
    mark_at_ = now();
    marked_ = set_mark();
  }
  return finished_.load(std::memory_order_relaxed) >= ticket;
}

void queue::wait(std::uint64_t ticket) {
  if (finished_.load(std::memory_order_acquire) >= ticket) return;
  check_wait(where, "use of memory by the host that a stream still uses");
  const std::uint64_t at = now();
  wait_on_host();
  finish_up_to(at);
}

namespace {

thread_local bool waiting_forbidden = false;

}  // namespace

void check_wait(device d, const char* function) {
  if (!waiting_forbidden || d.is_cpu()) return;
  throw synchronization_error(std::string(function) + ": waits for " + to_string(d) +
                              ", which allow_synchronize(false) forbids here");
}

bool exchange_waiting_forbidden(bool forbidden) {
  return std::exchange(waiting_forbidden, forbidden);
}

waiting_allowed::waiting_allowed() : before_(exchange_waiting_forbidden(false)) {}
waiting_allowed::~waiting_allowed() { exchange_waiting_forbidden(before_); }

void order_after(queue* q, use u) {
  if (!u.on) return;
  if (q) {
    q->follow(*u.on, u.at);
  } else {
    u.on->wait(u.at);
  }
}

void usage::before_read(queue* q) {
  if (!empty()) order_after(q, writer());
}

void usage::before_write(queue* q) {
  if (empty()) return;
  use last;
  {
    std::lock_guard lock(lock_);
    last = writer_;
    if (last.on == q && readers_.empty()) return;
  }
  for (const use& u : all()) order_after(q, u);
}

void usage::read(use u) {
  std::lock_guard lock(lock_);
  used_.store(true, std::memory_order_release);
  // A reader on the writer's queue moves the writer's ticket: one entry is enough for one queue.
  if (!writer_.on) writer_.on = u.on;
  if (writer_.on == u.on) {
    writer_.at = std::max(writer_.at, u.at);
    return;
  }
  for (use& r : readers_) {
    if (r.on == u.on) {
      r.at = std::max(r.at, u.at);
      return;
    }
  }
  readers_.push_back(u);
}

void usage::wrote(use u) {
  std::lock_guard lock(lock_);
  used_.store(true, std::memory_order_release);
  writer_ = u;
  readers_.clear();
}

use usage::writer() const {
  std::lock_guard lock(lock_);
  return writer_;
}

std::vector<use> usage::all() const {
  std::lock_guard lock(lock_);
  std::vector<use> list;
  if (writer_.on) list.push_back(writer_);
  list.insert(list.end(), readers_.begin(), readers_.end());
  return list;
}

void usage::clear() {
  std::lock_guard lock(lock_);
  used_.store(false, std::memory_order_release);
  writer_ = {};
  readers_.clear();
}

void usage::take(usage& other) {
  const std::vector<use> list = other.all();
  other.clear();
  clear();
  for (const use& u : list) u.on == list.front().on ? wrote(u) : read(u);
}

}  // namespace numwarp::runtime
