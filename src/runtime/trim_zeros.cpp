// trim_zeros: the host looks for the first and last element that is not zero along each axis.
#include <algorithm>
#include <memory>
#include <numwarp/error.hpp>
#include <numwarp/rearranging.hpp>
#include <optional>

#include "plan/layout.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

// The first and one past the last index along an axis at which `chosen` is true somewhere; none
// where it is nowhere.
std::optional<std::pair<std::int64_t, std::int64_t>> true_range(const any_array& chosen, int axis) {
  dims others;
  for (int i = 0; i < chosen.ndim(); ++i) {
    if (i != axis) others.push_back(i);
  }
  any_array line = chosen;
  if (!others.empty())
    line = reduce(reduce_code::any, {&line, false, {}},
                  {.axis = axes(std::span<const std::int64_t>(others))});
  const std::int64_t n = line.size();
  const auto flags = std::make_unique<bool[]>(std::size_t(n));
  to_host(line, flags.get());
  const bool* const first = std::find(flags.get(), flags.get() + n, true);
  if (first == flags.get() + n) return std::nullopt;
  std::int64_t last = n;
  while (!flags[std::size_t(last - 1)]) --last;
  return std::pair(first - flags.get(), last);
}

}  // namespace

any_array trim_zeros(const any_array& given, std::string_view trim, const axes& axis) {
  const any_array& a = resolved(given, "trim_zeros");
  if (trim != "fb" && trim != "bf" && trim != "f" && trim != "b")
    throw value_error("trim_zeros: unexpected character(s) in `trim`: '" + std::string(trim) + "'");
  dims list =
      plan::normalize_axes(axis, a.ndim(), "trim_zeros: axis", "repeated axis in `axis` argument");
  if (!axis.given()) {
    for (int i = 0; i < a.ndim(); ++i) list.push_back(i);
  }
  const any_array chosen = not_equal(a, 0).compute();
  any_array out = a;
  for (const std::int64_t i : list) {
    const auto found = true_range(chosen, int(i));
    if (!found) {
      out = along(out, int(i), slice(0, 0));
      continue;
    }
    const bool front = trim.find('f') != trim.npos, back = trim.find('b') != trim.npos;
    out = along(out, int(i),
                slice(front ? slice_bound(found->first) : slice_bound(none),
                      back ? slice_bound(found->second) : slice_bound(none)));
  }
  return out;
}

}  // namespace numwarp::detail
