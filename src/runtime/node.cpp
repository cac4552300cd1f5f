#include "runtime/node.hpp"

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

void node::let_go() {
  state_.store(idle, std::memory_order_release);
  state_.notify_all();
}

void node::finish() {
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

void node::fill_inputs(std::vector<plan::view>& views) const {
  views.reserve(inputs.size());
  for (const input& i : inputs) {
    i.from->compute();
    views.push_back({i.from->data + i.offset, i.strides, i.type});
  }
}

void node::write(std::span<const destination> to) {
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
  if (p.size == 0) return;
  runtime::launch_scope scope(queue.get());
  scope.reads_inputs(*this);
  for (const destination& d : to) scope.writes(*d.to);
  runtime::backend_for(where).run(p);
}

// An input that only this node owns and that lies as the output will can hold the output.
std::shared_ptr<storage> node::lendable(const output& o) const {
  if (outputs.size() != 1) return nullptr;
  const auto bytes = plan::size(shape) * itemsize(o.type);
  for (const input& i : inputs) {
    if (i.from.use_count() == 1 && i.from->exposed == 0 && !i.from->foreign && i.offset == 0 &&
        i.from->bytes == bytes && itemsize(i.type) == itemsize(o.type) && i.strides == o.strides) {
      return i.from;
    }
  }
  return nullptr;
}

void node::run_outputs() {
  std::vector<destination> live;
  std::shared_ptr<storage> lender;
  for (const output& o : outputs) {
    auto to = o.to.lock();
    if (!to) continue;
    lender = lendable(o);
    if (!lender) to->allocate(queue.get());
    live.push_back({lender ? lender : to, o.strides, 0, o.type, o.step});
    if (lender) live.back().to = lender;
  }
  if (live.empty()) return;
  write(live);
  for (std::size_t i = 0, k = 0; i < outputs.size() && k < live.size(); ++i) {
    auto to = outputs[i].to.lock();
    if (!to) continue;
    if (lender) to->adopt(*lender);
    to->publish();
    ++k;
  }
}

namespace {

struct thread_list {
  std::vector<std::weak_ptr<node>> entries;

  static bool is_over(const std::weak_ptr<node>& w) {
    const auto n = w.lock();
    return !n || n->is_done();
  }
};

thread_local thread_list pending_of_thread;
constexpr std::size_t most_pending = 16;

}  // namespace

void note_pending(const std::shared_ptr<node>& n) {
  auto& list = pending_of_thread.entries;
  if (list.size() >= most_pending) std::erase_if(list, thread_list::is_over);
  if (list.size() >= most_pending) {
    const auto oldest = list.front().lock();
    list.erase(list.begin());
    if (oldest) oldest->launch();
  }
  list.push_back(n);
}

void launch_pending_of_thread() {
  auto list = std::move(pending_of_thread.entries);
  pending_of_thread.entries.clear();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto n = list[i].lock();
    if (!n) continue;
    try {
      n->launch();
    } catch (...) {
      // What was not reached stays on the list, the failed one included.
      pending_of_thread.entries.assign(list.begin() + std::ptrdiff_t(i), list.end());
      throw;
    }
  }
}

bool debug_mode() {
  static const bool on = [] {
    const char* v = std::getenv("NUMWARP_DEBUG");
    return v && *v && *v != '0';
  }();
  return on;
}

}  // namespace numwarp::detail
