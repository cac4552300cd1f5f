// Gather and scatter: for a stretch of rows the offsets that their indices mean, then the moves.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <type_traits>

#include "cpu/indexed_offsets.hpp"
#include "cpu/indexed_walker.hpp"
#include "cpu/kernels.hpp"
#include "cpu/strided_loops.hpp"
#include "cpu/thread_pool.hpp"

namespace numwarp::cpu_backend {

namespace {

template <bool Scatter> void copy_bytes(char* array, char* packed, std::size_t n) {
  Scatter ? std::memcpy(array, packed, n) : std::memcpy(packed, array, n);
}

// Single elements. By value, as the compiler must take a store for one into what it refers to.
template <int Size, bool Scatter> void move_elements(const row_move m) {
  const auto move = [&](auto step) {
    for (std::int64_t j = 0; j < m.rows; ++j) {
      m.ask_ahead<Scatter>(j);
      copy_bytes<Scatter>(m.array + m.offsets[j], m.packed + j * step, Size);
    }
  };
  if (m.packed_step == Size) {
    move(std::integral_constant<std::int64_t, Size>());
  } else {
    move(m.packed_step);
  }
}

template <int Size, bool Scatter> void move_rows(const row_move& m, const plan::indexed& p) {
  const std::int64_t row = p.row, array_step = p.array_step, packed_step = p.packed_step;
  if (row == 1) return move_elements<Size, Scatter>(m);
  const bool whole = array_step == Size && packed_step == Size;
  for (std::int64_t j = 0; j < m.rows; ++j) {
    char *array = m.array + m.offsets[j], *packed = m.packed + j * m.packed_step;
    if (whole) {
      copy_bytes<Scatter>(array, packed, std::size_t(row * Size));
      continue;
    }
    for (std::int64_t i = 0; i < row; ++i)
      copy_bytes<Scatter>(array + i * array_step, packed + i * packed_step, Size);
  }
}

template <bool Scatter> move_loop loop_for(int size) {
  move_loop found = nullptr;
  with_size(size, [&](auto s) { found = move_rows<int(s), Scatter>; });
  return found;
}

// Scattered rows of one place must be stored in order; they can only meet where they differ along
// the axes of the indices. The number of rows that one thread must take on its own.
std::int64_t rows_together(const plan::indexed& p) {
  if (p.what != plan::indexed::action::scatter || p.unique) return 1;
  if (p.shape.empty()) return 1;
  const auto changes = [](const plan::index_list& l) { return l.strides[0] != 0; };
  const bool meet = p.array.strides[0] == 0 || std::any_of(p.lists.begin(), p.lists.end(), changes);
  return meet ? p.size : p.size / p.shape[0];
}

// The plainest scatter, of one thread: single elements, by one list of adjacent int64 that have
// been checked.
bool is_plain(const plan::indexed& p) {
  return p.what == plan::indexed::action::scatter && p.mode == index_mode::raise && !p.unique &&
         p.row == 1 && p.shape.size() == 1 && p.array.strides[0] == 0 && p.lists.size() == 1 &&
         p.lists[0].type == dtype::int64 && p.lists[0].strides[0] == 8;
}

// Without offsets on the way, by a third faster than the walker.
template <int Size> void scatter_plain(const plan::indexed& p) {
  constexpr std::int64_t ahead = 32;
  const char* const indices = p.lists[0].data;
  const std::int64_t n = p.size, extent = p.lists[0].extent, step = p.lists[0].step;
  const char* const from =
      p.constant ? reinterpret_cast<const char*>(p.constant->bytes) : p.packed.data;
  const std::int64_t next = p.constant ? 0 : p.packed.strides[0];
  char* const array = p.array.data;
  const auto place = [=](std::int64_t j) {
    std::int64_t i;
    std::memcpy(&i, indices + 8 * j, sizeof i);
    return array + (i + (i < 0 ? extent : 0)) * step;
  };
  for (std::int64_t j = 0; j < n; ++j) {
    if (j + ahead < n) __builtin_prefetch(place(j + ahead), 1);
    std::memcpy(place(j), from + j * next, Size);
  }
}

}  // namespace

void run_indexed(const plan::indexed& p) {
  if (p.what != plan::indexed::action::gather) check_indices(p);
  if (p.what == plan::indexed::action::check) return;
  const int size = itemsize(p.array.type);
  if (is_plain(p)) return with_size(size, [&](auto s) { scatter_plain<int(s)>(p); });
  const bool scatter = p.what == plan::indexed::action::scatter;
  const index_walker w(p, scatter ? loop_for<true>(size) : loop_for<false>(size));
  const std::int64_t together = rows_together(p);
  const std::int64_t wanted = std::max<std::int64_t>(1, 65536 / (p.row * size));
  const std::int64_t piece = (wanted + together - 1) / together * together;
  std::atomic<bool> good{true};
  parallel_for((p.size + piece - 1) / piece, [&](std::int64_t first, std::int64_t last) {
    if (!w.run(first * piece, std::min(p.size, last * piece))) good = false;
  });
  if (!good) check_indices(p);
}

}  // namespace numwarp::cpu_backend
