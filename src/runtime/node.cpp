#include "runtime/node.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <numwarp/error.hpp>
#include <utility>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"

namespace numwarp::detail {

node::~node() {
  for (const input& i : inputs) i.from->remove_reader(this);
}

bool node::try_hold() {
  int expected = idle;
  return state_.compare_exchange_strong(expected, busy, std::memory_order_acquire);
}

bool node::hold() {
  for (;;) {
    if (try_hold()) return true;
    const int now = state_.load(std::memory_order_acquire);
    if (now == done) return false;
    if (now == busy) state_.wait(busy, std::memory_order_acquire);
  }
}

void node::let_go() noexcept {
  state_.store(idle, std::memory_order_release);
  state_.notify_all();
}

void node::finish() noexcept {
  for (const input& i : inputs) i.from->remove_reader(this);
  inputs.clear();
  outputs.clear();
  program.steps.clear();
  state_.store(done, std::memory_order_release);
  state_.notify_all();
}

void node::launch() {
  if (!hold()) return;
  try {
    run_outputs();
  } catch (...) {
    let_go();
    throw;
  }
  finish();
}

bool node::launch_to_free() noexcept {
  if (!try_hold()) return false;
  // The output may need a buffer of its own, or take one input's.
  const auto kept = std::count_if(inputs.begin(), inputs.end(), [](const input& i) {
    return i.from.use_count() == 1 && !i.from->foreign && i.from->bytes > 0;
  });
  const bool lends = outputs.size() == 1 && lendable(outputs[0]);
  if (kept < (lends ? 2 : 1)) {
    let_go();
    return false;
  }
  try {
    run_outputs();
  } catch (...) {
    let_go();
    return false;
  }
  finish();
  return true;
}

void node::fill_inputs(plan::small_vector<plan::view, 4>& views) const {
  for (const input& i : inputs) {
    i.from->compute();
    views.push_back({i.from->data + i.offset, i.strides, i.type});
  }
}

void node::write(std::span<const destination> to) {
  if (plan::size(shape) == 0) return;
  plan::elementwise p;
  p.shape = shape;
  p.program = &program;
  p.name = name;
  fill_inputs(p.inputs);
  for (const destination& d : to) {
    plan::output_view v;
    v.data = d.to->data + d.offset;
    v.strides = d.strides;
    v.type = d.type;
    v.step = d.step;
    p.outputs.push_back(std::move(v));
  }
  collapse(p);
  runtime::launch_scope scope(queue.get());
  scope.reads_inputs(*this);
  for (const destination& d : to) scope.writes(*d.to);
  runtime::backend_for(where).launch(p);
}

// An input that only this node owns and that lies as the output will can hold the output. Memory
// that somebody else may look at never does.
std::shared_ptr<storage> node::lendable(const output& o) const {
  if (outputs.size() != 1) return nullptr;
  const auto bytes = plan::size(shape) * itemsize(o.type);
  for (const input& i : inputs) {
    if (i.offset == 0 && i.from->bytes == bytes && itemsize(i.type) == itemsize(o.type) &&
        i.strides == o.strides && i.from->exposed == 0 && !i.from->foreign && sole_owner(i.from)) {
      return i.from;
    }
  }
  return nullptr;
}

void node::run_outputs() {
  plan::small_vector<destination, 1> live;
  plan::small_vector<std::shared_ptr<storage>, 1> made;
  std::shared_ptr<storage> lender;
  for (const output& o : outputs) {
    auto to = o.to.lock();
    if (!to) continue;
    lender = lendable(o);
    if (!lender) allocate_output(*to, o.type);
    live.push_back({lender ? lender : to, o.strides, 0, o.type, o.step});
    made.push_back(std::move(to));
  }
  if (live.empty()) return;
  write(live);
  for (const auto& to : made) {
    if (lender) to->adopt(*lender);
    to->publish();
  }
}

void node::allocate_output(storage& to, dtype type) const {
  try {
    to.allocate(queue.get());
  } catch (const out_of_memory& e) {
    throw_out_of_memory(name, shape, type, e.what());
  }
}

namespace {

// Weak entries: a thread's end, or a dropped result, leaves nothing behind. An entry's weak_ptr
// keeps the node's address from being used again, so that `key` means this node only.
struct thread_list {
  struct entry {
    const node* key;
    std::weak_ptr<node> ref;
    bool is_over() const {
      const auto n = ref.lock();
      return !n || n->is_done();
    }
  };
  std::vector<entry> entries;
  ~thread_list() { ended = true; }

  // For static objects whose destructors compute: the main thread's list goes before they do.
  static thread_local bool ended;
};
thread_local bool thread_list::ended = false;

thread_local thread_list pending_of_thread;
constexpr std::size_t most_pending = 16;

void launch_if_possible(const std::shared_ptr<node>& n) noexcept {
  try {
    n->launch();
  } catch (...) {
    // It stays pending, and throws where somebody needs its elements.
  }
}

}  // namespace

void note_pending(const std::shared_ptr<node>& n) noexcept try {
  if (thread_list::ended) return launch_if_possible(n);
  auto& list = pending_of_thread.entries;
  // A node that was absorbed and grew is the same node, now the newest.
  std::erase_if(list, [&](const auto& e) { return e.key == n.get(); });
  if (list.size() >= most_pending) std::erase_if(list, [](const auto& e) { return e.is_over(); });
  if (list.size() >= most_pending) {
    const auto oldest = list.front().ref.lock();
    list.erase(list.begin());
    if (oldest) launch_if_possible(oldest);
  }
  list.push_back({n.get(), n});
} catch (...) {
  // No memory for the list: the node is launched when it is needed.
}

void launch_pending_of_thread() {
  if (thread_list::ended) return;
  std::exception_ptr failure;
  // One that fails stays on the list and does not keep the others from being launched.
  std::erase_if(pending_of_thread.entries, [&](const thread_list::entry& e) {
    try {
      if (const auto n = e.ref.lock()) n->launch();
      return true;
    } catch (...) {
      if (!failure) failure = std::current_exception();
      return false;
    }
  });
  if (failure) std::rethrow_exception(failure);
}

bool launch_pending_to_free() noexcept {
  if (thread_list::ended) return false;
  bool any = false;
  // By place: a launch that needs memory may come back here, and launches never add to the list.
  for (std::size_t i = 0; i < pending_of_thread.entries.size(); ++i) {
    if (const auto n = pending_of_thread.entries[i].ref.lock()) any |= n->launch_to_free();
  }
  return any;
}

bool debug_mode() {
  static const bool on = [] {
    const char* v = std::getenv("NUMWARP_DEBUG");
    return v && *v && *v != '0';
  }();
  return on;
}

}  // namespace numwarp::detail
