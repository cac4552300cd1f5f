// Selection by mask: count, gather and scatter of the rows whose mask is true.
#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/kernels.hpp"
#include "cpu/thread_pool.hpp"

namespace numwarp::cpu_backend {

namespace {

constexpr std::int64_t chunk = 65536;

std::int64_t count_range(const bool* mask, std::int64_t n) {
  std::int64_t total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += mask[i];
  return total;
}

// The number of true elements before each chunk of the mask.
std::vector<std::int64_t> starts(const bool* mask, std::int64_t n) {
  const std::int64_t chunks = (n + chunk - 1) / chunk;
  std::vector<std::int64_t> at(std::size_t(chunks) + 1, 0);
  parallel_for(chunks, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t c = first; c < last; ++c) {
      at[std::size_t(c) + 1] = count_range(mask + c * chunk, std::min(chunk, n - c * chunk));
    }
  });
  for (std::size_t c = 1; c < at.size(); ++c) at[c] += at[c - 1];
  return at;
}

// f(row, position) for each true row, positions counted from 0. The places in a block come first,
// without a branch: that of a random mask is guessed wrong every second time.
template <class F> void for_each_true(const bool* mask, std::int64_t n, const F& f) {
  constexpr std::int64_t block = 512;
  const auto at = starts(mask, n);
  parallel_for(std::int64_t(at.size()) - 1, [&](std::int64_t first, std::int64_t last) {
    std::int64_t k = at[std::size_t(first)];
    const std::int64_t end = std::min(n, last * chunk);
    for (std::int64_t i = first * chunk; i < end; i += block) {
      const std::int64_t m = std::min(block, end - i);
      std::uint16_t places[block];
      std::int64_t count = 0;
      for (std::int64_t j = 0; j < m; ++j) {
        places[count] = std::uint16_t(j);
        count += mask[i + j];
      }
      for (std::int64_t j = 0; j < count; ++j) f(i + places[j], k + j);
      k += count;
    }
  });
}

// Calls g with the row size as a constant where it is the size of an element type.
template <class G> void with_size(std::int64_t bytes, const G& g) {
  switch (bytes) {
    case 1:
      return g(std::integral_constant<std::int64_t, 1>{});
    case 2:
      return g(std::integral_constant<std::int64_t, 2>{});
    case 4:
      return g(std::integral_constant<std::int64_t, 4>{});
    case 8:
      return g(std::integral_constant<std::int64_t, 8>{});
    case 16:
      return g(std::integral_constant<std::int64_t, 16>{});
    default:
      return g(bytes);
  }
}

}  // namespace

std::int64_t count_true(const bool* mask, std::int64_t n) { return starts(mask, n).back(); }

void true_indices(std::int64_t* to, const bool* mask, std::int64_t n) {
  for_each_true(mask, n, [&](std::int64_t i, std::int64_t k) { to[k] = i; });
}

void gather_true(char* to, const char* from, const bool* mask, std::int64_t n,
                 std::int64_t row_bytes) {
  with_size(row_bytes, [&](auto size) {
    for_each_true(mask, n, [&](std::int64_t i, std::int64_t k) {
      std::memcpy(to + k * size, from + i * size, std::size_t(size));
    });
  });
}

void scatter_true(char* to, const char* from, const bool* mask, std::int64_t n,
                  std::int64_t row_bytes) {
  with_size(row_bytes, [&](auto size) {
    for_each_true(mask, n, [&](std::int64_t i, std::int64_t k) {
      std::memcpy(to + i * size, from + k * size, std::size_t(size));
    });
  });
}

}  // namespace numwarp::cpu_backend
