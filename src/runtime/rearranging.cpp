// roll, tile, repeat, resize, append.
#include <numwarp/creation.hpp>
#include <numwarp/error.hpp>
#include <numwarp/manipulation.hpp>
#include <numwarp/rearranging.hpp>

#include "plan/layout.hpp"
#include "runtime/copies.hpp"
#include "runtime/indexing.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

using stretches = std::vector<plan::stretch>;

// An array of the shape `s`, each axis of which is filled as its stretches say.
any_array rearranged(const any_array& a, const any_array& to, std::span<const stretches> maps,
                     const char* name) {
  copies c(to, name);
  if (a.size() > 0) c.add(a, maps);
  c.launch();
  return to;
}

std::int64_t modulo(std::int64_t a, std::int64_t n) { return (a % n + n) % n; }

// How far every axis is rolled, modulo its length.
dims shifts(const numwarp::shape& s, const integers& shift, const axes& axis) {
  const int given = shift.single() ? 1 : shift.size(), named = axis.list().size();
  if (given != named && given != 1 && named != 1) {
    throw value_error(
        "roll: shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between "
        "arg 0 with shape (" +
        std::to_string(given) + ",) and arg 1 with shape (" + std::to_string(named) + ",).");
  }
  dims out(s.size(), 0);
  const int n = given == 0 || named == 0 ? 0 : std::max(given, named);
  for (int k = 0; k < n; ++k) {
    const int i = plan::normalize_axis(axis.list()[named == 1 ? 0 : k], s.size(), "roll");
    if (s[i] > 0) out[i] = modulo(out[i] + modulo(shift[given == 1 ? 0 : k], s[i]), s[i]);
  }
  return out;
}

// a flattened where no axis is given; the axis then is 0.
any_array flat_or(const any_array& a, axis_or_none& axis) {
  if (axis.value()) return a;
  axis = 0;
  return ravel(a, order::c);
}

// The array under the shape `parted` takes the elements of `from`, which broadcast to that.
any_array spread(const any_array& to, const numwarp::shape& parted, const any_array& from,
                 const char* name) {
  if (to.size() > 0) assign(to.reshape(parted), {const_cast<any_array*>(&from), false, {}}, name);
  return to;
}

std::int64_t checked_times(std::int64_t n, std::int64_t times, const char* name) {
  std::int64_t out;
  if (!__builtin_mul_overflow(n, times, &out)) return out;
  throw value_error(std::string(name) + ": array is too big, " + std::to_string(n) + " times " +
                    std::to_string(times) + " elements along an axis");
}

// Counts of their own for the elements along axis i.
any_array repeat_each(const any_array& a, const dims& counts, int i) {
  const std::int64_t n = a.shape()[i];
  if (counts.size() != n) {
    throw value_error("repeat: operands could not be broadcast together with shape (" +
                      std::to_string(n) + ",) (" + std::to_string(counts.size()) + ",)");
  }
  std::int64_t total = 0;
  for (const std::int64_t c : counts) {
    if (__builtin_add_overflow(total, c, &total))
      throw value_error("repeat: array is too big, got counts whose sum int64 cannot hold");
  }
  dims from(total, 0);
  std::int64_t* at = from.begin();
  for (int k = 0; k < n; ++k) at = std::fill_n(at, counts[k], k);
  return elements_at(a, i, from, "repeat");
}

}  // namespace

any_array roll(const any_array& a, const integers& shift, const axes& axis) {
  const any_array& r = resolved(a, "roll");
  const numwarp::shape& s = r.shape();
  if (!axis.given()) return roll(ravel(a, order::c), shift, 0).reshape(s);
  const dims by = shifts(s, shift, axis);
  std::vector<stretches> maps;
  for (int i = 0; i < s.size(); ++i) {
    maps.push_back(s[i] == 0 ? stretches()
                             : plan::extend(s[i], -by[i], s[i] - by[i], plan::extension::wrap));
  }
  return rearranged(a, empty_joined(s, {&r, 1}, r.type(), "roll"), maps, "roll");
}

any_array tile(const any_array& a, const integers& reps) {
  any_array from = resolved(a, "tile");
  while (from.ndim() < reps.size()) from = from.expand_dims(0);
  const int n = from.ndim(), lead = n - reps.size();
  numwarp::shape s = from.shape(), parted;
  std::vector<subscript> items;
  for (int i = 0; i < n; ++i) {
    const std::int64_t times = i < lead ? 1 : reps[i - lead];
    if (times < 0 && s[i] > 0) {
      throw value_error("tile: negative dimensions are not allowed, got " + to_string(reps.list()));
    }
    if (times != 1) {
      parted.push_back(times);
      items.emplace_back(newaxis);
    }
    parted.push_back(s[i]);
    items.emplace_back(slice());
    s[i] = checked_times(s[i], times, "tile");
  }
  if (parted == s) return from.copy(order::k);
  const any_array to = empty(s, from.type(), from.device(), order::c, "tile");
  return spread(to, parted, from.subscript(items), "tile");
}

any_array repeat(const any_array& given, const integers& counts, axis_or_none axis) {
  const any_array a = atleast(flat_or(resolved(given, "repeat"), axis), 1, "repeat");
  const int i = plan::normalize_axis(*axis.value(), a.ndim(), "repeat");
  for (const std::int64_t c : counts.list()) {
    if (c < 0) {
      throw value_error("repeat: repeats may not contain negative values, got " +
                        std::to_string(c));
    }
  }
  if (counts.size() != 1) return repeat_each(a, counts.list(), i);
  numwarp::shape s = a.shape(), parted = s;
  s[i] = checked_times(s[i], counts[0], "repeat");
  parted.insert(i + 1, counts[0]);
  const any_array to = empty(s, a.type(), a.device(), order::c, "repeat");
  return spread(to, parted, a.expand_dims(i + 1), "repeat");
}

any_array resize(const any_array& given, const shape& s) {
  const any_array a = ravel(resolved(given, "resize"), order::c);
  for (const std::int64_t n : s) {
    if (n < 0) {
      throw value_error("resize: all elements of `new_shape` must be non-negative, got " +
                        to_string(s));
    }
  }
  if (a.size() == 0) return full(s, a.type(), scalar(false), a.device(), order::c, "resize");
  any_array to = empty(s, a.type(), a.device(), order::c, "resize");
  const stretches map[] = {plan::extend(a.size(), 0, to.size(), plan::extension::wrap)};
  rearranged(a, to.reshape(-1), map, "resize");
  return to;
}

any_array append(const any_array& a, const any_array& values, axis_or_none axis) {
  const any_array both[] = {a, values};
  return concatenate(both, {.axis = axis.value(), .name = "append"});
}

}  // namespace numwarp::detail
