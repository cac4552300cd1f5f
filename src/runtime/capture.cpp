#include "runtime/capture.hpp"

#include <numwarp/error.hpp>
#include <utility>

#include "runtime/backend.hpp"
#include "runtime/node.hpp"

namespace numwarp::runtime {

// Keeps all segments until the end: the recorded work uses them, whatever blocks are free.
class graph_memory::segments final : public upstream {
 public:
  segments(pool& parent, queue* q) : parent_(parent), queue_(q) {}
  ~segments() override {
    for (block* b : taken_) parent_.release(b, used);
  }

  void* allocate(std::int64_t bytes, queue*) override {
    taken_.reserve(taken_.size() + 1);
    try {
      taken_.push_back(parent_.allocate(bytes, queue_));
    } catch (const out_of_memory&) {
      return nullptr;
    }
    if (queue_) used.wrote({queue_, queue_->now()});
    return taken_.back()->data;
  }
  void release(void*, std::int64_t, queue*) noexcept override {}
  std::int64_t free_bytes() noexcept override { return parent_.device_memory().free; }
  std::int64_t total_bytes() noexcept override { return parent_.device_memory().total; }

  usage used;

 private:
  pool& parent_;
  queue* const queue_;
  std::vector<block*> taken_;
};

namespace {

pool_options graph_options(const queue* q) {
  pool_options o;
  if (q) o.where = q->where;
  o.name = to_string(o.where) + " for a graph";
  return o;
}

}  // namespace

graph_memory::graph_memory(pool& parent, queue* q)
    : source_(new segments(parent, q)),
      blocks_(pool::make(std::unique_ptr<upstream>(source_), graph_options(q))) {}

bool graph_memory::owns(const detail::storage& s) const {
  return s.memory && s.memory->owner == blocks_.get();
}

usage& graph_memory::used() { return source_->used; }

capture::capture(std::shared_ptr<queue> q, pool& device_pool)
    : queue_(std::move(q)), result_(std::make_unique<graph_work>()) {
  result_->memory = std::make_unique<graph_memory>(device_pool, current_queue(queue_->where));
  before_ = exchange_current_queue(queue_->where, queue_);
  try {
    queue_->begin_recording();
  } catch (...) {
    exchange_current_queue(queue_->where, std::move(before_));
    throw;
  }
  queue_->set(queue::state::recording);
  active_ = this;
}

capture::~capture() {
  if (active_ != this) return;
  try {
    queue_->end_recording();
  } catch (...) {  // ended all the same
  }
  end();
}

void capture::end() noexcept {
  active_ = nullptr;
  queue_->set(queue::state::open);
  exchange_current_queue(queue_->where, std::move(before_));
}

std::unique_ptr<graph_work> capture::finish() {
  detail::launch_pending_of_thread();
  if (!refused_.empty()) throw capture_error(refused_);
  try {
    result_->work = queue_->end_recording();
  } catch (...) {
    end();
    throw;
  }
  end();
  const use start = result_->memory->used().writer();
  for (auto& [key, e] : touched_) {
    auto s = e.of.lock();
    if (!s) continue;  // a temporary of the capture
    // Its memory may still be in use by whoever had it before.
    if (start.on && result_->memory->owns(*s)) s->used.start(start);
    result_->arrays.push_back({std::move(s), e.written});
  }
  touched_.clear();
  return std::move(result_);
}

void capture::touches(detail::storage& s, bool written) {
  entry& e = touched_[&s];
  // The entry keeps the address of a dead storage from being used again.
  if (!e.of.lock()) {
    e.of = s.weak_from_this();
    if (!memory().owns(s)) e.held = e.of.lock();
  }
  e.written |= written;
}

void capture::refuse(const std::string& text) {
  if (refused_.empty()) refused_ = text;
  throw capture_error(text);
}

void before_use(detail::storage& s, queue* q, bool written) {
  if (capture* c = q ? capture::on(q) : nullptr) return c->touches(s, written);
  written ? s.used.before_write(q) : s.used.before_read(q);
}

block* allocate_block(pool& p, std::int64_t bytes, queue* q) {
  if (capture* c = q ? capture::on(q) : nullptr)
    return c->memory().blocks().allocate(bytes, nullptr);
  return p.allocate(bytes, q);
}

}  // namespace numwarp::runtime
