// What handles share: the elements, or the pending operation that will make them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <numwarp/any_array.hpp>
#include <numwarp/detail/callback.hpp>
#include <span>
#include <vector>

#include "plan/small_vector.hpp"
#include "runtime/queue.hpp"

namespace numwarp::runtime {
struct block;
}

namespace numwarp::detail {

// An operation that has been called and not yet launched: an elementwise node or a selection.
struct pending : std::enable_shared_from_this<pending> {
  virtual ~pending() = default;
  // Launches it, once, whoever asks; returns when it has been launched. When launching throws, the
  // operation stays pending and can be tried again.
  virtual void launch() = 0;
};

struct storage : std::enable_shared_from_this<storage> {
  storage(device d, std::int64_t n) : where(d), bytes(n) {}
  ~storage();
  storage(const storage&) = delete;
  storage& operator=(const storage&) = delete;

  const device where;
  std::int64_t bytes;

  // Set once, before `ready`.
  char* data = nullptr;
  runtime::block* memory = nullptr;  // of our own
  callback<> release_foreign;        // memory of somebody else; empty for our own
  bool foreign = false;
  std::atomic<bool> ready{false};
  // Counts the reasons (mutable_data, write scopes, foreign memory) for which operations on this
  // buffer must be launched at their call.
  std::atomic<int> exposed{0};

  // The streams that use the elements.
  runtime::usage used;

  // Makes sure that the elements exist (or are being made, on an asynchronous device).
  void compute() {
    if (!ready.load(std::memory_order_acquire)) launch_source();
  }
  // Launches the pending readers until none is left but `except`, those that the caller is about to
  // take over. The caller must hold no node: a reader may be held by a thread that waits for it.
  void launch_readers(std::span<const pending* const> except = {});

  // A reader is on the list until it removes itself, at the latest in its destructor.
  void add_reader(pending* p);
  void remove_reader(const pending* p);
  // For a storage that no other thread knows yet.
  void set_source(std::shared_ptr<pending> p) { source_ = std::move(p); }
  std::shared_ptr<pending> source();
  std::shared_ptr<pending> take_source();

  // Allocates the elements on the device, for work on q first. Throws out_of_memory.
  void allocate(runtime::queue* q);
  // Takes over the elements of `other`, of the same size, which nobody else owns.
  void adopt(storage& other);
  void publish();

 private:
  void launch_source();
  std::vector<std::shared_ptr<pending>> live_readers(std::span<const pending* const> except);

  // Guards what follows. Never held while launching or freeing; never two at once.
  runtime::spin_lock mutex_;
  std::shared_ptr<pending> source_;
  plan::small_vector<pending*, 2> readers_;
};

// A new storage with its memory.
std::shared_ptr<storage> allocate_storage(device d, std::int64_t bytes);
// The same for the elements of a new array; out_of_memory then names the function and the array.
std::shared_ptr<storage> allocate_storage(device d, const layout& l, const char* function);
[[noreturn]] void throw_out_of_memory(const char* function, const numwarp::shape& s, dtype t,
                                      const char* reason);

// True where `s` is the only owner left; what earlier owners did to the elements is then done:
// use_count() is a relaxed load, so that a fence must acquire what they released.
inline bool sole_owner(const std::shared_ptr<storage>& s) {
  if (s.use_count() != 1) return false;
#ifdef NUMWARP_SANITIZED
  std::shared_ptr<storage>(s).reset();  // the thread sanitizer does not know fences
#else
  std::atomic_thread_fence(std::memory_order_acquire);
#endif
  return true;
}

// The insides of handles.
struct access {
  static const std::shared_ptr<storage>& store(const any_array& a) { return a.storage_; }
  static std::shared_ptr<storage>& store(any_array& a) { return a.storage_; }
  static const layout& lay(const any_array& a, const char* function) { return a.layout(function); }
  static layout& raw_layout(any_array& a) { return a.layout_; }
  static const layout& raw_layout(const any_array& a) { return a.layout_; }
  static std::shared_ptr<selection>& chosen(any_array& a) { return a.selection_; }
  static const std::shared_ptr<selection>& chosen(const any_array& a) { return a.selection_; }
  static any_array make(std::shared_ptr<storage> s, layout&& l) {
    return {std::move(s), std::move(l)};
  }
};

const any_array& resolved_selection(const any_array& a);
// The handle itself, or the result of its selection; throws for a null handle.
inline const any_array& resolved(const any_array& a, const char* function) {
  if (access::chosen(a)) return resolved_selection(a);
  access::lay(a, function);
  return a;
}

}  // namespace numwarp::detail
