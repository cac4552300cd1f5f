#include "cuda/stream.hpp"

#include <cstring>
#include <numwarp/error.hpp>

#include "cuda/error.hpp"

namespace numwarp::cuda_backend {

namespace {

cuda_queue& of(runtime::queue& q) { return static_cast<cuda_queue&>(q); }

cudaEvent_t make_event(unsigned flags) {
  cudaEvent_t e = nullptr;
  check(cudaEventCreateWithFlags(&e, flags), "cudaEventCreate");
  return e;
}

}  // namespace

cuda_queue::cuda_queue(int index, cudaStream_t s, error_slot slot)
    : queue(numwarp::cuda(index)), index_(index), stream_(s), slot_(slot) {
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
  if (retired_) return;
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
  if (retired_) return check(cudaEventSynchronize(order_), "synchronize");
  check(cudaStreamSynchronize(stream_), "synchronize");
}

void cuda_queue::synchronize() {
  const std::uint64_t at = now();
  wait_on_host();
  finish_up_to(at);
  throw_late_errors();
}

bool cuda_queue::idle() {
  const cudaError_t code = retired_ ? cudaEventQuery(order_) : cudaStreamQuery(stream_);
  if (code == cudaErrorNotReady) {
    (void)cudaGetLastError();
    return false;
  }
  check(code, "done");
  return true;
}

bool cuda_queue::has_late_errors() const {
  return slot_.host && *static_cast<volatile core::u32*>(&slot_.host->code) != 0;
}

void cuda_queue::throw_late_errors() {
  if (!has_late_errors()) return;
  wait_on_host();  // the kernel may still be writing what it found
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
  if (!o.retired_) {
    const device_scope scope(o.index_);
    o.check(cudaEventRecord(o.order_, o.stream_), "cudaEventRecord");
  }
  const device_scope scope(index_);
  check(cudaStreamWaitEvent(stream_, o.order_, 0), "cudaStreamWaitEvent");
}

bool cuda_queue::set_mark() noexcept {
  if (retired_) return true;
  try {
    const device_scope scope(index_);
    return cudaEventRecord(mark_, stream_) == cudaSuccess;
  } catch (...) {
    return false;
  }
}

bool cuda_queue::passed_mark() noexcept {
  const cudaError_t code = cudaEventQuery(retired_ ? order_ : mark_);
  if (code != cudaSuccess) (void)cudaGetLastError();
  return code == cudaSuccess;
}

void cuda_queue::retire() noexcept {
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

void cuda_marker::wait() { check(cudaEventSynchronize(event_), "synchronize"); }

bool cuda_marker::done() {
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
  float ms = 0;
  const cudaEvent_t from = static_cast<cuda_marker&>(start).event_;
  check(cudaEventSynchronize(from), "elapsed_time");
  check(cudaEventElapsedTime(&ms, from, event_), "elapsed_time");
  return double(ms);
}

}  // namespace numwarp::cuda_backend
