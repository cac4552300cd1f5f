#include "runtime/node.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <numwarp/error.hpp>
#include <utility>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/capture.hpp"
#include "runtime/launch_scope.hpp"

namespace numwarp::detail {

namespace {

// Nodes leave the list when they are done or dropped, so that it is short; those that another
// thread computed or dropped stay as expired entries for a while. An entry's weak_ptr keeps the
// node's address from being used again, so that `key` means this node only.
struct thread_list {
  struct entry {
    const node* key;
    std::weak_ptr<node> ref;
  };
  std::vector<entry> entries;
  ~thread_list() { ended = true; }
  void forget(const node* n) {
    std::erase_if(entries, [n](const entry& e) { return e.key == n; });
  }

  // For static objects whose destructors compute: the main thread's list goes before they do.
  static thread_local bool ended;
};
thread_local bool thread_list::ended = false;

thread_local thread_list pending_of_thread;

void forget_pending(const node* n) noexcept {
  if (!thread_list::ended) pending_of_thread.forget(n);
}

constexpr std::size_t most_pending = 16;

}  // namespace

node::~node() {
  forget_inputs();
  if (!is_done()) forget_pending(this);
}

void node::watch_inputs() {
  for (input& i : inputs) {
    if (std::exchange(i.watched, true)) continue;
    i.from->add_reader(this);
  }
}

void node::forget_inputs() noexcept {
  for (const input& i : inputs) {
    if (i.watched) i.from->remove_reader(this);
  }
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
  forget_inputs();
  inputs.clear();
  outputs.clear();
  program.steps.clear();
  forget_pending(this);
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
    views.emplace_back(i.from->data + i.offset, i.strides, i.type);
  }
}

void node::write(std::span<const destination> to) {
  if (plan::size(shape) == 0) return;
  plan::elementwise p;
  p.shape = shape;
  p.program = &program;
  p.name = name;
  p.called = &shape;
  fill_inputs(p.inputs);
  for (const destination& d : to) {
    plan::output_view& v = p.outputs.emplace_back();
    v.data = d.to->data + d.offset;
    v.strides = d.strides;
    v.type = d.type;
    v.step = d.step;
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
  // A launch of a graph must find what it reads as it was: only the graph's own memory is lent.
  auto* const c = queue ? runtime::capture::on(queue.get()) : nullptr;
  for (const input& i : inputs) {
    if (c && !c->memory().owns(*i.from)) continue;
    if (sole_owner(i.from) && i.offset == 0 && i.from->bytes == bytes &&
        itemsize(i.type) == itemsize(o.type) && i.strides == o.strides && i.from->exposed == 0 &&
        !i.from->foreign) {
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
    live.emplace_back(lender ? lender.get() : to.get(), o.strides, 0, o.type, o.step);
    made.push_back(std::move(to));
  }
  if (live.empty()) return;
  write(live);
  auto* const c = lender && queue ? runtime::capture::on(queue.get()) : nullptr;
  for (const auto& to : made) {
    if (lender) to->adopt(*lender);
    if (c) c->touches(*to, true);
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
  if (!list.empty() && list.back().key == n.get()) return;
  pending_of_thread.forget(n.get());
  if (list.size() >= most_pending)
    std::erase_if(list, [](const auto& e) { return e.ref.expired(); });
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
  // A node leaves the list when it is done. One that fails goes back on it and does not keep the
  // others from being launched.
  for (thread_list::entry& e : std::exchange(pending_of_thread.entries, {})) {
    try {
      if (const auto n = e.ref.lock()) n->launch();
    } catch (...) {
      if (!failure) failure = std::current_exception();
      pending_of_thread.entries.push_back(std::move(e));
    }
  }
  if (failure) std::rethrow_exception(failure);
}

bool launch_pending_to_free() noexcept {
  if (thread_list::ended) return false;
  bool any = false;
  // From the back and by place: a launch takes entries off the list, and may come back here.
  const auto& list = pending_of_thread.entries;
  for (std::size_t i = list.size(); i-- > 0;) {
    if (i >= list.size()) continue;
    if (const auto n = list[i].ref.lock()) any |= n->launch_to_free();
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
