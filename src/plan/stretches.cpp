#include "plan/stretches.hpp"

#include <algorithm>

namespace numwarp::plan {

namespace {

using list = std::vector<stretch>;

std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// What of s, which counts from the input's first element, lies in [low, high).
void add_clipped(list& out, const stretch& s, std::int64_t low, std::int64_t high) {
  const std::int64_t first = std::max(s.to, low), last = std::min(s.to + s.count, high);
  if (first >= last) return;
  out.push_back({first - low, last - first, s.from + (first - s.to) * s.step, s.step});
}

// s again and again, every `period` elements: whole ones as one stretch, then what is left of it at
// both ends.
void add_periodic(list& out, const stretch& s, std::int64_t period, std::int64_t low,
                  std::int64_t high) {
  const std::int64_t first = floor_divide(low - s.to + period - 1, period);
  const std::int64_t last = floor_divide(high - s.count - s.to, period);
  if (last >= first) {
    out.push_back({s.to + first * period - low, s.count, s.from, s.step, last - first + 1, period});
  }
  for (const std::int64_t k : {first - 1, std::max(first, last + 1)}) {
    add_clipped(out, {s.to + k * period, s.count, s.from, s.step}, low, high);
  }
}

}  // namespace

std::vector<stretch> extend(std::int64_t n, std::int64_t low, std::int64_t high, extension how) {
  list out;
  if (how == extension::edge || (how == extension::reflect && n == 1)) {
    if (low < 0) add_clipped(out, {low, -low, 0, 0}, low, high);
    add_clipped(out, {0, n, 0}, low, high);
    if (high > n) add_clipped(out, {n, high - n, n - 1, 0}, low, high);
    return out;
  }
  const std::int64_t back = how == extension::wrap ? 0 : how == extension::reflect ? n - 2 : n;
  add_periodic(out, {0, n, 0}, n + back, low, high);
  if (back > 0)
    add_periodic(out, {n, back, how == extension::reflect ? n - 2 : n - 1, -1}, n + back, low,
                 high);
  return out;
}

}  // namespace numwarp::plan
