#include "cpu/indexed_offsets.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numwarp/error.hpp>
#include <string>
#include <type_traits>

#include "cpu/strided_loops.hpp"
#include "cpu/thread_pool.hpp"
#include "plan/layout.hpp"

namespace numwarp::cpu_backend {

namespace {

template <class I> std::int64_t load_index(const char* at) {
  I i;
  std::memcpy(&i, at, sizeof i);
  return std::int64_t(i);
}

// An index of [0, extent); `good` becomes false where there is none.
template <index_mode M>
std::int64_t resolve_index(std::int64_t i, std::int64_t extent, bool& good) {
  if constexpr (M == index_mode::raise) {
    i += i < 0 ? extent : 0;
    const bool inside = std::uint64_t(i) < std::uint64_t(extent);
    good &= inside;
    return inside ? i : 0;
  } else if constexpr (M == index_mode::wrap) {
    if (std::uint64_t(i) < std::uint64_t(extent)) return i;
    i %= extent;
    return i < 0 ? i + extent : i;
  } else {
    return std::clamp(i, std::int64_t(0), extent - 1);
  }
}

template <class I, index_mode M>
bool add_offsets(const char* indices, std::int64_t stride, std::int64_t n, std::int64_t extent,
                 std::int64_t step, std::int64_t* offsets) {
  bool good = true;
  const auto add = [&](auto apart) {
    for (std::int64_t j = 0; j < n; ++j)
      offsets[j] += resolve_index<M>(load_index<I>(indices + j * apart), extent, good) * step;
  };
  if (stride == std::int64_t(sizeof(I))) {
    add(std::integral_constant<std::int64_t, sizeof(I)>());
  } else {
    add(stride);
  }
  return good;
}

// Whether n indices are in [-extent, extent).
template <class I>
bool all_inside(const char* indices, std::int64_t stride, std::int64_t n, std::int64_t extent) {
  const auto look = [&](auto apart) {
    bool good = true;
    for (std::int64_t j = 0; j < n; ++j) {
      const auto from_low =
          std::uint64_t(load_index<I>(indices + j * apart)) + std::uint64_t(extent);
      good &= from_low < 2 * std::uint64_t(extent);
    }
    return good;
  };
  return stride == std::int64_t(sizeof(I)) ? look(std::integral_constant<std::int64_t, sizeof(I)>())
                                           : look(stride);
}

template <class I> offset_loop loop_of(index_mode mode) {
  switch (mode) {
    case index_mode::wrap:
      return add_offsets<I, index_mode::wrap>;
    case index_mode::clip:
      return add_offsets<I, index_mode::clip>;
    default:
      return add_offsets<I, index_mode::raise>;
  }
}

// f(type_identity<I>) for the C++ type of indices. uint64 beyond int64 wraps, as NumPy's
// conversion.
template <class F> auto with_index_type(dtype t, const F& f) {
  switch (t) {
    case dtype::int8:
      return f(std::type_identity<std::int8_t>());
    case dtype::int16:
      return f(std::type_identity<std::int16_t>());
    case dtype::int32:
      return f(std::type_identity<std::int32_t>());
    case dtype::uint16:
      return f(std::type_identity<std::uint16_t>());
    case dtype::uint32:
      return f(std::type_identity<std::uint32_t>());
    case dtype::int64:
    case dtype::uint64:
      return f(std::type_identity<std::int64_t>());
    default:
      return f(std::type_identity<std::uint8_t>());
  }
}

std::int64_t index_at(const plan::index_list& l, const dims& shape, std::int64_t place) {
  char bytes[8];
  gather(shape, l, place, 1, bytes);
  return with_index_type(l.type,
                         [&]<class I>(std::type_identity<I>) { return load_index<I>(bytes); });
}

}  // namespace

offset_loop find_offset_loop(dtype type, index_mode mode) {
  return with_index_type(type, [&]<class I>(std::type_identity<I>) { return loop_of<I>(mode); });
}

void check_indices(const plan::indexed& p) {
  if (p.mode != index_mode::raise) return;
  constexpr std::int64_t block = 1024, chunk = 65536;
  for (const plan::index_list& list : p.lists) {
    const plan::lone_list a = plan::alone(p, list);
    const std::int64_t n = plan::size(a.shape);
    const auto look =
        with_index_type(list.type, [&]<class I>(std::type_identity<I>) { return &all_inside<I>; });
    const bool lies_on_a_line = a.shape.size() == 1;
    std::atomic<std::int64_t> first_bad = n;  // the chunk's first element
    parallel_for((n + chunk - 1) / chunk, [&](std::int64_t from, std::int64_t to) {
      char bytes[8 * block];
      const int size = itemsize(list.type);
      for (std::int64_t at = from * chunk; at < std::min(n, to * chunk); at += block) {
        const std::int64_t m = std::min(block, n - at);
        const std::int64_t step = lies_on_a_line ? a.list.strides[0] : size;
        const char* indices = a.list.data + at * step;
        if (!lies_on_a_line) {
          gather(a.shape, a.list, at, m, bytes);
          indices = bytes;
        }
        if (look(indices, step, m, list.extent)) continue;
        std::int64_t seen = first_bad;
        while (at < seen && !first_bad.compare_exchange_weak(seen, at)) {
        }
        return;
      }
    });
    for (std::int64_t at = first_bad; at < n; ++at) {
      const std::int64_t i = index_at(a.list, a.shape, at);
      if (i >= -list.extent && i < list.extent) continue;
      throw index_error(std::string(p.name) + ": index " + std::to_string(i) +
                        " is out of bounds for axis " + std::to_string(list.axis) + " with size " +
                        std::to_string(list.extent));
    }
  }
}

}  // namespace numwarp::cpu_backend
