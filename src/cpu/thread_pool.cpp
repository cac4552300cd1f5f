#include "cpu/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <numwarp/device.hpp>
#include <numwarp/error.hpp>
#include <thread>
#include <vector>

namespace numwarp::cpu_backend {

namespace {

thread_local bool inside_pool = false;

// Workers wait for a generation number to change, run their share of the job, and count down.
class thread_pool {
 public:
  explicit thread_pool(int n) {
    for (int i = 1; i < n; ++i) workers_.emplace_back([this, i] { work(i); });
  }
  ~thread_pool() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (auto& t : workers_) t.join();
  }

  int size() const { return int(workers_.size()) + 1; }

  void run(std::int64_t tasks, const std::function<void(std::int64_t, std::int64_t)>& f) {
    {
      std::lock_guard lock(mutex_);
      job_ = &f;
      tasks_ = tasks;
      left_ = int(workers_.size());
      failure_ = nullptr;
      ++generation_;
    }
    wake_.notify_all();
    share(0);
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return left_ == 0; });
    job_ = nullptr;
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void share(int index) {
    const std::int64_t first = tasks_ * index / size(), last = tasks_ * (index + 1) / size();
    if (first == last) return;
    inside_pool = true;
    try {
      (*job_)(first, last);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_pool = false;
  }

  void work(int index) {
    std::uint64_t seen = 0;
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
        if (stop_) return;
        seen = generation_;
      }
      share(index);
      std::lock_guard lock(mutex_);
      if (--left_ == 0) done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::vector<std::thread> workers_;
  const std::function<void(std::int64_t, std::int64_t)>* job_ = nullptr;
  std::int64_t tasks_ = 0;
  int left_ = 0;
  std::uint64_t generation_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
};

// One job at a time uses the threads; whoever finds them busy works alone, as do the threads
// themselves. Never destroyed: a thread that ends with the process may still use it.
struct shared_pool {
  std::mutex busy;
  std::unique_ptr<thread_pool> threads;
  std::atomic<int> wanted = std::max(1, int(std::thread::hardware_concurrency()));
};

shared_pool& pool() {
  static shared_pool* const p = new shared_pool;
  return *p;
}

}  // namespace

void parallel_for(std::int64_t tasks, const std::function<void(std::int64_t, std::int64_t)>& f) {
  if (tasks <= 0) return;
  shared_pool& p = pool();
  std::unique_lock lock(p.busy, std::defer_lock);
  if (tasks == 1 || inside_pool || !lock.try_lock() || p.wanted == 1) {
    f(0, tasks);
    return;
  }
  if (!p.threads) p.threads = std::make_unique<thread_pool>(p.wanted);
  p.threads->run(tasks, f);
}

int thread_count() { return pool().wanted; }

void set_thread_count(int n) {
  std::lock_guard lock(pool().busy);
  pool().threads.reset();
  pool().wanted = n;
  set_blas_threads(n);
}

}  // namespace numwarp::cpu_backend

namespace numwarp {

void set_num_threads(int n) {
  if (n < 1)
    throw value_error("set_num_threads: at least one thread is needed, got " + std::to_string(n));
  cpu_backend::set_thread_count(n);
}

int get_num_threads() { return cpu_backend::thread_count(); }

}  // namespace numwarp
