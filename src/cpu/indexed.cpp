// Gather and scatter: for a stretch of rows the offsets that their indices mean, then the moves.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <type_traits>

#include "cpu/indexed_offsets.hpp"
#include "cpu/kernels.hpp"
#include "cpu/thread_pool.hpp"

namespace numwarp::cpu_backend {

namespace {

constexpr std::int64_t stretch = 1024;  // rows whose offsets are found at a time: 8 KiB

// Rows of packed elements at a constant distance, and rows of the array at offsets.
struct row_move {
  char* array;
  const std::int64_t* offsets;
  char* packed;
  std::int64_t packed_step;  // from row to row
  std::int64_t rows;
};

template <bool Scatter> void copy_bytes(char* array, char* packed, std::size_t n) {
  Scatter ? std::memcpy(array, packed, n) : std::memcpy(packed, array, n);
}

// Single elements.
template <int Size, bool Scatter> void move_elements(const row_move& m) {
  const auto move = [&](auto step) {
    for (std::int64_t j = 0; j < m.rows; ++j)
      copy_bytes<Scatter>(m.array + m.offsets[j], m.packed + j * step, Size);
  };
  if (m.packed_step == Size) {
    move(std::integral_constant<std::int64_t, Size>());
  } else {
    move(m.packed_step);
  }
}

template <int Size, bool Scatter> void move_rows(const row_move& m, const plan::indexed& p) {
  if (p.row == 1) return move_elements<Size, Scatter>(m);
  const bool whole = p.array_step == Size && p.packed_step == Size;
  for (std::int64_t j = 0; j < m.rows; ++j) {
    char *array = m.array + m.offsets[j], *packed = m.packed + j * m.packed_step;
    if (whole) {
      copy_bytes<Scatter>(array, packed, std::size_t(p.row * Size));
      continue;
    }
    for (std::int64_t i = 0; i < p.row; ++i)
      copy_bytes<Scatter>(array + i * p.array_step, packed + i * p.packed_step, Size);
  }
}

using move_loop = void (*)(const row_move&, const plan::indexed&);
template <bool Scatter> move_loop loop_for(int size) {
  switch (size) {
    case 1:
      return move_rows<1, Scatter>;
    case 2:
      return move_rows<2, Scatter>;
    case 4:
      return move_rows<4, Scatter>;
    case 8:
      return move_rows<8, Scatter>;
    default:
      return move_rows<16, Scatter>;
  }
}

// Walks along the index space: along its last axis in stretches, and on to the next row of it.
class walker {
 public:
  explicit walker(const plan::indexed& p)
      : p_(p),
        move_(p.what == plan::indexed::action::scatter ? loop_for<true>(itemsize(p.array.type))
                                                       : loop_for<false>(itemsize(p.array.type))) {
    views_.push_back({p.array.data, &p.array.strides});
    views_.push_back({p.packed.data, &p.packed.strides});
    for (const plan::index_list& l : p.lists) {
      views_.push_back({l.data, &l.strides});
      loops_.push_back(find_offset_loop(l.type, p.mode));
    }
    if (p.constant) {
      auto* const bytes = const_cast<unsigned char*>(p.constant->bytes);
      views_[1].data = reinterpret_cast<char*>(bytes);
    }
  }

  // Rows [first, last) of the index space. False where an index is out of bounds.
  bool run(std::int64_t first, std::int64_t last) const {
    const int rank = p_.shape.size();
    const std::int64_t width = rank == 0 ? 1 : p_.shape[rank - 1];
    bool good = true;
    for (std::int64_t at = first; at < last;) {
      const std::int64_t along = at % width;
      const std::int64_t n = std::min({last - at, width - along, stretch});
      good &= move(at / width, along, n);
      at += n;
    }
    return good;
  }

 private:
  struct place {
    char* data;
    const dims* strides;
  };

  // n rows from place `along` of the last axis on, `outer` being the index of the other axes.
  bool move(std::int64_t outer, std::int64_t along, std::int64_t n) const {
    plan::small_vector<char*, 6> at;
    for (const place& v : views_) at.push_back(v.data);
    for (int k = p_.shape.size() - 1; k >= 0; --k) {
      const bool inner = k == p_.shape.size() - 1;
      const std::int64_t i = inner ? along : outer % p_.shape[k];
      if (!inner) outer /= p_.shape[k];
      for (std::size_t v = 0; v < views_.size(); ++v) at[v] += i * (*views_[v].strides)[k];
    }
    const auto step = [&](std::size_t v) {
      return p_.shape.empty() ? 0 : views_[v].strides->back();
    };
    std::int64_t offsets[stretch];
    for (std::int64_t j = 0; j < n; ++j) offsets[j] = j * step(0);
    bool good = true;
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      const plan::index_list& l = p_.lists[k];
      good &= loops_[k](at[2 + k], step(2 + k), n, l.extent, l.step, offsets);
    }
    if (good) move_({at[0], offsets, at[1], step(1), n}, p_);
    return good;
  }

  const plan::indexed& p_;
  const move_loop move_;
  plan::small_vector<place, 6> views_;
  plan::small_vector<offset_loop, 4> loops_;
};

// Scattered rows of one place must be stored in order; they can only meet where they differ along
// the axes of the indices. The number of rows that one thread must take on its own.
std::int64_t rows_together(const plan::indexed& p) {
  if (p.what != plan::indexed::action::scatter || p.unique) return 1;
  if (p.shape.empty()) return 1;
  const auto changes = [](const plan::index_list& l) { return l.strides[0] != 0; };
  const bool meet = p.array.strides[0] == 0 || std::any_of(p.lists.begin(), p.lists.end(), changes);
  return meet ? p.size : p.size / p.shape[0];
}

}  // namespace

void run_indexed(const plan::indexed& p) {
  if (p.what != plan::indexed::action::gather) check_indices(p);
  if (p.what == plan::indexed::action::check) return;
  const walker w(p);
  const std::int64_t together = rows_together(p);
  const std::int64_t wanted = std::max<std::int64_t>(1, 65536 / (p.row * itemsize(p.array.type)));
  const std::int64_t piece = (wanted + together - 1) / together * together;
  std::atomic<bool> good{true};
  parallel_for((p.size + piece - 1) / piece, [&](std::int64_t first, std::int64_t last) {
    if (!w.run(first * piece, std::min(p.size, last * piece))) good = false;
  });
  if (!good) check_indices(p);
}

}  // namespace numwarp::cpu_backend
