// Making streams, and giving them out again. None is ever destroyed.
#include <algorithm>
#include <numwarp/error.hpp>

#include "cuda/error.hpp"
#include "cuda/stream.hpp"

namespace numwarp::cuda_backend {

cuda_queue* stream_set::make(int priority) {
  const device_scope scope(index_);
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "stream");
  cudaStream_t s = nullptr;
  // The greatest is the smallest number.
  const int cut = priority == recording ? 0 : std::clamp(priority, greatest, least);
  check(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, cut), "stream");
  auto* q = new cuda_queue(index_, s, slots_.take(), cuda_queue::kind::own);
  std::lock_guard lock(mutex_);
  if (priority != recording) all_.push_back(q);
  return q;
}

void stream_set::start() { default_ = make(0); }

std::shared_ptr<cuda_queue> stream_set::create(int priority) {
  cuda_queue* found = nullptr;
  {
    std::lock_guard lock(mutex_);
    // A late error of its last owner stays with the stream until a synchronize of the device.
    const auto at = std::find_if(spare_.begin(), spare_.end(), [&](const auto& s) {
      return s.first == priority && !s.second->has_late_errors();
    });
    if (at != spare_.end()) {
      found = at->second;
      spare_.erase(at);
    }
  }
  if (!found) found = make(priority);
  found->set(runtime::queue::state::open);
  return {found, [this, priority](cuda_queue* q) { put_back(q, priority); }};
}

void stream_set::put_back(cuda_queue* q, int priority) noexcept {
  try {
    q->forget_recorded();
    std::lock_guard lock(mutex_);
    spare_.emplace_back(priority, q);
  } catch (...) {  // one stream less to give out
  }
}

std::shared_ptr<cuda_queue> stream_set::adopt(void* handle) {
  if (handle == cudaStreamPerThread) {
    throw value_error(
        "external: cudaStreamPerThread is another stream in each thread; use "
        "stream::per_thread()");
  }
  std::lock_guard lock(mutex_);
  for (foreign& f : foreign_) {
    if (f.handle != handle) continue;
    auto shared = f.handles.lock();
    if (shared && shared->now_is() != runtime::queue::state::closed) return shared;
  }
  const device_scope scope(index_);
  std::erase_if(foreign_, [&](const foreign& f) { return f.handle == handle; });
  auto* q = new cuda_queue(index_, static_cast<cudaStream_t>(handle), slots_.take(),
                           cuda_queue::kind::foreign);
  all_.push_back(q);
  std::shared_ptr<cuda_queue> made(q, [](cuda_queue* last) { last->retire(); });
  foreign_.push_back({handle, made});
  return made;
}

std::vector<cuda_queue*> stream_set::all() const {
  std::lock_guard lock(mutex_);
  return all_;
}

}  // namespace numwarp::cuda_backend
