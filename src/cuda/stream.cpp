#include "cuda/stream.hpp"

#include <algorithm>
#include <cstring>
#include <numwarp/error.hpp>

#include "cuda/error.hpp"
#include "cuda/graph.hpp"

namespace numwarp::cuda_backend {

namespace {

cuda_queue& of(runtime::queue& q) { return static_cast<cuda_queue&>(q); }

cudaEvent_t make_event(unsigned flags) {
  cudaEvent_t e = nullptr;
  check(cudaEventCreateWithFlags(&e, flags), "cudaEventCreate");
  return e;
}

}  // namespace

cuda_queue::cuda_queue(int index, cudaStream_t s, error_slot slot, kind k)
    : queue(numwarp::cuda(index)), index_(index), stream_(s), slot_(slot), kind_(k) {
  const device_scope scope(index_);
  order_ = make_event(cudaEventDisableTiming);
  mark_ = make_event(cudaEventDisableTiming);
}

void cuda_queue::check(cudaError_t code, const char* what) const {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();
  std::string text = std::string(what) + ": " + describe(code);
  if (is_fatal(code)) text += "; " + recent();
  throw cuda_error(text);
}

void cuda_queue::explain(const char* error) const {
  if (retired_ || is_recording()) return;
  const device_scope scope(index_);
  const cudaError_t code = cudaStreamQuery(stream_);
  (void)cudaGetLastError();
  if (is_fatal(code)) throw cuda_error(std::string(error) + "; " + recent());
}

void cuda_queue::note(const char* name) noexcept {
  const std::size_t i = noted_.fetch_add(1, std::memory_order_relaxed);
  names_[i % remembered].store(name, std::memory_order_relaxed);
}

std::string cuda_queue::recent() const {
  const std::size_t end = noted_.load(std::memory_order_relaxed);
  std::string text = "the last launches of the stream, newest first:";
  for (std::size_t k = 1; k <= remembered && k <= end; ++k) {
    const char* name = names_[(end - k) % remembered].load(std::memory_order_relaxed);
    if (name) text += std::string(k > 1 ? ", " : " ") + name;
  }
  if (end == 0) text += " none";
  return text + " (NUMWARP_DEBUG=1 finds the one that failed)";
}

void cuda_queue::wait_on_host() {
  if (is_recording()) throw capture_error("capture: the host cannot wait for what is captured");
  const device_scope scope(index_);
  if (retired_) return check(cudaEventSynchronize(order_), "synchronize");
  check(cudaStreamSynchronize(stream_), "synchronize");
}

std::uint64_t cuda_queue::finish() {
  const std::uint64_t at = now();
  wait_on_host();
  finish_up_to(at);
  return at;
}

void cuda_queue::report(std::uint64_t ticket) {
  calls_.forget_called();
  throw_late_errors();
  if (!has_graphs_.load(std::memory_order_acquire)) return;
  std::vector<launched_graph> over;  // destroyed after the lock
  std::lock_guard lock(graphs_mutex_);
  for (launched_graph& g : graphs_) {
    if (g.last <= ticket) over.push_back(std::move(g));
  }
  std::erase_if(graphs_, [](const launched_graph& g) { return !g.recorded_on; });
  has_graphs_.store(!graphs_.empty(), std::memory_order_release);
}

int cuda_queue::priority() const {
  const device_scope scope(index_);
  int p = 0;
  check(cudaStreamGetPriority(stream_, &p), "priority");
  return p;
}

void cuda_queue::call_on_host(std::function<void()> f) {
  const device_scope scope(index_);
  note("launch_host_function");
  calls_.launch(stream_, std::move(f), is_recording());
}

void cuda_queue::close() {
  queue::close();
  if (kind_ == kind::foreign) retire();
}

// Relaxed: memory is allocated and kernels are loaded meanwhile, and the rest that a stricter mode
// would forbid is checked here.
void cuda_queue::begin_recording() {
  const device_scope scope(index_);
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), "capture");
}

std::unique_ptr<runtime::recording> cuda_queue::end_recording() {
  const device_scope scope(index_);
  cudaGraph_t graph = nullptr;
  const cudaError_t code = cudaStreamEndCapture(stream_, &graph);
  if (code != cudaSuccess) {
    (void)cudaGetLastError();
    throw capture_error(std::string("capture: ") + cudaGetErrorString(code) + " (" +
                        cudaGetErrorName(code) + ")");
  }
  return std::make_unique<cuda_graph>(graph, shared_from_this());
}

void cuda_queue::replay(cudaGraphExec_t graph, const std::shared_ptr<cuda_queue>& recorded_on) {
  const device_scope scope(index_);
  note("graph");
  std::lock_guard lock(graphs_mutex_);
  auto entry = std::find_if(graphs_.begin(), graphs_.end(),
                            [&](const launched_graph& g) { return g.recorded_on == recorded_on; });
  if (entry == graphs_.end()) entry = graphs_.insert(entry, launched_graph{recorded_on});
  has_graphs_.store(true, std::memory_order_release);
  check(cudaGraphLaunch(graph, stream_), "launch");
  entry->last = now() + 1;  // the caller counts it next
}

bool cuda_queue::idle() {
  if (is_recording()) return false;
  const device_scope scope(index_);
  const cudaError_t code = retired_ ? cudaEventQuery(order_) : cudaStreamQuery(stream_);
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(code, "done");
  return true;
}

bool cuda_queue::has_late_errors() const {
  return calls_.failed() ||
         (slot_.host && *static_cast<volatile core::u32*>(&slot_.host->code) != 0);
}

// The graphs launched here that have something to report.
std::vector<std::shared_ptr<cuda_queue>> cuda_queue::failed_graphs() {
  std::vector<std::shared_ptr<cuda_queue>> found;
  if (!has_graphs_.load(std::memory_order_acquire)) return found;
  std::lock_guard lock(graphs_mutex_);
  for (const launched_graph& g : graphs_) {
    if (g.recorded_on->has_late_errors()) found.push_back(g.recorded_on);
  }
  return found;
}

void cuda_queue::throw_late_errors() {
  const auto graphs = failed_graphs();
  if (graphs.empty() && !has_late_errors()) return;
  wait_on_host();  // the kernel may still be writing what it found
  throw_late_error();
  for (const auto& q : graphs) q->throw_late_error();
}

void cuda_queue::throw_late_error() {
  if (auto failure = calls_.failed() ? calls_.take_failure() : nullptr) {
    std::rethrow_exception(failure);
  }
  if (!slot_.host) return;
  core::error_record found;
  {
    std::lock_guard lock(slot_mutex_);
    found = *slot_.host;
    std::memset(slot_.host, 0, sizeof found);
  }
  if (found.code != 0) throw_reported(found);  // else another thread was first
}

void cuda_queue::wait_for(runtime::queue& other) {
  cuda_queue& o = of(other);
  if (retired_) return;  // nothing runs here any more
  if (is_recording() || o.is_recording()) {
    throw capture_error("capture: a stream cannot wait for one that captures");
  }
  if (!o.retired_) {
    const device_scope scope(o.index_);
    o.check(cudaEventRecord(o.order_, o.stream_), "cudaEventRecord");
  }
  const device_scope scope(index_);
  check(cudaStreamWaitEvent(stream_, o.order_, 0), "cudaStreamWaitEvent");
}

bool cuda_queue::set_mark() noexcept {
  if (retired_) return true;
  if (is_recording()) return false;
  try {
    const device_scope scope(index_);
    return cudaEventRecord(mark_, stream_) == cudaSuccess;
  } catch (...) {
    return false;
  }
}

bool cuda_queue::passed_mark() noexcept {
  try {
    const device_scope scope(index_);
    const cudaError_t code = cudaEventQuery(retired_ ? order_ : mark_);
    if (code != cudaSuccess) (void)cudaGetLastError();
    return code == cudaSuccess;
  } catch (...) {
    return false;
  }
}

void cuda_queue::retire() noexcept {
  if (retired_) return;
  try {
    const device_scope scope(index_);
    (void)cudaEventRecord(order_, stream_);
  } catch (...) {
  }
  retired_ = true;
}

cuda_marker::cuda_marker(int index, bool timing) : index_(index) {
  const device_scope scope(index_);
  event_ = make_event(timing ? cudaEventDefault : cudaEventDisableTiming);
}

cuda_marker::~cuda_marker() {
  if (cudaEventDestroy(event_) != cudaSuccess) (void)cudaGetLastError();
}

void cuda_marker::record(runtime::queue& q) {
  const device_scope scope(index_);
  check(cudaEventRecord(event_, of(q).stream()), "record");
}

void cuda_marker::wait() {
  const device_scope scope(index_);
  check(cudaEventSynchronize(event_), "synchronize");
}

bool cuda_marker::done() {
  const device_scope scope(index_);
  const cudaError_t code = cudaEventQuery(event_);
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(code, "done");
  return true;
}

void cuda_marker::block(runtime::queue& q) {
  const device_scope scope(q.where.index());
  check(cudaStreamWaitEvent(of(q).stream(), event_, 0), "wait");
}

double cuda_marker::milliseconds_since(runtime::marker& start) {
  const device_scope scope(index_);
  float ms = 0;
  const cudaEvent_t from = static_cast<cuda_marker&>(start).event_;
  check(cudaEventSynchronize(from), "elapsed_time");
  check(cudaEventElapsedTime(&ms, from, event_), "elapsed_time");
  return double(ms);
}

}  // namespace numwarp::cuda_backend
