// Streams as the runtime sees them: work that runs in order, and who must run after whom.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <numwarp/device.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace numwarp::runtime {

class recording;

// One stream. Its work is counted: a ticket names all work up to a point. Queues are never
// destroyed, since buffers and blocks of memory name them for as long as they live.
class queue {
 public:
  explicit queue(device d) : where(d) {}
  virtual ~queue() = default;
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;

  const device where;
  virtual void* handle() const { return nullptr; }  // cudaStream_t
  // The host waits for everything, and late errors are thrown: see throw_late_errors.
  virtual void synchronize() = 0;
  // True where all work has finished; does not wait.
  virtual bool idle() = 0;
  // Throws what kernels that have finished found wrong with their data.
  virtual void throw_late_errors() {}
  virtual int priority() const { return 0; }
  // Runs f on the host after the work put here before. What f throws is a late error.
  virtual void call_on_host(std::function<void()> f) { f(); }

  // Work put here between the two calls is recorded instead of run.
  virtual void begin_recording() {}
  virtual std::unique_ptr<recording> end_recording();

  // Who may put work here: everybody, the thread that records, or nobody any more.
  enum class state : unsigned char { open, recording, closed };
  state now_is() const { return state_.load(std::memory_order_acquire); }
  bool is_recording() const { return now_is() == state::recording; }
  void set(state s) { state_.store(s, std::memory_order_release); }
  // No work comes here any more; what is here goes on.
  virtual void close() { set(state::closed); }

  std::uint64_t now() const { return count_.load(std::memory_order_acquire); }
  // Counts work that has just been put on the queue; call it after, not before.
  std::uint64_t advance() { return count_.fetch_add(1, std::memory_order_acq_rel) + 1; }

  // Work put here from now on runs after the work of `other` up to `ticket`. The host goes on.
  void follow(queue& other, std::uint64_t ticket);
  // Whether the work up to `ticket` is known to have finished. The host goes on; a first `false`
  // sets a mark, so that asking again later can give `true`.
  bool reached(std::uint64_t ticket) noexcept;
  // The host waits for the work up to `ticket`. Throws cuda_error where the device failed; wrong
  // data are not looked for.
  void wait(std::uint64_t ticket);

 protected:
  // All work put here from now on runs after what is on `other` at this moment.
  virtual void wait_for(queue& other) = 0;
  virtual void wait_on_host() = 0;
  // A mark behind the work at this moment, and whether it has been passed. One mark at a time.
  virtual bool set_mark() noexcept = 0;
  virtual bool passed_mark() noexcept = 0;

  void finish_up_to(std::uint64_t ticket);

 private:
  bool is_idle() noexcept;

  std::atomic<std::uint64_t> count_{0}, finished_{0};
  std::atomic<state> state_{state::open};
  std::mutex mutex_;  // guards what follows
  std::vector<std::pair<queue*, std::uint64_t>> followed_;
  bool marked_ = false;
  std::uint64_t mark_at_ = 0;
};

// A point in the work of a queue: nw::event.
class marker {
 public:
  virtual ~marker() = default;
  virtual void record(queue& q) = 0;
  virtual void wait() = 0;
  virtual bool done() = 0;
  // Work put on q from now on runs after it.
  virtual void block(queue& q) = 0;
  virtual double milliseconds_since(marker& start) = 0;
};

// What a queue recorded: nw::graph. One thread at a time uses it.
class recording {
 public:
  virtual ~recording() = default;
  // Makes it ready to run; not for one that another has taken over.
  virtual void prepare() = 0;
  // Runs what `newer` recorded from now on, and `newer` is spent; false where that has another
  // form.
  virtual bool take_over(recording& newer) = 0;
  virtual void upload(queue& q) = 0;
  virtual void launch(queue& q) = 0;
};

// The queue that the calling thread's work on d goes to; null on the CPU, where all work is done
// when a call returns.
queue* current_queue(device d);
// The same, owned: while somebody holds it, a stream is not reused.
std::shared_ptr<queue> share_current_queue(device d);
// Null means the device's default queue. Gives back what was chosen before.
std::shared_ptr<queue> exchange_current_queue(device d, std::shared_ptr<queue> q);

// A mutex that is mostly held for a few instructions; who finds it taken lets others run, and
// sleeps where that does not help.
class spin_lock {
 public:
  void lock() noexcept {
    for (int tries = 0; flag_.test_and_set(std::memory_order_acquire); ++tries) {
      if (tries < 100) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      }
    }
  }
  void unlock() noexcept { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_;
};

// Work that used a buffer.
struct use {
  queue* on = nullptr;
  std::uint64_t at = 0;
};

// The streams that wrote and read a buffer. Empty, and free of cost, for buffers that only the host
// used. Reading from several threads at a time is safe.
class usage {
 public:
  bool empty() const { return !used_.load(std::memory_order_acquire); }

  // What must be done before work on q (null: the host itself) reads or writes the buffer.
  void before_read(queue* q);
  void before_write(queue* q);
  // Of a new buffer, which no other thread looks at yet: what its memory waited for.
  void start(use u) {
    writer_ = u;
    used_.store(true, std::memory_order_release);
  }
  // What was done; call it when the work is on its queue.
  void read(use u);
  void wrote(use u);

  use writer() const;
  // f(use) for the last writer, then for the readers on other queues; of a buffer that nobody else
  // knows any more, so that no lock is needed.
  template <class F> void for_each_unshared(const F& f) const {
    if (writer_.on) f(writer_);
    for (const use& r : readers_) f(r);
  }
  // The last writer first.
  std::vector<use> all() const;
  void clear();
  void take(usage& other);

 private:
  mutable spin_lock lock_;
  std::atomic<bool> used_{false};
  use writer_;
  std::vector<use> readers_;  // on queues other than the writer's
};

// Throws synchronization_error on behalf of `function` where the calling thread must not wait for
// d: profiler::allow_synchronize. On the CPU nothing has to be waited for.
void check_wait(device d, const char* function);
// For waits that are nobody's to choose, in destructors: a scope in which check_wait lets all pass.
class waiting_allowed {
 public:
  waiting_allowed();
  ~waiting_allowed();
  waiting_allowed(const waiting_allowed&) = delete;
  waiting_allowed& operator=(const waiting_allowed&) = delete;

 private:
  bool before_;
};
// Returns what was set before.
bool exchange_waiting_forbidden(bool forbidden);

// q runs after u, or the host waits for it where q is null.
void order_after(queue* q, use u);

}  // namespace numwarp::runtime
