// Current streams, streams and events as users see them.
#include "runtime/stream.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <numwarp/error.hpp>
#include <numwarp/stream.hpp>
#include <utility>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"

namespace numwarp {

namespace runtime {

namespace {

[[noreturn]] void throw_closed(const char* function) {
  throw value_error(std::string(function) + ": the stream is closed");
}

thread_local queue* launching = nullptr;

struct chosen_queue {
  device where;
  std::shared_ptr<queue> on;
};

// What stream_guards chose, one entry a device. The list goes with the thread; whoever computes
// after that, in a static object's destructor, uses the default queues.
struct chosen_list {
  std::vector<chosen_queue> entries;
  ~chosen_list() { gone = true; }
  static thread_local bool gone;
};
thread_local bool chosen_list::gone = false;
thread_local chosen_list chosen;

std::shared_ptr<queue>* chosen_for(device d) {
  if (chosen_list::gone) return nullptr;
  for (chosen_queue& c : chosen.entries) {
    if (c.where == d) return &c.on;
  }
  return nullptr;
}

// Default queues are never destroyed, so that they need not be looked up again.
queue* default_queue(device d) {
  static std::array<std::atomic<queue*>, 64> known{};
  if (d.index() >= int(known.size())) return backend_for(d).default_queue();
  auto& entry = known[std::size_t(d.index())];
  queue* q = entry.load(std::memory_order_acquire);
  if (!q) entry.store(q = backend_for(d).default_queue(), std::memory_order_release);
  return q;
}

std::shared_ptr<queue> unowned(queue* q) { return {std::shared_ptr<void>(), q}; }

}  // namespace

queue* current_queue(device d) {
  if (d.is_cpu()) return nullptr;
  if (launching && launching->where == d) return launching;
  const auto* c = chosen_for(d);
  return c && *c ? c->get() : default_queue(d);
}

std::shared_ptr<queue> share_current_queue(device d) {
  if (d.is_cpu()) return nullptr;
  const auto* c = chosen_for(d);
  const bool inherits = launching && launching->where == d;
  if (c && *c && (!inherits || c->get() == launching)) return *c;
  return unowned(inherits ? launching : default_queue(d));
}

std::shared_ptr<queue> exchange_current_queue(device d, std::shared_ptr<queue> q) {
  if (auto* c = chosen_for(d)) return std::exchange(*c, std::move(q));
  if (!chosen_list::gone) chosen.entries.push_back({d, std::move(q)});
  return nullptr;
}

namespace {

[[noreturn]] void refuse_work(const queue& q) {
  if (capture* c = capture::of_thread()) {
    c->refuse("capture: work for another stream or device cannot be captured; launch it before");
  }
  if (q.is_recording()) {
    throw capture_error("capture: the operation belongs to a capture of another thread");
  }
  throw_closed("launch");
}

// Only the thread that records may put work on a queue, and only on that queue.
queue* admitted(queue* q) {
  if (!q || capture::on(q)) return q;
  if (capture::of_thread() || q->now_is() != queue::state::open) refuse_work(*q);
  return q;
}

}  // namespace

launch_scope::launch_scope(queue* q)
    : queue_(admitted(q)),
      capture_(q ? capture::on(q) : nullptr),
      before_(std::exchange(launching, q)) {}

launch_scope::~launch_scope() {
  launching = before_;
  if (!queue_ || count_ == 0) return;
  const use u{queue_, queue_->advance()};
  try {
    for (std::size_t i = 0; i < count_; ++i) mark(few_[i], u);
    for (const entry& e : more_) mark(e, u);
  } catch (...) {  // no memory to remember the use: it is over before anybody asks
    const waiting_allowed here;
    try {
      queue_->wait(u.at);
    } catch (...) {
    }
  }
}

const std::shared_ptr<queue>& stream_access::queue_of(const stream& s, const char* function) {
  if (!s.where_.is_cpu() && (!s.queue_ || s.queue_->now_is() == queue::state::closed)) {
    throw_closed(function);
  }
  return s.queue_;
}

}  // namespace runtime

using runtime::stream_access;

stream::stream(numwarp::device d, stream_options o)
    : where_(d), queue_(runtime::backend_for(d).new_queue(o.priority)) {}

stream stream::external(void* handle, numwarp::device d) {
  return {d, runtime::backend_for(d).foreign_queue(handle)};
}

stream stream::per_thread(numwarp::device d) {
  // Destroyed with the thread; the stream is then given to another one.
  static thread_local std::vector<stream> of_thread;
  for (const stream& s : of_thread) {
    if (s.where_ == d && (!s.queue_ || s.queue_->now_is() != runtime::queue::state::closed))
      return s;
  }
  return of_thread.emplace_back(d);
}

void* stream::handle() const {
  const auto& q = stream_access::queue_of(*this, "handle");
  return q ? q->handle() : nullptr;
}

int stream::priority() const {
  const auto& q = stream_access::queue_of(*this, "priority");
  return q ? q->priority() : 0;
}

void stream::synchronize() const {
  const auto& q = stream_access::queue_of(*this, "synchronize");
  runtime::refuse_recorded(q.get(), "synchronize: the stream of a capture runs nothing");
  runtime::check_wait(where_, "synchronize");
  flush();
  if (q) q->synchronize();
}

bool stream::done() const {
  const auto& q = stream_access::queue_of(*this, "done");
  runtime::refuse_recorded(q.get(), "done: the stream of a capture runs nothing");
  flush();
  return !q || q->idle();
}

void stream::wait(const event& e) const {
  const auto& q = stream_access::queue_of(*this, "wait");
  runtime::refuse_recorded(q.get(), "wait: events cannot be captured");
  flush();
  if (q && e.marker_) {
    e.marker_->block(*q);
    q->advance();
  } else {
    e.synchronize();
  }
}

void stream::launch_host_function(detail::callback<> f) const {
  const auto& q = stream_access::queue_of(*this, "launch_host_function");
  if (!f) throw value_error("launch_host_function: there is no function");
  flush();
  if (!q) return f();
  const runtime::launch_scope scope(q.get());
  q->call_on_host(std::move(f));
  q->advance();
}

void stream::close() const {
  const auto& q = stream_access::queue_of(*this, "close");
  if (!q) return;
  if (q.get() == runtime::backend_for(where_).default_queue()) {
    throw value_error("close: the default stream of " + to_string(where_) + " stays open");
  }
  runtime::refuse_recorded(q.get(), "close: the stream of a capture");
  flush();
  q->close();
}

stream current_stream(device d) { return {d, runtime::share_current_queue(d)}; }

stream_guard::stream_guard(const stream& s)
    : where_(s.where_),
      before_(
          runtime::exchange_current_queue(s.where_, stream_access::queue_of(s, "stream_guard"))) {}

stream_guard::~stream_guard() { runtime::exchange_current_queue(where_, std::move(before_)); }

event::event(event_options o) : timing_(o.timing) {}
event::~event() = default;
event::event(event&&) noexcept = default;
event& event::operator=(event&&) noexcept = default;

namespace {

double host_milliseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

}  // namespace

void event::record(const stream& s) {
  const auto& q = stream_access::queue_of(s, "record");
  runtime::refuse_recorded(q.get(), "record: events cannot be captured");
  flush();
  recorded_ = true;
  where_ = s.where_;
  host_time_ = host_milliseconds();
  if (!q) {
    marker_.reset();
    return;
  }
  if (!marker_ || !(marker_where_ == s.where_)) {
    marker_ = runtime::backend_for(s.where_).new_marker(timing_);
    marker_where_ = s.where_;
  }
  marker_->record(*q);
}

void event::synchronize() const {
  runtime::check_wait(where_, "synchronize");
  if (marker_) marker_->wait();
}

bool event::done() const { return !marker_ || marker_->done(); }

double event::elapsed_time(const event& end) const {
  if (!recorded_ || !end.recorded_)
    throw value_error("elapsed_time: both events must have been recorded");
  if (!timing_ || !end.timing_)
    throw value_error("elapsed_time: the events were made without timing");
  if (!(where_ == end.where_)) {
    throw device_error("elapsed_time: the events are on " + to_string(where_) + " and " +
                       to_string(end.where_));
  }
  if (!marker_) return end.host_time_ - host_time_;
  runtime::check_wait(where_, "elapsed_time");
  end.synchronize();
  return end.marker_->milliseconds_since(*marker_);
}

}  // namespace numwarp
