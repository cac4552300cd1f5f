// pad: modes that move elements, by one launch; those that compute are in padding_values.cpp.
#include "runtime/padding.hpp"

#include <algorithm>
#include <numwarp/error.hpp>
#include <numwarp/padding.hpp>

#include "plan/layout.hpp"
#include "runtime/copies.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

constexpr const char* name = "pad";

// The array with its margins, all still to be filled.
padded make_padded(const any_array& a, const for_ends<std::int64_t>& width) {
  const numwarp::shape& s = access::lay(a, name).shape;
  padded p{{}, {}, resolved(a, name), ends_of_axes(width, s.size(), name)};
  numwarp::shape grown = s;
  for (int i = 0; i < s.size(); ++i) {
    const auto [before, after] = p.width[std::size_t(i)];
    if (before < 0 || after < 0)
      throw value_error(std::string(name) + ": index can't contain negative values");
    if (__builtin_add_overflow(grown[i], before, &grown[i]) ||
        __builtin_add_overflow(grown[i], after, &grown[i]))
      throw value_error(std::string(name) + ": array is too big, a width is beyond int64");
  }
  const bool f_order = a.is_f_contiguous() && !a.is_c_contiguous();
  p.to = empty(grown, a.type(), a.device(), f_order ? order::f : order::c, name);
  p.middle = p.to;
  for (int i = 0; i < s.size(); ++i) p.middle = along(p.middle, i, p.inside(i));
  return p;
}

}  // namespace

any_array padded::region(int axis) const {
  any_array r = to;
  for (int i = axis + 1; i < to.ndim(); ++i) r = along(r, i, inside(i));
  return r;
}

any_array padded::before(int axis) const {
  return along(region(axis), axis, slice(0, width[std::size_t(axis)].first));
}

any_array padded::after(int axis) const {
  return along(region(axis), axis, slice(to.shape()[axis] - width[std::size_t(axis)].second, none));
}

namespace {

void fill_constant(const padded& p, const pad_options& o) {
  const auto values = ends_of_axes(o.constant_values, p.to.ndim(), name);
  copies c(p.to, name);
  c.add(p.middle, p.from);
  for (int i = 0; i < p.to.ndim(); ++i) {
    c.fill(p.before(i), values[std::size_t(i)].first);
    c.fill(p.after(i), values[std::size_t(i)].second);
  }
  c.launch();
}

void fill_extended(const padded& p, plan::extension how) {
  std::vector<std::vector<plan::stretch>> maps;
  for (int i = 0; i < p.to.ndim(); ++i) {
    const auto [before, after] = p.width[std::size_t(i)];
    const std::int64_t n = p.from.shape()[i];
    maps.push_back(n == 0 ? std::vector<plan::stretch>()
                          : plan::extend(n, -before, n + after, how));
  }
  if (p.from.size() == 0) return;
  copies c(p.to, name);
  c.add(p.from, maps);
  c.launch();
}

void copy_middle(const padded& p) {
  copies c(p.to, name);
  c.add(p.middle, p.from);
  c.launch();
}

void check_empty_axes(const padded& p) {
  for (int i = 0; i < p.to.ndim(); ++i) {
    if (p.from.shape()[i] > 0 || p.to.shape()[i] == 0) continue;
    throw value_error("pad: can't extend empty axis " + std::to_string(i) +
                      " using modes other than 'constant' or 'empty'");
  }
}

void check_mode(std::string_view mode, const pad_options& o) {
  constexpr std::string_view modes[] = {"constant", "edge",      "empty",  "linear_ramp",
                                        "maximum",  "mean",      "median", "minimum",
                                        "reflect",  "symmetric", "wrap"};
  if (std::find(std::begin(modes), std::end(modes), mode) == std::end(modes))
    throw value_error("pad: mode '" + std::string(mode) + "' is not supported");
  if (o.reflect_type != "even" && o.reflect_type != "odd") {
    throw value_error("pad: reflect_type '" + std::string(o.reflect_type) +
                      "' is neither 'even' nor 'odd'");
  }
}

void fill_margin(const padded& p, std::string_view mode, const pad_options& o) {
  if (mode == "constant") return fill_constant(p, o);
  if (mode == "empty") return copy_middle(p);
  check_empty_axes(p);
  if (mode == "edge") return fill_extended(p, plan::extension::edge);
  if (mode == "wrap") return fill_extended(p, plan::extension::wrap);
  if (o.reflect_type == "even") {
    if (mode == "reflect") return fill_extended(p, plan::extension::reflect);
    if (mode == "symmetric") return fill_extended(p, plan::extension::symmetric);
  }
  copy_middle(p);
  if (p.from.size() > 0) compute_margin(p, mode, o);
}

}  // namespace

any_array pad(const any_array& a, const for_ends<std::int64_t>& width, std::string_view mode,
              const pad_options& o) {
  check_mode(mode, o);
  const padded p = make_padded(a, width);
  fill_margin(p, mode, o);
  return p.to;
}

any_array pad_by(const any_array& a, const for_ends<std::int64_t>& width,
                 void (*fill)(const void* f, const pad_vector& v), const void* f) {
  any_array to = pad(a, width, "constant", {});
  const auto widths = ends_of_axes(width, to.ndim(), name);
  for (int i = 0; i < to.ndim(); ++i) {
    const any_array vectors = moveaxis(to, i, -1);
    numwarp::shape outer = vectors.shape();
    outer.resize(to.ndim() - 1);
    const std::int64_t n = plan::size(outer);
    for (std::int64_t k = 0; k < n; ++k) {
      std::vector<subscript> at(std::size_t(outer.size()), 0);
      for (std::int64_t d = outer.size() - 1, rest = k; d >= 0; --d) {
        at[std::size_t(d)].index = rest % outer[int(d)];
        rest /= outer[int(d)];
      }
      fill(f, {vectors.subscript(at), widths[std::size_t(i)], i});
    }
  }
  return to;
}

}  // namespace numwarp::detail
