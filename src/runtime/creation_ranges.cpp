// Logarithmic ranges, and grids of coordinates.
#include <algorithm>
#include <cmath>
#include <numwarp/error.hpp>
#include <numwarp/ranges.hpp>

#include "plan/layout.hpp"
#include "runtime/creation.hpp"
#include "runtime/term.hpp"

namespace numwarp::detail {

namespace {

numwarp::shape counts(std::span<const grid_axis> axes) {
  numwarp::shape s;
  for (const grid_axis& a : axes) s.push_back(a.count);
  return s;
}

// Planes [first, last) of a grid, from the places of its elements.
void write_planes(std::span<const grid_axis> axes, const any_array& out, int first, int last,
                  const char* function) {
  const numwarp::shape s = counts(axes);
  statement st(function, s, out.device());
  // Integers exactly, floats as NumPy.
  const dtype compute = core::is_integer(out.type()) ? dtype::int64 : dtype::float64;
  const auto at = coordinates(st, s, compute);
  std::vector<int> steps;
  std::vector<any_array> planes;
  for (int k = first; k < last; ++k) {
    const grid_axis& a = axes[std::size_t(k)];
    const term place = at[std::size_t(k)] * a.step + a.start;
    steps.push_back(place.as(out.type()).step());
    const subscript plane[] = {k};
    planes.push_back(out.subscript(plane));
  }
  st.write_new(steps, planes);
}

// A plane of `out` for each axis.
void write_grid(std::span<const grid_axis> axes, const any_array& out, const char* function) {
  constexpr int at_once = 8;  // the outputs that a fused kernel may have
  for (int first = 0; first < int(axes.size()); first += at_once)
    write_planes(axes, out, first, std::min(int(axes.size()), first + at_once), function);
}

}  // namespace

any_array grid(std::span<const grid_axis> axes, dtype t, device d, const char* function) {
  numwarp::shape s = counts(axes);
  s.insert(0, std::int64_t(axes.size()));
  any_array out = empty(s, t, d, order::c, function);
  write_grid(axes, out, function);
  return out;
}

any_array grid_along(std::span<const grid_axis> axes, int k, dtype t, device d,
                     const char* function) {
  numwarp::shape s(dims(std::int64_t(axes.size()), 1));
  s[k] = axes[std::size_t(k)].count;
  any_array line = empty(s, t, d, order::c, function);
  write_grid(axes.subspan(std::size_t(k), 1), line.reshape({1, s[k]}), function);
  return line;
}

std::vector<grid_axis> unit_axes(const shape& s, const char* function) {
  plan::checked_size(s, function);
  std::vector<grid_axis> axes;
  for (std::int64_t n : s) axes.push_back({scalar(0), scalar(1), n});
  return axes;
}

grid_axis make_axis(const scalar& start, const scalar& stop, const scalar& step,
                    const char* function) {
  return {start, step, range_length(start, stop, step, function)};
}

grid_axis make_axis(double start, double stop, points n, const char* function) {
  if (n.count < 0) {
    throw value_error(std::string(function) + ": number of points, " + std::to_string(n.count) +
                      ", must be non-negative");
  }
  const double step = n.count == 1 ? 1 : (stop - start) / double(n.count - 1);
  return {scalar(start), scalar(step), n.count};
}

void meshgrid(std::span<any_array> list, const meshgrid_options& o) {
  const int n = int(list.size());
  std::vector<any_array> axes;
  numwarp::shape full(dims(n, 1));
  for (int k = 0; k < n; ++k) {
    const int axis = o.indexing == indexing::xy && n > 1 && k < 2 ? 1 - k : k;
    numwarp::shape s(dims(n, 1));
    s[axis] = full[axis] = size_for(list[std::size_t(k)], "meshgrid");
    axes.push_back(list[std::size_t(k)].reshape(s));
  }
  for (int k = 0; k < n; ++k) {
    any_array a = axes[std::size_t(k)];
    if (!o.sparse) a = a.broadcast_to(full);
    list[std::size_t(k)] = o.copy ? a.copy(order::c) : a;
  }
}

namespace {

any_array power(operand base, any_array exponents, dtype t) {
  operand both[] = {base, {&exponents, true, {}}};
  any_array powers = elementwise(op_code::power, both);
  return powers.type() == t ? powers : cast({&powers, true, {}}, t);
}

}  // namespace

any_array logspace(const scalar& start, const scalar& stop, std::int64_t n, bool endpoint,
                   const scalar& base, dtype t, device d, const char* function) {
  return power({nullptr, false, base},
               linspace(start, stop, n, endpoint, dtype::float64, d, function), t);
}

any_array geomspace(const scalar& start, const scalar& stop, std::int64_t n, bool endpoint, dtype t,
                    device d) {
  const double first = real_value(start), last = real_value(stop);
  if (first == 0 || last == 0)
    throw value_error("geomspace: Geometric sequence cannot include zero");
  const double sign = first < 0 ? -1 : 1;
  const any_array a = logspace(scalar(std::log10(first * sign)), scalar(std::log10(last * sign)), n,
                               endpoint, scalar(10.0), dtype::float64, d, "geomspace");
  const auto set = [&](std::int64_t i, double value) {
    const subscript at[] = {i};
    assign(a.subscript(at), {nullptr, false, scalar(value)}, "geomspace");
  };
  if (n > 0) set(0, first * sign);
  if (n > 1 && endpoint) set(n - 1, last * sign);
  any_array result = a;
  operand both[] = {{&result, true, {}}, {nullptr, false, scalar(sign)}};
  if (sign < 0) result = elementwise(op_code::multiply, both);
  return t == dtype::float64 ? result : cast({&result, true, {}}, t);
}

}  // namespace numwarp::detail
