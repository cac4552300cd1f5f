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

int named_axes(const any_array& values) {
  return values.type() == dtype::bool_ ? values.ndim() : 1;
}

namespace {

int used_axes(const item& i) {
  switch (i.kind) {
    case item::integer:
    case item::range:
      return 1;
    case item::array:
      return named_axes(*i.values);
    default:
      return 0;
  }
}

// Returns how many axes the items name.
int check_counts(const detail::layout& a, std::span<const item> items) {
  int used = 0, rests = 0, made = 0;
  for (const item& i : items) {
    used += used_axes(i);
    made += i.kind == item::new_axis;
    rests += i.kind == item::rest;
    if (i.kind == item::array && (kind(i.values->type()) == 'f' || kind(i.values->type()) == 'c')) {
      throw index_error(
          "subscript: arrays used as indices must be of integer (or boolean) type, got " +
          std::string(name(i.values->type())));
    }
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
  return used;
}

// Where the arrays' own axes go, as the subscripts are walked through.
class placing {
 public:
  // A subscript that leaves `axes` axes of its own in the result; integers leave none and count
  // with the arrays.
  void other(int axes) {
    if (state_ == state::inside) state_ = state::behind;
    made_ += axes;
  }
  void array_or_integer() {
    if (state_ == state::before) place_ = made_;
    if (state_ == state::behind) place_ = 0;
    state_ = state_ == state::before || state_ == state::inside ? state::inside : state::apart;
  }
  int place() const { return place_; }

 private:
  enum class state { before, inside, behind, apart } state_ = state::before;
  int made_ = 0, place_ = 0;
};

// Builds the result one subscript at a time.
struct walker {
  const detail::layout& from;
  subscripted& out;
  detail::layout& to = out.view;
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
  void name(const any_array& values, int at) {
    out.arrays.push_back({at, axis, to.shape.size()});
    const bool mask = values.type() == dtype::bool_;
    for (int k = 0; k < named_axes(values); ++k) {
      if (mask && values.shape()[k] != from.shape[axis]) {
        throw index_error(
            "subscript: boolean index did not match indexed array along axis " +
            std::to_string(axis) + "; size of axis is " + std::to_string(from.shape[axis]) +
            " but size of corresponding boolean axis is " + std::to_string(values.shape()[k]));
      }
      keep();
    }
  }
};

}  // namespace

subscripted subscript(const detail::layout& a, std::span<const item> items) {
  const int rest = a.shape.size() - check_counts(a, items);
  subscripted out;
  out.view.type = a.type;
  out.view.offset = a.offset;
  out.view.writeable = a.writeable;
  walker w{a, out};
  placing p;
  for (const item& i : items) {
    switch (i.kind) {
      case item::integer:
        w.fix(i.index);
        p.array_or_integer();
        break;
      case item::range:
        w.cut(i.bounds);
        p.other(1);
        break;
      case item::new_axis:
        out.view.shape.push_back(1);
        out.view.strides.push_back(0);
        p.other(1);
        break;
      case item::rest:
        for (int k = 0; k < rest; ++k) w.keep();
        p.other(rest);
        break;
      case item::array:
        w.name(*i.values, int(&i - items.data()));
        p.array_or_integer();
        break;
    }
  }
  while (w.axis < a.shape.size()) w.keep();
  out.place = p.place();
  return out;
}

}  // namespace numwarp::plan
