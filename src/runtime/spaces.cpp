// linspace, logspace and geomspace between ends that are arrays or complex; as NumPy computes them.
#include <algorithm>
#include <numwarp/error.hpp>
#include <numwarp/ranges.hpp>
#include <numwarp/ufuncs.hpp>

#include "plan/layout.hpp"
#include "runtime/creation.hpp"

namespace numwarp::detail {

namespace {

bool any_zero(const any_array& a) {
  any_array zeros = equal(a, 0);
  const any_array found = reduce(reduce_code::any, {&zeros, false, {}}, {});
  bool answer = false;
  item(found, dtype::bool_, &answer);
  return answer;
}

void set_plane(const any_array& a, std::int64_t i, any_array values, const char* function) {
  const subscript at[] = {i};
  assign(a.subscript(at), {&values, false, {}}, function);
}

// Of n values along the first axis.
any_array places(std::int64_t n, int ndim, dtype t, device d) {
  numwarp::shape s(dims(ndim + 1, 1));
  s[0] = n;
  return arange(scalar(0), scalar(n), scalar(1), t, d).reshape(s);
}

any_array as_type(const any_array& a, dtype t) { return a.type() == t ? a : a.astype(t); }

any_array with_values_along(any_array a, int axis) {
  return axis == 0 ? a : moveaxis(a, axes(0), axes(axis));
}

// Along the first axis, of the type that the values are computed in.
any_array evenly(const any_array& start, const any_array& stop, const space& s) {
  const any_array a = as_type(start, s.compute), b = as_type(stop, s.compute);
  const any_array delta = subtract(b, a).compute();
  const std::int64_t parts = s.endpoint ? s.n - 1 : s.n;
  any_array y = places(s.n, delta.ndim(), s.compute, delta.device());
  if (parts > 0) {
    const any_array step = divide(delta, double(parts)).compute();
    // Where a step underflows, NumPy takes fractions of the whole span: of all spans.
    y = any_zero(step) ? multiply(divide(y, double(parts)), delta) : multiply(y, step);
  } else {
    y = multiply(y, delta);
  }
  y = add(y, a).compute();
  if (s.endpoint && s.n > 1) set_plane(y, s.n - 1, b, s.function);
  return y;
}

void check_count(const space& s) {
  if (s.n >= 0) return;
  throw value_error(std::string(s.function) + ": Number of samples, " + std::to_string(s.n) +
                    ", must be non-negative.");
}

}  // namespace

void check_line_axis(int axis, const char* function) { plan::normalize_axis(axis, 1, function); }

any_array linspace(const any_array& start, const any_array& stop, const space& s) {
  check_count(s);
  any_array y = evenly(start, stop, s);
  const int axis = plan::normalize_axis(s.axis, y.ndim(), s.function);
  if (core::is_integer(s.result)) y = floor(y).compute();
  return as_type(with_values_along(y, axis), s.result);
}

any_array logspace(const any_array& start, const any_array& stop, const any_array& base,
                   const space& s) {
  check_count(s);
  std::vector<any_array> wide{start, stop, base};
  if (base.ndim() > 0) {
    const int ndim = std::max({start.ndim(), stop.ndim(), base.ndim()});
    for (any_array& a : wide) {
      numwarp::shape to = a.shape();
      while (to.size() < ndim) to.insert(0, 1);
      a = a.reshape(to);
    }
    wide[2] = wide[2].expand_dims(axes(s.axis));
  }
  space exponents = s;
  exponents.result = s.compute;
  return as_type(power(wide[2], linspace(wide[0], wide[1], exponents)), s.result).compute();
}

any_array geomspace(const any_array& start, const any_array& stop, const space& s) {
  if (any_zero(start) || any_zero(stop))
    throw value_error("geomspace: Geometric sequence cannot include zero");
  check_count(s);
  // Turned so that the first value is real and positive, and turned back at the end.
  const any_array first = as_type(start, s.compute), sign = numwarp::sign(first).compute();
  const any_array a = divide(first, sign).compute();
  const any_array b = divide(as_type(stop, s.compute), sign).compute();
  any_array y = power(10.0, evenly(log10(a), log10(b), s)).compute();
  if (s.n > 0) set_plane(y, 0, a, s.function);
  if (s.n > 1 && s.endpoint) set_plane(y, s.n - 1, b, s.function);
  y = multiply(y, sign).compute();
  const int axis = plan::normalize_axis(s.axis, y.ndim(), s.function);
  return as_type(with_values_along(y, axis), s.result);
}

}  // namespace numwarp::detail
