#include <numwarp/error.hpp>
#include <numwarp/splitting.hpp>

#include "plan/layout.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

// The ends of n parts, the first ones longer by one where n elements are left over.
dims equal_ends(std::int64_t length, std::int64_t parts, bool equal, const char* name) {
  if (parts <= 0)
    throw value_error(std::string(name) + ": number sections must be larger than 0, got " +
                      std::to_string(parts));
  if (equal && length % parts != 0) {
    throw value_error(std::string(name) + ": array split does not result in an equal division, " +
                      std::to_string(length) + " into " + std::to_string(parts));
  }
  dims ends;
  for (std::int64_t k = 1; k < parts; ++k)
    ends.push_back(k * (length / parts) + std::min(k, length % parts));
  return ends;
}

int at_least(const any_array& a, int ndim, const char* name) {
  const int n = access::lay(a, name).shape.size();
  if (n < ndim) {
    throw value_error(std::string(name) + " only works on arrays of " + std::to_string(ndim) +
                      " or more dimensions, got " + std::to_string(n));
  }
  return n;
}

}  // namespace

std::vector<any_array> split(const any_array& a, const integers& at, int axis, bool equal,
                             const char* name) {
  const numwarp::shape& s = access::lay(a, name).shape;
  const int i = plan::normalize_axis(axis, s.size(), name);
  dims ends = at.single() ? equal_ends(s[i], at[0], equal, name) : at.list();
  std::vector<any_array> parts;
  slice_bound begin = 0;
  for (const std::int64_t end : ends) {
    parts.push_back(along(a, i, slice(begin, end)));
    begin = end;
  }
  parts.push_back(along(a, i, slice(begin, none)));
  return parts;
}

std::vector<any_array> hsplit(const any_array& a, const integers& at) {
  return split(a, at, at_least(a, 1, "hsplit") > 1 ? 1 : 0, true, "hsplit");
}

std::vector<any_array> vsplit(const any_array& a, const integers& at) {
  at_least(a, 2, "vsplit");
  return split(a, at, 0, true, "vsplit");
}

std::vector<any_array> dsplit(const any_array& a, const integers& at) {
  at_least(a, 3, "dsplit");
  return split(a, at, 2, true, "dsplit");
}

std::vector<any_array> unstack(const any_array& a, int axis) {
  const numwarp::shape& s = access::lay(a, "unstack").shape;
  if (s.empty()) throw value_error("unstack: Input array must be at least 1-d.");
  const int i = plan::normalize_axis(axis, s.size(), "unstack");
  std::vector<any_array> parts;
  std::vector<subscript> items(static_cast<std::size_t>(i), slice());
  for (std::int64_t k = 0; k < s[i]; ++k) {
    items.resize(std::size_t(i), slice());
    items.emplace_back(k);
    parts.push_back(a.subscript(items));
  }
  return parts;
}

}  // namespace numwarp::detail
