// Memory pools, of the library and of one's own, what arrays are allocated from, and pinned host
// arrays.
//
// Arrays come from the pool of their device: the one of the innermost using_allocator of the
// calling thread, else set_allocator's, else the default pool. They keep it alive: a pool may go
// before its arrays. The library's own scratch memory always comes from the default pools.
#pragma once

#include <cstdint>
#include <memory>
#include <numwarp/creation.hpp>
#include <numwarp/device.hpp>
#include <string>
#include <string_view>

namespace numwarp {

namespace runtime {
class pool;
}

// What memory a pool hands out. On the CPU, and without a GPU, all kinds are ordinary memory.
enum class memory_kind : unsigned char {
  device,
  managed,  // cudaMallocManaged: moves between the host and the devices that touch it
  async,    // cudaMallocAsync: cached by the driver, given out and taken back in a stream's order;
            // other devices copy from it and to it, but do not reach it from their kernels
  pinned    // page-locked memory of the host, for arrays on the CPU
};

// A limit of a pool: bytes, or a fraction of the device's memory. Neither: no limit.
struct pool_limit {
  std::int64_t size = 0;
  double fraction = 0;
};

struct memory_pool_options {
  memory_kind kind = memory_kind::device;
  pool_limit limit = {};
  // Free bytes that are kept for reuse; -1: all. Of async memory: the driver's release threshold.
  std::int64_t max_cached = -1;
  std::string name = {};  // for messages; by default the device and the kind
};

// What a hook is told. The views are valid during the call.
struct memory_event {
  enum class type : unsigned char {
    allocate,  // a buffer has been handed out
    free,      // one is about to be taken back
    give_back  // memory has gone back to the device; the address is null
  };
  type what{};
  std::string_view pool;  // its name
  const void* address = nullptr;
  std::int64_t bytes = 0;      // of the block: the request, rounded up
  std::int64_t requested = 0;  // allocate
  std::int64_t acquired = 0;   // allocate: how much the pool had to take from the device
};

// Called by the thread that allocates or frees, several at a time. It must not throw, and not
// allocate from the pool.
using memory_hook = detail::callback<const memory_event&>;

// A handle on a pool: copies mean the same one. Any number of threads may use it. The statistics
// launch the calling thread's pending operations first; none waits.
class memory_pool {
 public:
  // A pool of one's own. Throws device_error where d is not there or has no such memory, or for
  // pinned memory of a GPU, value_error for a bad limit.
  explicit memory_pool(numwarp::device d = default_device(), const memory_pool_options& o = {});
  explicit memory_pool(std::shared_ptr<runtime::pool> p) : pool_(std::move(p)) {}

  numwarp::device device() const;
  memory_kind kind() const;
  const std::string& name() const;

  std::int64_t used_bytes() const;   // held by arrays
  std::int64_t total_bytes() const;  // taken from the device
  std::int64_t free_bytes() const;   // total - used: cached for reuse
  std::int64_t peak_bytes() const;   // the largest used_bytes since the start or reset_peak
  std::int64_t n_free_blocks() const;
  void reset_peak();

  // Gives all cached segments back to the device; waits for work that still uses them.
  void free_all_blocks();
  // Bounds total_bytes; beyond it, allocations throw out_of_memory. Throws value_error for a
  // negative size or a fraction outside [0, 1].
  void set_limit(std::int64_t bytes);
  void set_limit(const pool_limit& limit);
  std::int64_t get_limit() const;  // 0: none
  // One hook a pool, for all threads; an empty one ends it. Returns the one before.
  memory_hook set_hook(memory_hook hook);

  friend bool operator==(const memory_pool&, const memory_pool&) = default;

 private:
  friend class using_allocator;
  friend void set_allocator(const memory_pool& p);
  friend std::string memory_snapshot(const memory_pool& p);
  std::shared_ptr<runtime::pool> pool_;
};

// Throws device_error where d is not there.
memory_pool get_default_memory_pool(device d = default_device());
// Page-locked host memory, which a GPU copies at full speed. Without a GPU it is ordinary memory.
memory_pool get_default_pinned_memory_pool();

// The segments of a pool and the blocks in them, as text: addresses, sizes, used or free, and the
// stream that a block was made for. Waits for nothing.
std::string memory_snapshot(const memory_pool& p);

// From now on new arrays of all threads on p's device come from p; pinned arrays, where p's memory
// is pinned. The default pool undoes it.
void set_allocator(const memory_pool& p);
// What the calling thread's new arrays on d, or its pinned arrays, come from now.
memory_pool get_allocator(device d = default_device());
memory_pool get_pinned_allocator();

// The same for a scope of the calling thread. Scopes nest; of one device the innermost counts.
class using_allocator {
 public:
  explicit using_allocator(const memory_pool& p);
  ~using_allocator();
  using_allocator(const using_allocator&) = delete;
  using_allocator& operator=(const using_allocator&) = delete;

  // The scope around this one on the calling thread, or null.
  const using_allocator* outer() const { return outer_; }
  const std::shared_ptr<runtime::pool>& pool() const { return pool_; }

 private:
  std::shared_ptr<runtime::pool> pool_;
  const using_allocator* outer_;
};

// Where managed memory should be, or who reads it: cudaMemAdvise. Each unset_ takes one back.
enum class memory_advice : unsigned char {
  read_mostly,
  unset_read_mostly,
  preferred_location,
  unset_preferred_location,
  accessed_by,
  unset_accessed_by
};

namespace detail {
void prefetch(const any_array& a, device d);
void advise(const any_array& a, memory_advice advice, device d);
any_array empty_pinned(const numwarp::shape& s, dtype t, order o,
                       const char* function = "empty_pinned");
}  // namespace detail

// Moves the elements of an array in managed memory to d, or to the host, before they are used
// there; on the array's current stream, without waiting. Throws value_error for memory that is not
// managed. Nothing happens to arrays on the CPU.
template <element T> void prefetch(const ndarray<T>& a, device d) {
  detail::prefetch(a.untyped(), d);
}
// Advice on the same, about d. read_mostly is about no device.
template <element T>
void advise(const ndarray<T>& a, memory_advice advice, device d = default_device()) {
  detail::advise(a.untyped(), advice, d);
}

// Arrays on the CPU in pinned memory.
template <element T = double> ndarray<T> empty_pinned(const shape& s, order o = order::c) {
  return ndarray<T>::from_any_unchecked(detail::empty_pinned(s, dtype_of<T>, o));
}
template <element T = double> ndarray<T> zeros_pinned(const shape& s, order o = order::c) {
  auto a = ndarray<T>::from_any_unchecked(detail::empty_pinned(s, dtype_of<T>, o, "zeros_pinned"));
  a.fill(false);
  return a;
}
template <element T> ndarray<T> empty_like_pinned(const ndarray<T>& a) {
  return empty_pinned<T>(a.shape());
}

}  // namespace numwarp
