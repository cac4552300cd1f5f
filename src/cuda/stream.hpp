// CUDA streams and events as the runtime's queues and markers.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuda/error_slots.hpp"
#include "cuda/host_calls.hpp"
#include "runtime/queue.hpp"

namespace numwarp::cuda_backend {

class cuda_queue final : public runtime::queue, public std::enable_shared_from_this<cuda_queue> {
 public:
  // Takes over `s`, which it never destroys, or borrows a foreign one.
  enum class kind { own, foreign };
  cuda_queue(int index, cudaStream_t s, error_slot slot, kind k);

  void* handle() const override { return stream_; }
  cudaStream_t stream() const { return stream_; }
  void synchronize() override { report(finish()); }
  bool idle() override;
  void throw_late_errors() override;
  bool has_late_errors() const;
  // The two halves of synchronize(): waits, and throws the late errors of what was waited for.
  std::uint64_t finish();
  void report(std::uint64_t ticket);
  int priority() const override;
  void call_on_host(std::function<void()> f) override;
  void close() override;

  void begin_recording() override;
  std::unique_ptr<runtime::recording> end_recording() override;
  // Launches a graph; what its kernels report on `recorded_on` is an error of this queue, too.
  void replay(cudaGraphExec_t graph, const std::shared_ptr<cuda_queue>& recorded_on);
  // Of a queue that recorded: no launch of its graph is left.
  void forget_recorded() { calls_.forget_recorded(); }
  void* error_record() const { return slot_.device; }

  // The last launches, for reports of faults. `name` lives for ever.
  void note(const char* name) noexcept;
  std::string recent() const;
  // cuda_error with `what`, the runtime's text and, where the device is lost, the last launches.
  void check(cudaError_t code, const char* what) const;
  // Adds the last launches to an error where the device turns out to be lost; returns otherwise.
  void explain(const char* error) const;

  // The foreign stream may be destroyed from now on: what was put on it is followed by one event.
  void retire() noexcept;
  bool retired() const { return retired_; }

 protected:
  void wait_for(runtime::queue& other) override;
  void wait_on_host() override;
  bool set_mark() noexcept override;
  bool passed_mark() noexcept override;

 private:
  struct launched_graph {
    std::shared_ptr<cuda_queue> recorded_on;
    std::uint64_t last = 0;  // ticket of its last launch
  };
  std::vector<std::shared_ptr<cuda_queue>> failed_graphs();
  void throw_late_error();

  static constexpr std::size_t remembered = 16;
  const int index_;
  const cudaStream_t stream_;
  const error_slot slot_;
  const kind kind_;
  std::mutex slot_mutex_;  // between threads that take an error out
  std::mutex graphs_mutex_;
  std::vector<launched_graph> graphs_;
  std::atomic<bool> has_graphs_{false};
  host_calls calls_;
  cudaEvent_t order_ = nullptr, mark_ = nullptr;
  std::atomic<bool> retired_{false};
  std::array<std::atomic<const char*>, remembered> names_{};
  std::atomic<std::size_t> noted_{0};
};

class cuda_marker final : public runtime::marker {
 public:
  cuda_marker(int index, bool timing);
  ~cuda_marker() override;
  void record(runtime::queue& q) override;
  void wait() override;
  bool done() override;
  void block(runtime::queue& q) override;
  double milliseconds_since(runtime::marker& start) override;

 private:
  const int index_;
  cudaEvent_t event_ = nullptr;
};

// The streams of one device.
class stream_set {
 public:
  explicit stream_set(int index) : index_(index) {}

  cuda_queue* default_queue() const { return default_; }
  void start();  // makes the default queue
  std::shared_ptr<cuda_queue> create(int priority);
  // One that is on no list: nobody may wait for, or ask about, a stream that records.
  std::shared_ptr<cuda_queue> create_recording() { return create(recording); }
  std::shared_ptr<cuda_queue> adopt(void* handle);
  std::vector<cuda_queue*> all() const;

 private:
  static constexpr int recording = std::numeric_limits<int>::min();  // instead of a priority
  cuda_queue* make(int priority);
  void put_back(cuda_queue* q, int priority) noexcept;

  struct foreign {
    void* handle;
    std::weak_ptr<cuda_queue> handles;
  };
  const int index_;
  error_slots slots_;
  cuda_queue* default_ = nullptr;
  mutable std::mutex mutex_;  // guards what follows
  std::vector<cuda_queue*> all_;
  std::vector<std::pair<int, cuda_queue*>> spare_;  // by priority
  std::vector<foreign> foreign_;
};

}  // namespace numwarp::cuda_backend
