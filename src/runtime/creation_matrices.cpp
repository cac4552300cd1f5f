// Matrices from a diagonal, triangles, powers.
#include <algorithm>
#include <numwarp/error.hpp>
#include <numwarp/matrices.hpp>

#include "plan/layout.hpp"
#include "runtime/creation.hpp"
#include "runtime/term.hpp"

namespace numwarp::detail {

namespace {

// n + |k|, the side of a matrix whose k-th diagonal has n elements.
std::int64_t side(std::int64_t n, std::int64_t k, const char* function) {
  std::int64_t sum = 0;
  const bool fits =
      k < 0 ? !__builtin_sub_overflow(n, k, &sum) : !__builtin_add_overflow(n, k, &sum);
  if (fits) return sum;
  throw value_error(std::string(function) + ": maximum supported dimension exceeded, " +
                    std::to_string(n) + " elements on diagonal " + std::to_string(k));
}

any_array on_diagonal(const any_array& a, std::int64_t k, const char* function) {
  const std::int64_t n = side(a.size(), k, function);
  any_array out = full({n, n}, a.type(), scalar(false), a.device(), order::c, function);
  any_array source = a;
  assign(diagonal_view(out, k, 0, 1, function), {&source, false, {}}, function);
  return out;
}

// Whether the element lies on or below the k-th diagonal of its matrix.
term below(statement& st, const dims& shape, std::int64_t k) {
  const auto at = coordinates(st, shape, dtype::float64);
  const std::size_t n = at.size();
  return at[n - 1] - at[n - 2] <= scalar(k);
}

}  // namespace

any_array diag(const any_array& a, std::int64_t k) {
  const any_array& r = resolved(a, "diag");
  if (r.ndim() == 1) return on_diagonal(r, k, "diag");
  if (r.ndim() == 2) return diagonal_view(r, k, 0, 1, "diag").readonly();
  throw value_error("diag: Input must be 1- or 2-d., got shape " + to_string(r.shape()));
}

any_array diagflat(const any_array& a, std::int64_t k) {
  return on_diagonal(ravel(resolved(a, "diagflat"), order::c), k, "diagflat");
}

any_array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype t, device d) {
  const numwarp::shape s(std::max<std::int64_t>(rows, 0), std::max<std::int64_t>(columns, 0));
  any_array out = empty(s, t, d, order::c, "tri");
  statement st("tri", s, d);
  st.write(below(st, s, k).as(t).step(), out);
  return out;
}

namespace {

// An array of NumPy's where(mask, a, 0), whose mask is a matrix in C order.
any_array triangle_like(const any_array& a, const numwarp::shape& s, const char* function) {
  const layout& l = access::lay(a, function);
  const int n = s.size();
  const numwarp::shape mask(s[n - 2], s[n - 1]);
  const dims both[] = {plan::broadcast_strides(mask, plan::c_strides(mask, 1), s),
                       plan::broadcast_strides(l.shape, l.strides, s)};
  const dims* const opinions[] = {&both[0], &both[1]};
  return empty_with_strides(s, plan::k_order_strides(s, opinions, itemsize(l.type)), l.type,
                            a.device(), function);
}

any_array triangle(operand a, std::int64_t k, bool lower, const char* function) {
  const numwarp::shape& from = access::lay(*a.array, function).shape;
  if (from.empty()) throw type_error(std::string(function) + ": a 0-d array has no diagonal");
  const numwarp::shape s = from.size() == 1 ? numwarp::shape(from[0], from[0]) : from;
  const device where = a.array->device();
  any_array out = triangle_like(*a.array, s, function);
  statement st(function, s, where);
  const term v(st, st.take({&a, 1})[0]);
  const term zero = v.constant(scalar(false)), inside = below(st, s, k);
  st.write((lower ? inside.choose(v, zero) : inside.choose(zero, v)).step(), out);
  return out;
}

}  // namespace

any_array tril(operand a, std::int64_t k) { return triangle(a, k, true, "tril"); }

any_array triu(operand a, std::int64_t k) {
  // What is not strictly below.
  return triangle(a, k == INT64_MIN ? k : k - 1, false, "triu");
}

namespace {

any_array column(const any_array& a, std::int64_t k) {
  const subscript at[] = {slice(), k};
  return a.subscript(at);
}

// Columns [first, last) of `powers`, each the one before times x; x itself is not multiplied by
// one, which would lose a complex infinity.
void write_powers(const any_array& x, const any_array& powers, std::int64_t first,
                  std::int64_t last) {
  any_array base = x, before = first > 0 ? column(powers, first - 1) : any_array();
  operand sources[] = {{&base, false, {}}, {&before, false, {}}};
  statement st("vander", x.shape(), x.device());
  const auto loaded = st.load_named(std::span(sources).first(first > 0 ? 2 : 1));
  const term factor = term(st, loaded[0]).as(powers.type());
  term power = first > 0 ? term(st, loaded[1]) : factor.constant(scalar(true));
  std::vector<int> steps;
  std::vector<any_array> columns;
  for (std::int64_t k = first; k < last; ++k) {
    if (k > 0) power = k == 1 ? factor : power * factor;
    steps.push_back(power.step());
    columns.push_back(column(powers, k));
  }
  st.write_new(steps, columns);
}

}  // namespace

any_array vander(const any_array& x, std::int64_t columns, bool increasing) {
  const any_array& r = resolved(x, "vander");
  if (r.ndim() != 1) {
    throw value_error("vander: x must be a one-dimensional array or sequence., got shape " +
                      to_string(r.shape()));
  }
  const dtype t = promote(r.type(), dtype::int64);
  any_array out = empty({r.size(), columns}, t, r.device(), order::c, "vander");
  const any_array powers = increasing ? out : out.flip(1);
  constexpr std::int64_t at_once = 8;  // the outputs that a fused kernel may have
  for (std::int64_t first = 0; first < columns; first += at_once) {
    write_powers(r, powers, first, std::min(columns, first + at_once));
  }
  return out;
}

}  // namespace numwarp::detail
