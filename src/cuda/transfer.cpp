// Large copies of ordinary memory go through pinned chunks: several threads copy to or from the
// chunks while the device copies others, each thread with chunks of its own. The driver's own way,
// one thread and one buffer, reaches a fifth of the bus.
#include "cuda/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <thread>

#include "cpu/thread_pool.hpp"
#include "cuda/error.hpp"
#include "cuda/peer.hpp"
#include "runtime/memory.hpp"

namespace numwarp::cuda_backend {

namespace {

constexpr std::int64_t chunk = std::int64_t(4) << 20;
constexpr std::int64_t pipelined_from =
    2 * chunk;  // below, starting threads costs more than it gives
constexpr int most_workers = 8;

// A pinned chunk, and the event behind its last use by the device.
class slot {
 public:
  explicit slot(cuda_queue& q)
      : queue_(q), memory_(runtime::pinned_pool().allocate(chunk, nullptr)) {
    const cudaError_t code = cudaEventCreateWithFlags(&done_, cudaEventDisableTiming);
    if (code == cudaSuccess) return;
    memory_->owner->release(memory_);
    q.check(code, "cudaEventCreate");
  }
  ~slot() {
    // Usually over; the pool waits otherwise.
    runtime::usage used;
    if (pending_) used.read({&queue_, queue_.advance()});
    memory_->owner->release(memory_, used);
    if (cudaEventDestroy(done_) != cudaSuccess) (void)cudaGetLastError();
  }
  slot(const slot&) = delete;
  slot& operator=(const slot&) = delete;

  char* data() const { return memory_->data; }
  bool pending() const { return pending_; }
  void wait() {
    if (pending_) queue_.check(cudaEventSynchronize(done_), "transfer");
    pending_ = false;
  }
  void copy(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind) {
    pending_ = true;
    queue_.check(cudaMemcpyAsync(to, from, std::size_t(bytes), kind, queue_.stream()), "transfer");
    queue_.check(cudaEventRecord(done_, queue_.stream()), "transfer");
  }

 private:
  cuda_queue& queue_;
  runtime::block* memory_;
  cudaEvent_t done_ = nullptr;
  bool pending_ = false;
};

// The chunks of one worker: every `workers`-th one.
struct share {
  std::int64_t bytes;
  int worker, workers;

  std::int64_t count() const { return (bytes + chunk - 1) / chunk; }
  std::int64_t at(std::int64_t k) const { return k * chunk; }
  std::int64_t size(std::int64_t k) const { return std::min(chunk, bytes - k * chunk); }
};

void upload_share(cuda_queue& q, char* to, const char* from, const share& s) {
  const device_scope scope(q.where.index());
  slot slots[] = {slot(q), slot(q)};
  int i = 0;
  for (std::int64_t k = s.worker; k < s.count(); k += s.workers, i ^= 1) {
    slots[i].wait();
    std::memcpy(slots[i].data(), from + s.at(k), std::size_t(s.size(k)));
    slots[i].copy(to + s.at(k), slots[i].data(), s.size(k), cudaMemcpyHostToDevice);
  }
}

void download_share(cuda_queue& q, char* to, const char* from, const share& s) {
  const device_scope scope(q.where.index());
  slot slots[] = {slot(q), slot(q)};
  std::int64_t held[2] = {-1, -1};
  const auto take_out = [&](int i) {
    slots[i].wait();
    if (held[i] >= 0)
      std::memcpy(to + s.at(held[i]), slots[i].data(), std::size_t(s.size(held[i])));
    held[i] = -1;
  };
  int i = 0;
  for (std::int64_t k = s.worker; k < s.count(); k += s.workers, i ^= 1) {
    take_out(i);
    slots[i].copy(slots[i].data(), from + s.at(k), s.size(k), cudaMemcpyDeviceToHost);
    held[i] = k;
  }
  take_out(i);
  take_out(i ^ 1);
}

int workers_for(std::int64_t bytes) {
  const int cores = int(std::thread::hardware_concurrency());
  return int(std::min<std::int64_t>({most_workers, std::max(1, cores), bytes / chunk}));
}

template <class F> void in_parallel(std::int64_t bytes, const F& f) {
  const int workers = workers_for(bytes);
  cpu_backend::parallel_for(workers, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t w = first; w < last; ++w) f(share{bytes, int(w), workers});
  });
}

}  // namespace

void upload(cuda_queue& q, void* to, const void* from, std::int64_t bytes, bool pinned) {
  const runtime::waiting_allowed here;  // for a chunk of memory, at most
  const device_scope scope(q.where.index());
  q.note("upload");
  if (!pinned && bytes >= pipelined_from) {
    return in_parallel(bytes, [&](const share& s) {
      upload_share(q, static_cast<char*>(to), static_cast<const char*>(from), s);
    });
  }
  // Of ordinary memory it returns when the driver has taken a copy.
  q.check(cudaMemcpyAsync(to, from, std::size_t(bytes), cudaMemcpyHostToDevice, q.stream()),
          "upload");
}

void download(cuda_queue& q, void* to, const void* from, std::int64_t bytes, bool pinned) {
  const runtime::waiting_allowed here;  // the caller has asked
  const device_scope scope(q.where.index());
  q.note("download");
  if (!pinned && bytes >= pipelined_from) {
    return in_parallel(bytes, [&](const share& s) {
      download_share(q, static_cast<char*>(to), static_cast<const char*>(from), s);
    });
  }
  q.check(cudaMemcpyAsync(to, from, std::size_t(bytes), cudaMemcpyDeviceToHost, q.stream()),
          "download");
  if (!pinned) q.check(cudaStreamSynchronize(q.stream()), "download");
}

void copy(cuda_queue& q, void* to, int to_device, const void* from, int from_device,
          std::int64_t bytes) {
  const device_scope scope(q.where.index());
  q.note("copy");
  const std::size_t n = std::size_t(bytes);
  if (to_device == from_device) {
    return q.check(cudaMemcpyAsync(to, from, n, cudaMemcpyDeviceToDevice, q.stream()), "copy");
  }
  allow_for_copies(to_device, from_device);
  q.check(cudaMemcpyPeerAsync(to, to_device, from, from_device, n, q.stream()), "copy");
}

}  // namespace numwarp::cuda_backend
