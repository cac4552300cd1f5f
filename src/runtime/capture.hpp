// Capturing: the calling thread's work for one queue is recorded instead of run. The capture takes
// the place of what orders and frees memory elsewhere: it notes what the work reads and writes, for
// the launches of the graph, and hands out memory that nobody else gets while the graph lives.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/pool.hpp"
#include "runtime/queue.hpp"
#include "runtime/storage.hpp"

namespace numwarp::runtime {

// The memory of one graph: segments from a device's pool, which go back when the graph and the
// arrays made in its capture are gone. Work of a capture runs in one order, so that blocks freed in
// it are handed out again in it, without looking at queues.
class graph_memory {
 public:
  // Segments are asked for in the order of `q`, on which nothing is recorded.
  graph_memory(pool& parent, queue* q);

  pool& blocks() { return *blocks_; }
  bool owns(const detail::storage& s) const;
  // The launches of the graph, and at first what its segments must wait for.
  usage& used();

 private:
  class segments;
  segments* source_;  // owned by blocks_
  std::shared_ptr<pool> blocks_;
};

// What a graph holds: the work, and everything that the work needs.
struct graph_work {
  struct array {
    std::shared_ptr<detail::storage> of;
    bool written;
  };
  std::unique_ptr<graph_memory> memory;
  std::vector<array> arrays;
  std::vector<std::shared_ptr<const void>> kept;
  std::unique_ptr<recording> work;  // goes first
};

class capture {
 public:
  // From now on the calling thread's work for the queue's device is recorded on `q`.
  capture(std::shared_ptr<queue> q, pool& device_pool);
  // Ends it; what was recorded is forgotten unless finish() gave it away.
  ~capture();
  capture(const capture&) = delete;
  capture& operator=(const capture&) = delete;

  // Ends it. Launches the thread's pending operations first. Throws capture_error where something
  // has been refused meanwhile, also if nobody passed that error on.
  std::unique_ptr<graph_work> finish();

  // The calling thread's capture, or null.
  static capture* of_thread() { return active_; }
  // The same where it records on q.
  static capture* on(const queue* q) {
    return active_ && active_->queue_.get() == q ? active_ : nullptr;
  }

  void touches(detail::storage& s, bool written);
  void keep(std::shared_ptr<const void> p) { result_->kept.push_back(std::move(p)); }
  graph_memory& memory() { return *result_->memory; }
  // Throws capture_error, and makes finish() throw it, too.
  [[noreturn]] void refuse(const std::string& text);

 private:
  struct entry {
    std::weak_ptr<detail::storage> of;
    std::shared_ptr<detail::storage> held;  // memory that is not the graph's
    bool written = false;
  };
  void end() noexcept;

  static inline thread_local constinit capture* active_ = nullptr;
  const std::shared_ptr<queue> queue_;
  std::unique_ptr<graph_work> result_;
  std::shared_ptr<queue> before_;
  std::unordered_map<detail::storage*, entry> touched_;
  std::string refused_;
};

// The host is about to wait for work on q, or to put something there that only happens once: an
// error while q records for the calling thread. `what` follows the public function's name.
inline void refuse_recorded(const queue* q, const char* what) {
  if (capture* c = q ? capture::on(q) : nullptr) c->refuse(what);
}

// Raw access to elements, which work on q (null: the host itself) may use from now on.
void before_use(detail::storage& s, queue* q, bool written);

// Memory for work on q: the graph's where q is recorded, else from `p`.
block* allocate_block(pool& p, std::int64_t bytes, queue* q);

}  // namespace numwarp::runtime
