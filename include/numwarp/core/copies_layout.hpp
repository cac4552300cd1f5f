// The parameters of copy_boxes, which copies several boxes by one launch, and how its threads find
// their elements.
#pragma once

#include <numwarp/core/layout.hpp>

namespace numwarp::core {

inline constexpr int copy_threads = 256;  // of a block
inline constexpr int copy_outer = 3;      // axes of a box beside the last

// Elements a thread takes: four words of 16 bytes, which pay for finding the box and the row.
inline constexpr int copy_words = 4;
NW_HD constexpr int copy_width(int bytes) { return copy_words * 16 / bytes; }

// One box: `rows` rows of `inner` elements. Its blocks lie `chunks` to a row, then row group by row
// group.
struct copy_box {
  // An immediate's value takes the place of these two members.
  const char* from;
  i64 from_inner;  // bytes
  char* to;
  i64 to_inner;
  i64 rows, inner;
  i64 shape[copy_outer], from_outer[copy_outer], to_outer[copy_outer];
  u32 first_block;
  divisor chunks;
  unsigned short row_shift;  // 2^row_shift threads lie along a row
  unsigned char outer_rank;
  unsigned char mode;  // a walk: vector (of both sides), strided or immediate
};

// What 4 KB of parameters hold; padding all axes of a cube takes 27.
inline constexpr int most_boxes = 28;
struct copies_parameters {
  i64 count;
  copy_box boxes[most_boxes];
};
static_assert(sizeof(copies_parameters) <= 4096);

// Where a thread begins: the bytes of its row on both sides, and the row's element at which the
// block begins. `inside` is false for threads without a row.
struct copy_spot {
  i64 from, to, first;
  u32 thread;  // along the row
  bool inside;
};

NW_HD const copy_box& box_of_block(const copies_parameters& p, u32 block) {
  int low = 0, high = int(p.count);
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    (p.boxes[middle].first_block <= block ? low : high) = middle;
  }
  return p.boxes[low];
}

NW_HD copy_spot spot_in_box(const copy_box& b, int width, u32 block, u32 thread) {
  block -= b.first_block;
  const u32 group = b.chunks.quotient(block), chunk = block - group * b.chunks.by;
  i64 row = i64(group) * (copy_threads >> b.row_shift) + (thread >> b.row_shift);
  copy_spot s{0, 0, (i64(chunk) << b.row_shift) * width, thread & ((1u << b.row_shift) - 1),
              row < b.rows};
  for (int d = int(b.outer_rank) - 1; d >= 0; --d) {
    const i64 n = b.shape[d];
    const i64 rest = d == 0 ? 0 : (row | n) >> 32 ? row / n : i64(u32(row) / u32(n));
    const i64 at = row - rest * n;
    s.from += at * b.from_outer[d];
    s.to += at * b.to_outer[d];
    row = rest;
  }
  return s;
}

// The element at which word k of a thread begins.
NW_HD i64 word_start(const copy_box& b, const copy_spot& s, int k, int width) {
  return s.first + ((i64(k) << b.row_shift) + s.thread) * width;
}

}  // namespace numwarp::core
