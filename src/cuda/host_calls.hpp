// Functions of the host in the order of a stream.
#pragma once

#include <cuda_runtime_api.h>

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace numwarp::cuda_backend {

class host_calls {
 public:
  // A recorded function is called by each launch of the graph, and kept until forget_recorded().
  // Throws cuda_error.
  void launch(cudaStream_t s, std::function<void()> f, bool recorded);
  // Destroys the functions that have been called: not in the driver's thread, which waits for the
  // stream that it serves.
  void forget_called();
  void forget_recorded();

  // The first thing that one threw.
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  std::exception_ptr take_failure();

 private:
  struct call {
    host_calls& owner;
    std::function<void()> f;
    bool recorded;
    std::atomic<bool> called{false};
  };
  using list = std::vector<std::unique_ptr<call>>;
  static void CUDART_CB run(void* c) noexcept;
  void keep(std::exception_ptr e) noexcept;
  template <class F> void forget(const F& is_over);

  std::mutex mutex_;  // guards what follows
  list calls_;
  // Apart: a thread that launches may wait in the driver for one that runs a function.
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_{false};
};

}  // namespace numwarp::cuda_backend
