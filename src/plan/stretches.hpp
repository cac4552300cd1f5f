// How an axis of an output is filled from an axis of an input that goes on beyond its ends: what
// rolling, padding and repeating as a whole have in common.
#pragma once

#include <cstdint>
#include <vector>

namespace numwarp::plan {

// Element to + r * period + i of the output is element from + i * step of the input, for i in
// [0, count) and r in [0, repeats).
struct stretch {
  std::int64_t to, count, from, step = 1, repeats = 1, period = 0;
};

enum class extension : std::uint8_t {
  wrap,       // abcd | abcd | abcd
  reflect,    // dcb | abcd | cba
  symmetric,  // dcba | abcd | dcba
  edge        // aaaa | abcd | dddd
};

// Elements [low, high) of an axis of n > 0 elements that is extended without end; the output's
// first one is `low`. A few stretches that cover the output once, however far it reaches.
std::vector<stretch> extend(std::int64_t n, std::int64_t low, std::int64_t high, extension how);

}  // namespace numwarp::plan
