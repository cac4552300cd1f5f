// Diagonals and triangles of matrices: views of them, writes to them, and their indices.
#include <algorithm>
#include <numeric>
#include <numwarp/error.hpp>
#include <numwarp/index_tricks.hpp>

#include "plan/layout.hpp"
#include "runtime/creation.hpp"
#include "runtime/output.hpp"
#include "runtime/term.hpp"

namespace numwarp::detail {

any_array diagonal_view(const any_array& a, std::int64_t offset, int axis1, int axis2,
                        const char* function) {
  const any_array& r = resolved(a, function).compute();
  layout l = access::lay(r, function);
  const int n = l.shape.size();
  if (n < 2) {
    throw value_error(std::string(function) +
                      ": diag requires an array of at least two dimensions, got shape " +
                      to_string(l.shape));
  }
  const auto place = [&](int axis, const char* which) {
    return plan::normalize_axis(axis, n, (std::string(function) + which).c_str());
  };
  const int i = place(axis1, ": axis1"), j = place(axis2, ": axis2");
  if (i == j) {
    throw value_error(std::string(function) + ": axis1 and axis2 cannot be the same, got " +
                      std::to_string(axis1) + " and " + std::to_string(axis2));
  }
  const std::int64_t length = offset >= 0 ? std::min(l.shape[i], l.shape[j] - offset)
                                          : std::min(l.shape[i] + offset, l.shape[j]);
  const std::int64_t stride = l.strides[i] + l.strides[j];
  if (length > 0) l.offset += offset >= 0 ? offset * l.strides[j] : -offset * l.strides[i];
  for (int axis : {std::max(i, j), std::min(i, j)}) {
    l.shape.erase(axis);
    l.strides.erase(axis);
  }
  l.shape.push_back(std::max<std::int64_t>(length, 0));
  l.strides.push_back(stride);
  l.view = true;
  return access::make(access::store(r), std::move(l));
}

any_array diagonal(const any_array& a, std::int64_t offset, int axis1, int axis2) {
  return diagonal_view(a, offset, axis1, axis2, "diagonal").readonly();
}

namespace {

// Throws unless a has two axes, or more of one extent.
void check_square(const any_array& a, const char* function, const char* too_few, bool all_ranks) {
  const numwarp::shape& s = access::lay(a, function).shape;
  if (s.size() < 2) {
    throw value_error(std::string(function) + ": " + too_few + ", got shape " + to_string(s));
  }
  if (s.size() == 2 && !all_ranks) return;
  if (std::all_of(s.begin(), s.end(), [&](std::int64_t n) { return n == s[0]; })) return;
  throw value_error(std::string(function) +
                    ": All dimensions of input must be of equal length, got shape " + to_string(s));
}

// `count` elements a[i, i, ...] from row `first` on, in `blocks` pieces that are `apart` rows
// apart.
any_array piece(const any_array& a, std::int64_t first, std::int64_t count, std::int64_t blocks,
                std::int64_t apart) {
  layout l = access::lay(a, "fill_diagonal");
  std::int64_t along = 0;
  for (std::int64_t s : l.strides) along += s;
  l.offset += first * l.strides[0];
  l.strides = dims(std::initializer_list<std::int64_t>{apart * l.strides[0], along});
  l.shape = numwarp::shape(blocks, count);
  l.view = true;
  return access::make(access::store(a), std::move(l));
}

// The diagonal in at most two pieces, in the order in which it is filled.
std::vector<any_array> pieces(const any_array& a, bool wrap) {
  const std::int64_t rows = a.shape()[0], columns = a.shape()[1];
  if (a.size() == 0) return {};
  if (!wrap || a.ndim() > 2 || rows <= columns) return {piece(a, 0, std::min(rows, columns), 1, 0)};
  const std::int64_t blocks = rows / (columns + 1);
  const std::int64_t rest = std::min(rows - blocks * (columns + 1), columns);
  std::vector<any_array> list{piece(a, 0, columns, blocks, columns + 1)};
  if (rest > 0) list.push_back(piece(a, blocks * (columns + 1), rest, 1, 0));
  return list;
}

// n elements: those of `line` over and over.
any_array repeated(const any_array& line, std::int64_t n) {
  const std::int64_t m = line.size(), times = n / m;
  any_array out = empty(n, line.type(), line.device(), order::c, "fill_diagonal");
  const auto copy = [&](const any_array& to, any_array from) {
    assign(to, {&from, false, {}}, "fill_diagonal");
  };
  copy(along(out, 0, slice(0, times * m)).reshape({times, m}), line);
  copy(along(out, 0, slice(times * m, n)), along(line, 0, slice(0, n - times * m)));
  return out;
}

// The elements of an array one after the other, over and over if they are too few. They are copied
// unless one assignment takes them, which sees to overlaps.
void fill_from(std::span<const any_array> list, const any_array& values) {
  std::int64_t n = 0, done = 0;
  for (const any_array& p : list) n += p.size();
  if (values.size() == 0 || n == 0) return;
  any_array line = ravel(values, order::c);
  if (line.size() < n || list.size() > 1) line = repeated(along(line, 0, slice(0, n)), n);
  for (const any_array& p : list) {
    any_array from = along(line, 0, slice(done, done + p.size())).reshape(p.shape());
    assign(p, {&from, false, {}}, "fill_diagonal");
    done += p.size();
  }
}

}  // namespace

void fill_diagonal(const any_array& a, operand value, bool wrap) {
  const char* name = "fill_diagonal";
  check_square(a, name, "array must be at least 2-d", false);
  check_writeable(a, name);
  const any_array target = resolved(a, name);
  operand both[] = {value, {const_cast<any_array*>(&target), false, {}}};
  common_device(name, both);
  access::store(target)->compute();
  const auto list = pieces(target, wrap);
  if (value.array) return fill_from(list, resolved(*value.array, name));
  for (const any_array& p : list) assign(p, value, name);
}

ndarray<std::int64_t> diagonal_index(std::int64_t n, device d) {
  return ndarray<std::int64_t>(arange(scalar(0), scalar(n), scalar(1), dtype::int64, d)).compute();
}
ndarray<std::int64_t> diagonal_index_from(const any_array& a) {
  check_square(a, "diag_indices_from", "input array must be at least 2-d", true);
  return diagonal_index(a.shape()[0], a.device());
}

namespace {

// The part of an n x m matrix on and below its k-th diagonal: rows that grow by one element, the
// first of `first` elements, then rows that are whole.
struct staircase {
  std::int64_t skipped = 0, first = 1, growing = 0, whole = 0, m = 0;

  staircase(std::int64_t n, std::int64_t columns, std::int64_t k) : m(columns) {
    k = std::clamp(k, -n, m);
    if (m == 0) return;
    skipped = std::min(n, std::max<std::int64_t>(-k, 0));
    first = std::min(skipped + k + 1, m);
    growing = std::min(n - skipped, m - first);
    whole = n - skipped - growing;
  }
  std::int64_t grown() const { return growing * first + growing * (growing - 1) / 2; }
  std::int64_t count() const { return grown() + whole * m; }
};

// Row (from the first that is not skipped) and column of the element number t among the growing
// rows: the root of r (r + b) / 2 = t, whose rounding is put right by one.
std::pair<term, term> grown_place(const staircase& s, term t) {
  const double b = double(2 * s.first - 1);
  const auto start = [&](term r) { return r * (r + scalar(b)) / scalar(2); };
  term r = (((t * scalar(8) + scalar(b * b)).sqrt() - scalar(b)) / scalar(2)).floor();
  r = (t < start(r)).choose(r - scalar(1), r);
  r = (start(r + scalar(1)) <= t).choose(r + scalar(1), r);
  return {r, t - start(r)};
}

std::pair<term, term> place_in(const staircase& s, term t) {
  const term past = t - scalar(s.grown()), row = past.quotient(scalar(s.m));
  const std::pair<term, term> whole{row + scalar(s.growing), past - row * scalar(s.m)};
  if (s.growing == 0) return whole;
  const auto grown = grown_place(s, t);
  const term among = t < scalar(s.grown());
  return {among.choose(grown.first, whole.first), among.choose(grown.second, whole.second)};
}

// On the host, row by row: counting is faster there than a root for each element.
void count_places(const std::array<any_array, 2>& out, std::int64_t n, std::int64_t m,
                  std::int64_t k, bool lower) {
  k = std::clamp(k, -n, m);
  auto* i = reinterpret_cast<std::int64_t*>(access::store(out[0])->data);
  auto* j = reinterpret_cast<std::int64_t*>(access::store(out[1])->data);
  for (std::int64_t row = 0; row < n; ++row) {
    const std::int64_t edge = std::clamp<std::int64_t>(row + k + lower, 0, m);
    const std::int64_t first = lower ? 0 : edge, count = (lower ? edge : m) - first;
    i = std::fill_n(i, count, row);
    std::iota(j, j + count, first);
    j += count;
  }
}

}  // namespace

std::array<any_array, 2> triangle_indices(std::int64_t n, std::int64_t m, std::int64_t k,
                                          bool lower, device d, const char* function) {
  n = std::max<std::int64_t>(n, 0);
  m = std::max<std::int64_t>(m, 0);
  plan::checked_size(numwarp::shape(n, m), function);
  // The upper part is the lower one turned by half a turn.
  const staircase s(n, m, lower ? k : m - n - std::clamp(k, -n, m));
  std::array<any_array, 2> out;
  for (any_array& a : out) a = empty(s.count(), dtype::int64, d, order::c, function);
  if (s.count() == 0) return out;
  if (d.is_cpu()) {
    count_places(out, n, m, k, lower);
    return out;
  }
  statement st(function, s.count(), d);
  term t = term::index(st).as(dtype::float64);
  if (!lower) t = t.constant(scalar(s.count() - 1)) - t;
  auto [i, j] = place_in(s, t);
  i = i + scalar(s.skipped);
  if (!lower) {
    i = i.constant(scalar(n - 1)) - i;
    j = j.constant(scalar(m - 1)) - j;
  }
  const int steps[] = {i.as(dtype::int64).step(), j.as(dtype::int64).step()};
  st.write_new(steps, out);
  return out;
}

std::array<any_array, 2> triangle_indices_from(const any_array& a, std::int64_t k, bool lower,
                                               const char* function) {
  const numwarp::shape& s = access::lay(a, function).shape;
  if (s.size() != 2) {
    throw value_error(std::string(function) + ": input array must be 2-d, got shape " +
                      to_string(s));
  }
  return triangle_indices(s[0], s[1], k, lower, a.device(), function);
}

}  // namespace numwarp::detail

namespace numwarp {

std::array<ndarray<std::int64_t>, 2> tril_indices(std::int64_t n, std::int64_t k,
                                                  std::optional<std::int64_t> m, device d) {
  return detail::typed_indices(
      detail::triangle_indices(n, m.value_or(n), k, true, d, "tril_indices"));
}

std::array<ndarray<std::int64_t>, 2> triu_indices(std::int64_t n, std::int64_t k,
                                                  std::optional<std::int64_t> m, device d) {
  return detail::typed_indices(
      detail::triangle_indices(n, m.value_or(n), k, false, d, "triu_indices"));
}

}  // namespace numwarp
