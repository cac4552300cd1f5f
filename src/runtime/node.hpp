// An elementwise operation that waits: a program, what it reads, and who wants its results.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "plan/elementwise.hpp"
#include "runtime/storage.hpp"

namespace numwarp::detail {

// Where a launched program writes: a storage seen through a layout. The caller owns both.
struct destination {
  storage* to;
  const dims& strides;
  std::int64_t offset;
  dtype type;
  int step;
};

struct node final : pending {
  struct input {
    std::shared_ptr<storage> from;
    dims strides;  // over the node's shape
    std::int64_t offset;
    dtype type;
    bool watched = false;  // the storage knows this node as a reader
  };
  struct output {
    std::weak_ptr<storage> to;
    dims strides;
    dtype type;
    int step;
  };

  node(const char* function, const numwarp::shape& s, device d)
      : name(function), shape(s), where(d), queue(runtime::share_current_queue(d)) {}
  ~node() override;

  const char* name;  // the public function that made it
  numwarp::shape shape;
  device where;
  std::shared_ptr<runtime::queue> queue;  // the one it was made for, and runs on
  plan::small_vector<input, 3> inputs;
  plan::small_vector<output, 1> outputs;
  plan::program program;

  void launch() override;
  // Runs at once into `to` instead of the outputs. The node must be held by the caller (busy).
  void write(std::span<const destination> to);
  // A plan over the inputs, for a caller that adds the outputs; see reduce.cpp.
  void fill_inputs(plan::small_vector<plan::view, 4>& views) const;

  // Registers with all inputs, so that whoever writes into them launches this node first. For nodes
  // that wait: what is computed within its call needs no such entry.
  void watch_inputs();

  // One owner at a time works on a node. try_hold: without waiting; hold: waits, false when done.
  bool try_hold();
  bool hold();
  void let_go() noexcept;
  // Done, launched or taken over: the inputs are dropped and forget this reader.
  void finish() noexcept;
  // Launches it where nobody works on it and it holds the last reference to an input: more memory
  // is free afterwards than before. Does not wait and does not throw.
  bool launch_to_free() noexcept;
  bool is_done() const { return state_.load(std::memory_order_acquire) == done; }

 private:
  void forget_inputs() noexcept;
  enum state_t : int { idle, busy, done };
  void run_outputs();
  std::shared_ptr<storage> lendable(const output& o) const;
  void allocate_output(storage& to, dtype type) const;

  std::atomic<int> state_{busy};
};

// The calling thread's pending operations: at most sixteen, the seventeenth launches the oldest.
// note_pending does not throw: where the oldest fails, it stays pending and throws when needed.
void note_pending(const std::shared_ptr<node>& n) noexcept;
void launch_pending_of_thread();
// For an allocation that failed: launches those that give memory back. False where there are none.
bool launch_pending_to_free() noexcept;

// NUMWARP_DEBUG=1: every operation is launched at its call and waited for.
bool debug_mode();

}  // namespace numwarp::detail
