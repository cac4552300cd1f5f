// The order of a launch among streams. While it lives, it is the calling thread's current queue;
// what is read and written is waited for at once, and marked as used when it ends. Costs next to
// nothing where the device has no queues.
#pragma once

#include <array>
#include <vector>

#include "runtime/capture.hpp"
#include "runtime/node.hpp"
#include "runtime/queue.hpp"
#include "runtime/storage.hpp"

namespace numwarp::runtime {

class launch_scope {
 public:
  // Throws where q takes no work of the calling thread.
  explicit launch_scope(queue* q);
  explicit launch_scope(device d) : launch_scope(current_queue(d)) {}
  ~launch_scope();
  launch_scope(const launch_scope&) = delete;
  launch_scope& operator=(const launch_scope&) = delete;

  // The storages must outlive the scope.
  void reads(detail::storage& s) {
    if (capture_) return capture_->touches(s, false);
    s.used.before_read(queue_);
    if (queue_) note(s, false);
  }
  void writes(detail::storage& s) {
    if (capture_) return capture_->touches(s, true);
    s.used.before_write(queue_);
    if (queue_) note(s, true);
  }
  void reads_inputs(const detail::node& n) {
    for (const auto& i : n.inputs) reads(*i.from);
  }
  queue* on() const { return queue_; }

 private:
  struct entry {
    detail::storage* of;
    bool written;
  };
  void note(detail::storage& s, bool written) {
    if (count_ < few_.size()) {
      few_[count_++] = {&s, written};
    } else {
      more_.push_back({&s, written});
    }
  }
  static void mark(const entry& e, use u) { e.written ? e.of->used.wrote(u) : e.of->used.read(u); }

  queue* queue_;
  capture* capture_;  // where the work is recorded
  queue* before_;     // of the scope around this one
  std::size_t count_ = 0;
  std::array<entry, 16> few_;
  std::vector<entry> more_;
};

}  // namespace numwarp::runtime
