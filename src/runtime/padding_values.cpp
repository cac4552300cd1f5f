// pad: margins whose values are computed, axis by axis, as NumPy does: a later axis sees the
// margins of the earlier ones.
#include <numwarp/constants.hpp>
#include <numwarp/joining.hpp>
#include <numwarp/reductions.hpp>
#include <numwarp/ufuncs.hpp>

#include "plan/layout.hpp"
#include "runtime/padding.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

using std::int64_t;

void put(const any_array& to, any_array values) {
  if (to.size() > 0) assign(to, {&values, true, {}}, "pad");
}

any_array number_like(const any_array& a, const scalar& s) {
  return full({}, a.type(), s, a.device(), order::c, "pad");
}

any_array reduced(const any_array& a, reduce_code op, int axis) {
  return reduce(op, {const_cast<any_array*>(&a), false, {}}, {.axis = axis, .keepdims = true});
}

// ---- linear_ramp ----

// n values from `end` on the way to `edge`, which is n steps away; computed as NumPy's linspace.
any_array ramp(const any_array& edge, const scalar& end, int64_t n, int axis) {
  const dtype t = promote(edge.type(), dtype::float64);
  const any_array from = number_like(edge.astype(t), end);
  const any_array step = divide(subtract(edge.astype(t), from), double(n));
  numwarp::shape s(dims(edge.ndim(), 1));
  s[axis] = n;
  const any_array i = arange(scalar(0), scalar(n), scalar(1), t, edge.device()).reshape(s);
  const any_array values = add(multiply(i, step), from);
  return core::is_integer(edge.type()) ? floor(values) : values;
}

void fill_ramp(const padded& p, int axis, const std::pair<scalar, scalar>& ends) {
  const any_array region = p.region(axis);
  const auto [before, after] = p.width[std::size_t(axis)];
  const int64_t last = region.shape()[axis] - after;
  if (before > 0)
    put(p.before(axis),
        ramp(along(region, axis, slice(before, before + 1)), ends.first, before, axis));
  if (after > 0) {
    put(p.after(axis).flip(axis),
        ramp(along(region, axis, slice(last - 1, last)), ends.second, after, axis));
  }
}

// ---- maximum, mean, median, minimum ----

// Elements that one comparison of all pairs may take at a time.
constexpr int64_t most_pairs = int64_t(1) << 24;

// The place of each element in sorted order, along an axis: how many are less, or equal and before
// it. Counted against blocks of the elements, so that memory is bounded.
any_array ranks(const any_array& x, int axis) {
  const int64_t n = x.shape()[axis];
  const int64_t block = std::clamp<int64_t>(most_pairs / std::max<int64_t>(x.size(), 1), 1, n);
  numwarp::shape s(dims(x.ndim() + 1, 1));
  s[axis] = n;
  const any_array index = arange(scalar(0), scalar(n), scalar(1), dtype::int64, x.device());
  const any_array mine = x.expand_dims(axis + 1), my_index = index.reshape(s);
  any_array rank;
  for (int64_t at = 0; at < n; at += block) {
    const slice some(at, std::min(n, at + block));
    const any_array others = along(x, axis, some).expand_dims(axis);
    s[axis] = 1;
    s[axis + 1] = std::min(n, at + block) - at;
    const any_array its_index = along(index, 0, some).reshape(s);
    any_array before =
        logical_or(less(others, mine), logical_and(equal(others, mine), less(its_index, my_index)));
    any_array count = reduce(reduce_code::count_nonzero, {&before, true, {}}, {.axis = axis + 1});
    rank = rank.valid() ? add(rank, count).compute() : count;
  }
  return rank;
}

// The element of that rank.
any_array ranked(const any_array& x, const any_array& rank, int64_t wanted, int axis) {
  any_array chosen = where(equal(rank, wanted), x, number_like(x, false));
  return reduce(reduce_code::sum, {&chosen, true, {}},
                {.axis = axis, .keepdims = true, .as = int(x.type())});
}

// NumPy's median: the mean of the two in the middle, NaN where there is one.
any_array median(const any_array& x, int axis) {
  const int64_t n = x.shape()[axis];
  const any_array rank = ranks(x, axis);
  const any_array low = ranked(x, rank, (n - 1) / 2, axis), high = ranked(x, rank, n / 2, axis);
  const any_array pair[] = {low, high};
  any_array middle = reduced(concatenate(pair, {.axis = axis}), reduce_code::mean, axis);
  if (kind(x.type()) != 'f' && kind(x.type()) != 'c') return middle;
  const any_array lost = isnan(x);
  return where(reduced(lost, reduce_code::any, axis), number_like(middle, numwarp::nan), middle);
}

any_array statistic(const any_array& x, std::string_view mode, int axis) {
  if (mode == "maximum") return reduced(x, reduce_code::max, axis);
  if (mode == "minimum") return reduced(x, reduce_code::min, axis);
  return mode == "mean" ? reduced(x, reduce_code::mean, axis) : median(x, axis);
}

any_array rounded_for(const any_array& to, const any_array& x) {
  return core::is_integer(to.type()) && kind(x.type()) == 'f' ? rint(x) : x;
}

int64_t stat_length(const slice_bound& given, int64_t most, std::string_view mode) {
  const int64_t n = given.value().value_or(most);
  if (n < 0) throw value_error("pad: index can't contain negative values");
  if (n == 0 && (mode == "maximum" || mode == "minimum"))
    throw value_error("pad: stat_length of 0 yields no value for padding");
  return std::min(n, most);
}

void fill_statistic(const padded& p, int axis, std::string_view mode, const pad_options& o) {
  const any_array inner = along(p.region(axis), axis, p.inside(axis));
  const int64_t n = inner.shape()[axis];
  const auto given = ends_of_axes(o.stat_length, p.to.ndim(), "pad")[std::size_t(axis)];
  const int64_t left = stat_length(given.first, n, mode);
  const int64_t right = stat_length(given.second, n, mode);
  const auto of = [&](const slice& s) {
    return rounded_for(p.to, statistic(along(inner, axis, s), mode, axis));
  };
  const any_array first = of(slice(0, left));
  put(p.before(axis), first);
  put(p.after(axis), left == n && right == n ? first : of(slice(n - right, n)));
}

// ---- reflect and symmetric of type odd ----

// Mirrors what is known of the axis, elements [first, last), to both sides, as often as it takes.
void fill_odd(const padded& p, int axis, bool symmetric) {
  const any_array region = p.region(axis);
  const int64_t n = p.from.shape()[axis], all = region.shape()[axis];
  auto [before, after] = p.width[std::size_t(axis)];
  const auto part = [&](int64_t first, int64_t last) {
    return along(region, axis, slice(first, last));
  };
  if (n == 1) {  // as edge
    put(part(0, before), part(before, before + 1));
    return put(part(all - after, all), part(before, before + 1));
  }
  while (before > 0 || after > 0) {
    const int64_t known = all - before - after, skip = symmetric ? 0 : 1;
    // Only whole periods of what is known are mirrored.
    const int64_t whole = symmetric ? known / n * n : (known - 1) / (n - 1) * (n - 1);
    const auto mirrored = [&](int64_t edge, int64_t first, int64_t count) {
      return subtract(multiply(part(edge, edge + 1), 2), part(first, first + count).flip(axis));
    };
    const int64_t left = std::min(whole, before), right = std::min(whole, after);
    if (left > 0) put(part(before - left, before), mirrored(before, before + skip, left));
    before -= left;
    const int64_t end = all - after;
    if (right > 0) put(part(end, end + right), mirrored(end - 1, end - skip - right, right));
    after -= right;
  }
}

}  // namespace

void compute_margin(const padded& p, std::string_view mode, const pad_options& o) {
  for (int i = 0; i < p.to.ndim(); ++i) {
    if (mode == "linear_ramp") {
      fill_ramp(p, i, ends_of_axes(o.end_values, p.to.ndim(), "pad")[std::size_t(i)]);
    } else if (mode == "reflect" || mode == "symmetric") {
      fill_odd(p, i, mode == "symmetric");
    } else {
      fill_statistic(p, i, mode, o);
    }
  }
}

}  // namespace numwarp::detail
