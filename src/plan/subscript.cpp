#include "plan/subscript.hpp"

#include <algorithm>
#include <numwarp/error.hpp>

namespace numwarp::plan {

using item = detail::subscript;

slice_range resolve(const slice& s, std::int64_t n) {
  const std::int64_t step = s.step().value_or(1);
  if (step == 0) throw value_error("slice: slice step cannot be zero");
  const bool back = step < 0;
  const auto bound = [&](const std::optional<std::int64_t>& b, std::int64_t open) {
    if (!b) return open;
    const std::int64_t v = *b < 0 ? *b + n : *b;
    return std::clamp(v, back ? std::int64_t(-1) : 0, back ? n - 1 : n);
  };
  const std::int64_t start = bound(s.start(), back ? n - 1 : 0);
  const std::int64_t stop = bound(s.stop(), back ? -1 : n);
  const std::int64_t span = back ? start - stop : stop - start;
  if (span <= 0) return {0, step, 0};
  // Unsigned, so that the most negative step has a magnitude.
  const std::uint64_t size = back ? 0 - std::uint64_t(step) : std::uint64_t(step);
  return {start, step, std::int64_t((std::uint64_t(span) - 1) / size) + 1};
}

namespace {

void check_counts(const detail::layout& a, std::span<const item> items) {
  int used = 0, rests = 0, made = 0;
  for (const item& i : items) {
    used += i.kind == item::integer || i.kind == item::range;
    made += i.kind == item::new_axis;
    rests += i.kind == item::rest;
  }
  if (rests > 1) {
    throw index_error("subscript: an index can only have a single ellipsis ('...')");
  }
  if (used > a.shape.size()) {
    throw index_error("subscript: too many indices for array: array is " +
                      std::to_string(a.shape.size()) + "-dimensional, but " + std::to_string(used) +
                      " were indexed");
  }
  if (a.shape.size() + made > max_ndim) {
    throw index_error(
        "subscript: number of dimensions must be within [0, 64], indexing result would have " +
        std::to_string(a.shape.size() + made));
  }
}

// Builds the result's layout one subscript at a time.
struct walker {
  const detail::layout& from;
  detail::layout& to;
  int axis = 0;

  void keep() {
    to.shape.push_back(from.shape[axis]);
    to.strides.push_back(from.strides[axis]);
    ++axis;
  }
  void fix(std::int64_t index) {
    const std::int64_t n = from.shape[axis];
    if (index < -n || index >= n) {
      throw index_error("subscript: index " + std::to_string(index) +
                        " is out of bounds for axis " + std::to_string(axis) + " with size " +
                        std::to_string(n));
    }
    to.offset += (index < 0 ? index + n : index) * from.strides[axis++];
  }
  void cut(const slice& s) {
    const slice_range r = resolve(s, from.shape[axis]);
    to.shape.push_back(r.count);
    // With one element the step is only reported, never used: a huge one may wrap.
    const std::int64_t step = r.count == 0 ? 1 : r.step;
    to.strides.push_back(std::int64_t(std::uint64_t(from.strides[axis]) * std::uint64_t(step)));
    to.offset += r.start * from.strides[axis++];
  }
};

}  // namespace

detail::layout subscript(const detail::layout& a, std::span<const item> items) {
  check_counts(a, items);
  detail::layout out;
  out.type = a.type;
  out.offset = a.offset;
  out.writeable = a.writeable;
  int used = 0;
  for (const item& i : items) used += i.kind == item::integer || i.kind == item::range;
  walker w{a, out};
  for (const item& i : items) {
    switch (i.kind) {
      case item::integer:
        w.fix(i.index);
        break;
      case item::range:
        w.cut(i.bounds);
        break;
      case item::new_axis:
        out.shape.push_back(1);
        out.strides.push_back(0);
        break;
      case item::rest:
        for (int k = used; k < a.shape.size(); ++k) w.keep();
        break;
    }
  }
  while (w.axis < a.shape.size()) w.keep();
  return out;
}

}  // namespace numwarp::plan
