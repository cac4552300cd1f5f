// Current streams, streams and events as users see them.
#include <chrono>
#include <numwarp/error.hpp>
#include <numwarp/stream.hpp>
#include <utility>

#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"

namespace numwarp {

namespace runtime {

namespace {

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

// Default queues are never destroyed.
std::shared_ptr<queue> unowned(queue* q) { return {std::shared_ptr<void>(), q}; }

}  // namespace

queue* current_queue(device d) {
  if (d.is_cpu()) return nullptr;
  if (launching && launching->where == d) return launching;
  const auto* c = chosen_for(d);
  return c && *c ? c->get() : backend_for(d).default_queue();
}

std::shared_ptr<queue> share_current_queue(device d) {
  if (d.is_cpu()) return nullptr;
  const auto* c = chosen_for(d);
  const bool inherits = launching && launching->where == d;
  if (c && *c && (!inherits || c->get() == launching)) return *c;
  return unowned(inherits ? launching : backend_for(d).default_queue());
}

std::shared_ptr<queue> exchange_current_queue(device d, std::shared_ptr<queue> q) {
  if (auto* c = chosen_for(d)) return std::exchange(*c, std::move(q));
  if (!chosen_list::gone) chosen.entries.push_back({d, std::move(q)});
  return nullptr;
}

launch_scope::launch_scope(queue* q) : queue_(q), before_(std::exchange(launching, q)) {}

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

}  // namespace runtime

stream::stream(numwarp::device d, stream_options o)
    : where_(d), queue_(runtime::backend_for(d).new_queue(o.priority)) {}

stream stream::external(void* handle, numwarp::device d) {
  return {d, runtime::backend_for(d).foreign_queue(handle)};
}

void* stream::handle() const { return queue_ ? queue_->handle() : nullptr; }

void stream::synchronize() const {
  runtime::check_wait(where_, "synchronize");
  flush();
  if (queue_) queue_->synchronize();
}

bool stream::done() const {
  flush();
  return !queue_ || queue_->idle();
}

void stream::wait(const event& e) const {
  flush();
  if (queue_ && e.marker_) {
    e.marker_->block(*queue_);
    queue_->advance();
  } else {
    e.synchronize();
  }
}

stream current_stream(device d) { return {d, runtime::share_current_queue(d)}; }

stream_guard::stream_guard(const stream& s)
    : where_(s.where_), before_(runtime::exchange_current_queue(s.where_, s.queue_)) {}

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
  flush();
  recorded_ = true;
  where_ = s.where_;
  host_time_ = host_milliseconds();
  if (!s.queue_) {
    marker_.reset();
    return;
  }
  if (!marker_ || !(marker_where_ == s.where_)) {
    marker_ = runtime::backend_for(s.where_).new_marker(timing_);
    marker_where_ = s.where_;
  }
  marker_->record(*s.queue_);
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
