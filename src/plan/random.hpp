// What a device is asked for when random numbers are drawn.
#pragma once

#include <cstdint>
#include <numwarp/core/random.hpp>

namespace numwarp::plan {

// Fills draw.out, aligned to 64 bytes, with draw.n > 0 elements.
struct random {
  const char* name;
  core::random::code code;
  core::random::draw draw;
};

// The blocks of a draw, and how many elements of the first one come before its first element.
struct random_blocks {
  std::int64_t count;
  core::u64 first;
  int skipped;
};
inline random_blocks blocks_of(const core::random::draw& d, int size) {
  const auto skipped = int(d.first % core::u64(size));
  return {(d.n + skipped + size - 1) / size, d.first / core::u64(size), skipped};
}

}  // namespace numwarp::plan
