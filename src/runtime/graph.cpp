// Graphs as users see them.
#include <numwarp/error.hpp>
#include <numwarp/graph.hpp>

#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/stream.hpp"

namespace numwarp {

namespace runtime {

struct graph_state {
  device where;
  std::mutex mutex;  // a graph is launched by one thread at a time
  std::unique_ptr<graph_work> now;
};

std::shared_ptr<queue> backend::recording_queue() {
  throw device_error("capture: graphs are of CUDA devices; on " + to_string(where()) +
                     " call the function itself");
}

namespace {

std::unique_ptr<graph_work> record(const std::function<void()>& f, device d, const char* function) {
  backend& b = backend_for(d);
  if (!f) throw value_error(std::string(function) + ": there is no function");
  if (capture* outer = capture::of_thread()) {
    outer->refuse(std::string(function) + ": inside a capture");
  }
  auto q = b.recording_queue();
  flush();
  const device_guard on(d);
  capture c(std::move(q), b.memory());
  f();
  return c.finish();
}

void launch_on(graph_state& g, queue& q) {
  std::lock_guard lock(g.mutex);
  graph_work& w = *g.now;
  for (const auto& a : w.arrays) {
    if (a.written) a.of->launch_readers();
  }
  launch_scope scope(&q);
  for (const auto& a : w.arrays) a.written ? scope.writes(*a.of) : scope.reads(*a.of);
  w.memory->used().before_write(&q);
  count_launch();
  run_moving(g.where, "graph", 0, [&] { w.work->launch(q); });
  w.memory->used().wrote({&q, q.advance()});
}

// The queue of s, for work of a graph on d.
queue& queue_for(const stream& s, device d, const char* function) {
  if (capture* c = capture::of_thread()) {
    c->refuse(std::string(function) + ": a graph inside a capture");
  }
  if (!(s.device() == d)) {
    throw device_error(std::string(function) + ": the graph is on " + to_string(d) +
                       " and the stream on " + to_string(s.device()));
  }
  return *stream_access::queue_of(s, function);
}

}  // namespace
}  // namespace runtime

runtime::graph_state& graph::state(const char* function) const {
  if (state_) return *state_;
  throw value_error(std::string(function) + ": the graph is empty (nothing was captured)");
}

device graph::device() const { return state("device").where; }

void graph::launch() const { launch(current_stream(state("launch").where)); }
void graph::launch(const stream& s) const {
  runtime::graph_state& g = state("launch");
  runtime::launch_on(g, runtime::queue_for(s, g.where, "launch"));
}

void graph::upload() const { upload(current_stream(state("upload").where)); }
void graph::upload(const stream& s) const {
  runtime::graph_state& g = state("upload");
  auto& q = runtime::queue_for(s, g.where, "upload");
  std::lock_guard lock(g.mutex);
  const runtime::launch_scope scope(&q);
  g.now->work->upload(q);
  q.advance();
}

bool graph::update(const std::function<void()>& f) const {
  runtime::graph_state& g = state("update");
  auto newer = runtime::record(f, g.where, "update");
  std::lock_guard lock(g.mutex);
  const bool same = g.now->work->take_over(*newer->work);
  if (same) {
    std::swap(g.now->work, newer->work);
  } else {
    newer->work->prepare();
  }
  std::swap(g.now, newer);
  return same;
}

graph capture(const std::function<void()>& f, device d) {
  auto work = runtime::record(f, d, "capture");
  work->work->prepare();
  graph g;
  g.state_ = std::make_shared<runtime::graph_state>();
  g.state_->where = d;
  g.state_->now = std::move(work);
  return g;
}

}  // namespace numwarp
