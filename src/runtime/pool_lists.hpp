// Free blocks of memory by size: bins of sizes that differ by at most 1/32, best fit within them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "runtime/queue.hpp"

namespace numwarp::runtime {

class pool;

// A piece of a segment that came from the upstream. Blocks of one segment form a list in the order
// of their addresses; free blocks are also on the list of their bin.
struct block {
  // Requests of a kind are served from segments of that kind. Blocks of an oversize segment are
  // not split, so that the segment can serve a request of its size again.
  enum class kind_t : unsigned char { small, large, oversize };

  char* data = nullptr;
  std::int64_t bytes = 0;
  pool* owner = nullptr;
  kind_t kind = kind_t::small;
  bool free = false;
  block *before = nullptr, *after = nullptr;
  block *previous = nullptr, *next = nullptr;
  // Free: the queue that may take it at once, its ticket when the block was freed, and what other
  // queues did with it.
  queue* home = nullptr;
  std::uint64_t at = 0;
  std::vector<use> others;
  queue* taken_for = nullptr;  // for reports: `home` of a used block is its holder's alone

  bool is_whole_segment() const { return !before && !after; }
};

class free_lists {
 public:
  explicit free_lists(std::int64_t granularity)
      : shift_(std::countr_zero(std::uint64_t(granularity))) {}

  void insert(block* b) {
    const int i = bin_of(b->bytes);
    block*& head = heads_[std::size_t(i)];
    b->previous = nullptr;
    b->next = head;
    if (head) head->previous = b;
    head = b;
    filled_[std::size_t(i / 64)] |= std::uint64_t(1) << (i % 64);
  }

  void remove(block* b) {
    const int i = bin_of(b->bytes);
    if (b->next) b->next->previous = b->previous;
    if (b->previous) {
      b->previous->next = b->next;
      return;
    }
    heads_[std::size_t(i)] = b->next;
    if (!b->next) filled_[std::size_t(i / 64)] &= ~(std::uint64_t(1) << (i % 64));
  }

  // The smallest block of at least `bytes` that `fits`, or null. At most `patience` blocks of one
  // bin are looked at: they differ little.
  template <class F> block* best(std::int64_t bytes, const F& fits) const {
    constexpr int patience = 256;
    for (int i = next_filled(bin_of(bytes)); i >= 0; i = next_filled(i + 1)) {
      block* found = nullptr;
      int left = patience;
      for (block* b = heads_[std::size_t(i)]; b && left > 0; b = b->next, --left) {
        if (b->bytes < bytes || (found && found->bytes <= b->bytes) || !fits(*b)) continue;
        found = b;
        if (b->bytes == bytes) break;
      }
      if (found) return found;
    }
    return nullptr;
  }

  template <class F> void for_each(const F& f) const {
    for (int i = next_filled(0); i >= 0; i = next_filled(i + 1)) {
      for (block *b = heads_[std::size_t(i)], *next; b; b = next) {
        next = b->next;
        f(b);
      }
    }
  }

 private:
  static constexpr int sub_bits = 5, bins = 1280;  // up to 2^44 units

  // Exact below 64 units; then 32 bins for each power of two.
  int bin_of(std::int64_t bytes) const {
    const std::uint64_t units = std::uint64_t(bytes) >> shift_;
    const int log2 = int(std::bit_width(units)) - 1;
    if (log2 < sub_bits) return int(units);
    const int bin = (log2 - sub_bits + 1) * 32 + int((units >> (log2 - sub_bits)) & 31);
    return bin < bins ? bin : bins - 1;
  }

  int next_filled(int i) const {
    if (i >= bins) return -1;
    std::size_t word = std::size_t(i / 64);
    std::uint64_t bits = filled_[word] & (~std::uint64_t(0) << (i % 64));
    while (bits == 0) {
      if (++word == filled_.size()) return -1;
      bits = filled_[word];
    }
    return int(word) * 64 + std::countr_zero(bits);
  }

  int shift_;
  std::array<block*, bins> heads_{};
  std::array<std::uint64_t, bins / 64> filled_{};
};

}  // namespace numwarp::runtime
