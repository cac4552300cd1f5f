// The way through an index space, shared by gathers, scatters and updates.
#pragma once

#include "cpu/indexed_offsets.hpp"
#include "plan/indexed.hpp"

namespace numwarp::cpu_backend {

// Rows of packed elements at a constant distance, and rows of the array at offsets.
struct row_move {
  char* array;
  const std::int64_t* offsets;
  char* packed;
  std::int64_t packed_step;  // from row to row
  std::int64_t rows;

  // Random places miss the caches: those of later rows are asked for early. `Written`: to be
  // stored.
  template <bool Written> void ask_ahead(std::int64_t j) const {
    constexpr std::int64_t ahead = 32;
    if (j + ahead < rows) __builtin_prefetch(array + offsets[j + ahead], Written);
  }
};
using move_loop = void (*)(const row_move&, const plan::indexed&);

// Walks along the index space: along its last axis in stretches, and on to the next row of it.
class index_walker {
 public:
  // Both outlive the walker.
  index_walker(const plan::indexed& p, move_loop how);
  // Rows [first, last) of the index space. False where an index is out of bounds.
  bool run(std::int64_t first, std::int64_t last) const;

 private:
  static constexpr std::int64_t stretch = 1024;  // rows whose offsets are found at a time: 8 KiB
  struct place {
    char* data;
    const dims* strides;
  };
  bool move(std::int64_t outer, std::int64_t along, std::int64_t n) const;

  const plan::indexed& p_;
  const move_loop move_;
  plan::small_vector<place, 6> views_;  // the array, the packed elements, the lists
  plan::small_vector<offset_loop, 4> loops_;
};

}  // namespace numwarp::cpu_backend
