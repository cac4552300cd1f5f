// Memory pools and pinned host arrays.
#pragma once

#include <cstdint>
#include <functional>
#include <numwarp/creation.hpp>
#include <numwarp/device.hpp>

namespace numwarp {

namespace runtime {
class pool;
}

// Called after a buffer has been handed out and before one is taken back, by the thread that does
// it, with its address and size. They must not throw, and not allocate from the pool.
struct memory_hooks {
  std::function<void(const void*p, std::int64_t bytes)> on_allocate, on_free;
};

// A limit of a pool: bytes, or a fraction of the device's memory. Neither: no limit.
struct pool_limit {
  std::int64_t size = 0;
  double fraction = 0;
};

// A handle on the pool that arrays of one device, or pinned arrays, get their memory from. The
// statistics launch the calling thread's pending operations first; none waits.
class memory_pool {
 public:
  explicit memory_pool(runtime::pool& p) : pool_(&p) {}

  std::int64_t used_bytes() const;   // held by arrays
  std::int64_t total_bytes() const;  // taken from the device
  std::int64_t free_bytes() const;   // total - used: cached for reuse
  std::int64_t peak_bytes() const;   // the largest used_bytes since the start or reset_peak
  std::int64_t n_free_blocks() const;
  void reset_peak();

  // Gives all cached segments back to the device; waits for work that still uses them.
  void free_all_blocks();
  // Bounds total_bytes. Throws value_error for a negative size or a fraction outside [0, 1].
  void set_limit(std::int64_t bytes);
  void set_limit(const pool_limit& limit);
  std::int64_t get_limit() const;  // 0: none
  void set_hooks(memory_hooks hooks);

 private:
  runtime::pool* pool_;
};

// Throws device_error where d is not there.
memory_pool get_default_memory_pool(device d = default_device());
// Page-locked host memory, which a GPU copies at full speed. Without a GPU it is ordinary memory.
memory_pool get_default_pinned_memory_pool();

namespace detail {
any_array empty_pinned(const numwarp::shape& s, dtype t, order o,
                       const char* function = "empty_pinned");
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
