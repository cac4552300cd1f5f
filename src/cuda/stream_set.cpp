// Making streams, and giving them out again. None is ever destroyed.
#include <algorithm>

#include "cuda/error.hpp"
#include "cuda/stream.hpp"

namespace numwarp::cuda_backend {

cuda_queue* stream_set::make(int priority) {
  const device_scope scope(index_);
  int least = 0, greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "stream");
  cudaStream_t s = nullptr;
  const int cut = std::clamp(priority, greatest, least);  // the greatest is the smallest number
  check(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, cut), "stream");
  auto* q = new cuda_queue(index_, s, slots_.take());
  std::lock_guard lock(mutex_);
  all_.push_back(q);
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
  return {found, [this, priority](cuda_queue* q) { put_back(q, priority); }};
}

void stream_set::put_back(cuda_queue* q, int priority) noexcept {
  std::lock_guard lock(mutex_);
  try {
    spare_.emplace_back(priority, q);
  } catch (...) {  // one stream less to give out
  }
}

std::shared_ptr<cuda_queue> stream_set::adopt(void* handle) {
  std::lock_guard lock(mutex_);
  for (foreign& f : foreign_) {
    if (f.handle != handle) continue;
    if (auto shared = f.handles.lock()) return shared;
  }
  std::erase_if(foreign_, [&](const foreign& f) { return f.handle == handle; });
  auto* q = new cuda_queue(index_, static_cast<cudaStream_t>(handle), slots_.take());
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
