// The caching pool of one device, and the one of pinned memory: blocks of segments that come from
// an upstream, best fit, split and coalesced, handed out in the order of streams.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <numwarp/memory.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/pool_lists.hpp"

namespace numwarp::runtime {

// Where segments come from.
class upstream {
 public:
  virtual ~upstream() = default;
  // Null when there is no room; throws where the device failed. `q` matters to ordered ones only.
  virtual void* allocate(std::int64_t bytes, queue* q) = 0;
  virtual void release(void* p, std::int64_t bytes, queue* q) noexcept = 0;
  // Whether memory is given out and taken back in the order of q's work. Such an upstream caches by
  // itself: every block is a segment.
  virtual bool ordered() const { return false; }
  // What it keeps, and giving that back.
  virtual std::int64_t cached_bytes() noexcept { return 0; }
  virtual void trim() {}
  // Bytes that could still be allocated, and all there are; -1 where it is not known.
  virtual std::int64_t free_bytes() noexcept { return -1; }
  virtual std::int64_t total_bytes() noexcept { return -1; }
};

struct pool_options {
  std::string name;  // "cuda:0", for messages
  device where = cpu;
  memory_kind kind = memory_kind::device;
  std::int64_t granularity = 512;        // sizes are multiples of it; a power of two
  std::int64_t small_request = 1 << 20;  // up to here from segments of small_segment
  std::int64_t small_segment = 2 << 20;
  std::int64_t medium_request = 10 << 20;  // up to here from segments of medium_segment
  std::int64_t medium_segment = 20 << 20;
  std::int64_t large_step = 2 << 20;                // larger segments are multiples of it
  std::int64_t oversize = std::int64_t(256) << 20;  // segments from here on are not split
  std::int64_t max_cached = -1;                     // free bytes that are kept; -1: all
  bool exact = false;                               // one exact upstream allocation a block
};

// NUMWARP_POOL=off.
bool pools_are_off();

class pool {
 public:
  pool(std::unique_ptr<upstream> source, pool_options options);
  ~pool();
  // A pool that lives until the last handle and the last block are gone.
  static std::shared_ptr<pool> make(std::unique_ptr<upstream> source, pool_options options);
  // A handle on a pool that lives as long as the process.
  static std::shared_ptr<pool> unowned(pool& p) { return {std::shared_ptr<void>(), &p}; }
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  // Memory for `bytes` > 0 that work put on q from now on (null: the host) may use. Throws
  // out_of_memory.
  block* allocate(std::int64_t bytes, queue* q);
  // Gives it back, possibly before the work in `used` has run; nobody else looks at that any more.
  void release(block* b, const usage& used) noexcept;
  // After work on the queue that it was allocated for.
  void release(block* b) noexcept;

  const pool_options& options() const { return options_; }
  std::int64_t used_bytes();
  std::int64_t total_bytes();
  std::int64_t free_bytes();
  // Of the device, as its upstream knows it.
  memory_info device_memory() { return {source_->free_bytes(), source_->total_bytes()}; }
  std::int64_t peak_bytes();
  std::int64_t n_free_blocks();
  void reset_peak();
  void free_all_blocks();
  // Of total_bytes; 0: none.
  void set_limit(std::int64_t bytes);
  void set_limit_fraction(double fraction);
  std::int64_t get_limit();
  memory_hook set_hook(memory_hook hook);
  std::string snapshot();

 private:
  struct arena {
    explicit arena(std::int64_t granularity) : small(granularity), large(granularity) {}
    free_lists small, large;
    free_lists& of(block::kind_t k) { return k == block::kind_t::small ? small : large; }
  };

  arena& arena_of(queue* q);
  std::int64_t rounded(std::int64_t bytes) const;
  block* take_recent(std::int64_t size, queue* q);
  block* find_or_grow(std::int64_t size, queue* q);
  block* find_own(std::int64_t size, queue* q);
  block* find_elsewhere(std::int64_t size, queue* q, bool only_finished);
  block* find_oversize(std::int64_t size);
  block* grow(std::int64_t size, queue* q);
  block* new_segment(std::int64_t bytes, block::kind_t kind, queue* q);
  block* carve(block* b, std::int64_t size, bool split_oversize = false);
  bool worth_splitting(const block& b, std::int64_t size) const;
  bool serves(const block& b, std::int64_t size) const;
  void claim(block* b, queue* q);

  void insert_free(block* b);
  void remove_free(block* b);
  block* join(block* first, block* second);
  block* coalesce(block* b, bool any_home);
  void coalesce_all();
  void give_back(block* b) noexcept;
  void give_back_free_segments();
  void trim();
  void keep_recent(block* b);
  void settle_recent();
  [[noreturn]] void fail(std::int64_t requested);

  block* new_block();
  void drop_block(block* b);
  void note_use(block* b, const use& u);
  void let_go() noexcept;

  // What went from and to the device so far; see memory_event.
  struct traffic {
    std::int64_t acquired = 0, given_back = 0;
  };
  std::shared_ptr<const memory_hook> hook() noexcept {
    return hooked_.load(std::memory_order_acquire) ? current_hook() : nullptr;
  }
  std::shared_ptr<const memory_hook> current_hook() noexcept;
  void tell(const memory_hook& h, memory_event e) const noexcept;
  void tell_given_back(const memory_hook& h, std::int64_t bytes) const noexcept;

  std::unique_ptr<upstream> source_;
  const pool_options options_;
  spin_lock mutex_;  // guards what follows; taken twice by every statement
  std::unordered_map<queue*, std::unique_ptr<arena>> arenas_;
  queue* last_queue_ = nullptr;
  arena* last_arena_ = nullptr;
  // The last blocks taken back, on no list and not joined: a loop asks for the same sizes again.
  std::array<block*, 8> recent_{};
  std::size_t next_recent_ = 0;
  static constexpr std::size_t chunk_size = 64;
  std::vector<block*> spare_;
  std::vector<std::unique_ptr<block[]>> chunks_;
  std::int64_t used_ = 0, total_ = 0, peak_ = 0, free_count_ = 0, limit_ = 0;
  traffic traffic_;
  bool orphaned_ = false;  // no handle is left: the last block to come back takes the pool along
  std::shared_ptr<const memory_hook> hook_;
  std::atomic<bool> hooked_{false};
};

}  // namespace numwarp::runtime
