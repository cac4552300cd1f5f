// Copies between strided views and packed memory.
#pragma once

#include <cstdint>
#include <type_traits>

#include "plan/elementwise.hpp"

namespace numwarp::cpu_backend {

template <std::int64_t N> using constant = std::integral_constant<std::int64_t, N>;

// f(constant<size>) for the size of an element.
template <class F> void with_size(int size, const F& f) {
  switch (size) {
    case 1:
      return f(constant<1>());
    case 2:
      return f(constant<2>());
    case 4:
      return f(constant<4>());
    case 8:
      return f(constant<8>());
    default:
      return f(constant<16>());
  }
}

// Copies elements [start, start + n) of the index space (row-major) between a strided view and
// contiguous memory.
void gather(const dims& shape, const plan::view& from, std::int64_t start, std::int64_t n,
            char* to);
void scatter(const dims& shape, const plan::view& to, std::int64_t start, std::int64_t n,
             const char* from, bool streamed = false);

// Gathers a whole tile, the last two axes of `shape`, whose columns lie in memory one after
// another.
void gather_turned(const dims& shape, const plan::view& from, std::int64_t start, char* to);

// The byte offset of element `start` of the index space.
std::int64_t offset_at(const dims& shape, const dims& strides, std::int64_t start);

// n copies of one element of `size` bytes.
void repeat(char* to, const void* element, std::int64_t n, int size);

// Copies n bytes by stores that pass the caches: what is larger than those is written without being
// read first. A thread that streamed calls stream_fence before others may read.
void stream(char* to, const char* from, std::int64_t n);
void stream_fence();

}  // namespace numwarp::cpu_backend
