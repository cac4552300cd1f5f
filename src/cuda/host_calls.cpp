#include "cuda/host_calls.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cuda/error.hpp"

namespace numwarp::cuda_backend {

void host_calls::launch(cudaStream_t s, std::function<void()> f, bool recorded) {
  forget_called();
  std::lock_guard lock(mutex_);
  calls_.push_back(std::unique_ptr<call>(new call{*this, std::move(f), recorded}));
  const cudaError_t code = cudaLaunchHostFunc(s, &host_calls::run, calls_.back().get());
  if (code != cudaSuccess) calls_.pop_back();
  check(code, "launch_host_function");
}

void host_calls::run(void* p) noexcept {
  call& c = *static_cast<call*>(p);
  try {
    c.f();
  } catch (...) {
    c.owner.keep(std::current_exception());
  }
  if (!c.recorded) c.called.store(true, std::memory_order_release);
}

void host_calls::keep(std::exception_ptr e) noexcept {
  std::lock_guard lock(failure_mutex_);
  if (!failure_) failure_ = std::move(e);
  failed_.store(true, std::memory_order_release);
}

std::exception_ptr host_calls::take_failure() {
  std::lock_guard lock(failure_mutex_);
  failed_.store(false, std::memory_order_release);
  return std::exchange(failure_, nullptr);
}

template <class F> void host_calls::forget(const F& is_over) {
  list over;  // destroyed after the lock: what a function holds may come back here
  std::lock_guard lock(mutex_);
  const auto first = std::stable_partition(calls_.begin(), calls_.end(),
                                           [&](const auto& c) { return !is_over(*c); });
  over.assign(std::make_move_iterator(first), std::make_move_iterator(calls_.end()));
  calls_.erase(first, calls_.end());
}

void host_calls::forget_called() {
  forget([](const call& c) { return c.called.load(std::memory_order_acquire); });
}

void host_calls::forget_recorded() {
  forget([](const call& c) { return c.recorded; });
}

}  // namespace numwarp::cuda_backend
