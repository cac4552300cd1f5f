// Random numbers: checks, and how many words of the stream a draw takes.
#include "plan/random.hpp"

#include <charconv>
#include <cmath>
#include <numwarp/core/cast.hpp>
#include <numwarp/error.hpp>
#include <numwarp/random.hpp>
#include <random>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

using core::random::code;
using core::random::draw;

// A number as the messages show it.
std::string text(double x) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

// A new array filled by one launch, `width` words an element.
any_array fill(random_state& g, const char* function, code what, draw how, int width, dtype t,
               const numwarp::shape& s, device d) {
  any_array a = empty(s, t, d, order::c, function);
  const auto words = std::uint64_t(width);
  how.first = g.next / words + (g.next % words != 0);
  how.n = a.size();
  how.seed = g.seed;
  if (how.n == 0) return a;
  {
    storage& store = *access::store(a);
    how.out = store.data;
    runtime::launch_scope scope(d);
    scope.writes(store);
    runtime::backend_for(d).launch(plan::random{function, what, how});
  }
  g.next = (how.first + std::uint64_t(how.n)) * words;
  return a;
}

// The largest T below `high`; low itself where there is nothing in between.
template <class T> double last_below(double low, double high) {
  return T(low) < T(high) ? double(std::nextafter(T(high), T(low))) : double(T(low));
}

// An integer of any type, and one more than 64 bits can hold.
__extension__ typedef __int128 int128;

int128 wide(const scalar& s) { return s.kind == 'u' ? int128(std::uint64_t(s.i)) : int128(s.i); }
std::string text(const scalar& s) {
  return s.kind == 'u' ? std::to_string(std::uint64_t(s.i)) : std::to_string(s.i);
}

struct integer_range {
  int128 low, last;
};
integer_range range_of(dtype t) {
  const int bits = 8 * itemsize(t);
  const int128 values = int128(1) << bits;
  if (kind(t) == 'u') return {0, values - 1};
  return {-(values / 2), values / 2 - 1};
}

// The bounds, both included, once they are found good.
integer_range checked_range(const scalar& low, const scalar& high, bool endpoint, dtype t) {
  const integer_range asked{wide(low), wide(high) - (endpoint ? 0 : 1)}, type = range_of(t);
  const std::string got = ", got low " + text(low) + " and high " + text(high);
  const auto refuse = [&](const std::string& what) {
    throw value_error("integers: " + what + got + (endpoint ? " with endpoint" : ""));
  };
  if (asked.low < type.low) refuse("low is out of bounds for " + std::string(name(t)));
  if (asked.last > type.last) refuse("high is out of bounds for " + std::string(name(t)));
  if (asked.low > asked.last) refuse(endpoint ? "low > high" : "low >= high");
  return asked;
}

code integer_code(int bytes, bool wide_range) {
  switch (bytes) {
    case 1:
      return code::integers8;
    case 2:
      return code::integers16;
    case 4:
      return code::integers32;
    default:
      return wide_range ? code::integers64_wide : code::integers64;
  }
}

}  // namespace

any_array random_uniform(random_state& g, const char* function, double low, double high, dtype t,
                         const numwarp::shape& s, device d) {
  const bool single = t == dtype::float32;
  const double a = single ? core::cast<float>(low) : low,
               b = single ? core::cast<float>(high) : high;
  const double span = single ? core::cast<float>(b - a) : b - a;
  const std::string got = ", got low " + text(low) + " and high " + text(high);
  if (!std::isfinite(span)) {
    throw overflow_error(std::string(function) + ": high - low range exceeds valid bounds of " +
                         std::string(name(t)) + got);
  }
  if (high < low) throw value_error(std::string(function) + ": high - low < 0" + got);
  draw how{};
  how.real[0] = a;
  how.real[1] = span;
  how.real[2] = single ? last_below<float>(a, b) : last_below<double>(a, b);
  return fill(g, function, single ? code::uniform32 : code::uniform64, how, single ? 1 : 2, t, s,
              d);
}

any_array random_normal(random_state& g, const char* function, double loc, double scale, dtype t,
                        const numwarp::shape& s, device d) {
  const std::string got = ", got loc " + text(loc) + " and scale " + text(scale);
  if (std::isnan(loc) || std::isnan(scale))
    throw value_error(std::string(function) + ": loc and scale must not be NaN" + got);
  if (std::signbit(scale)) throw value_error(std::string(function) + ": scale < 0" + got);
  draw how{};
  how.real[0] = loc;
  how.real[1] = scale;
  const bool single = t == dtype::float32;
  return fill(g, function, single ? code::normal32 : code::normal64, how, single ? 1 : 2, t, s, d);
}

any_array random_integers(random_state& g, const scalar& low, const scalar& high, bool endpoint,
                          dtype t, const numwarp::shape& s, device d) {
  const integer_range r = checked_range(low, high, endpoint, t);
  const int128 count = r.last - r.low + 1;
  const bool wide_range = count > int128(1) << 32;
  draw how{};
  how.low = std::uint64_t(r.low);
  how.count = std::uint64_t(count);
  how.refuse = std::uint64_t((int128(1) << (wide_range ? 64 : 32)) % count);
  return fill(g, "integers", integer_code(itemsize(t), wide_range), how, wide_range ? 2 : 1, t, s,
              d);
}

std::uint64_t random_seed(const scalar& given) {
  if (given.kind == 'i' && given.i < 0) {
    throw value_error("default_rng: expected non-negative integer, got " + std::to_string(given.i));
  }
  return std::uint64_t(given.i);
}

std::uint64_t entropy() {
  std::random_device system;
  return std::uint64_t(system()) << 32 | system();
}

std::uint64_t spawn_seed(random_state& g) {
  const auto w = core::random::block(g.seed, g.spawned++, 0, core::random::purpose::seeds);
  return core::random::wide(w.a, w.b);
}

void check_children(std::int64_t n) {
  if (n < 0)
    throw value_error("spawn: number of children must be non-negative, got " + std::to_string(n));
}

}  // namespace numwarp::detail
