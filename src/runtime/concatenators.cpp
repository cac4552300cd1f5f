// r_ and c_.
#include <numwarp/concatenators.hpp>
#include <numwarp/joining.hpp>

#include "plan/layout.hpp"
#include "runtime/storage.hpp"

namespace numwarp::detail {

namespace {

// With ndmin axes: a's own from `first` on, the others of length 1.
any_array with_axes(const any_array& a, const r_options& o, const char* function) {
  const numwarp::shape& own = access::lay(a, function).shape;
  const int missing = o.ndmin - own.size();
  if (missing <= 0) return a;
  const int first =
      o.trans1d == -1 ? missing : plan::normalize_axis(o.trans1d, missing + 1, function);
  numwarp::shape s(dims(missing, 1));
  for (int k = 0; k < own.size(); ++k) s.insert(first + k, own[k]);
  return a.reshape(s);
}

}  // namespace

any_array join_items(std::span<const any_array> items, const r_options& o, dtype t,
                     const char* function) {
  std::vector<any_array> wide;
  for (const any_array& a : items) wide.push_back(with_axes(a, o, function));
  const int axis = plan::normalize_axis(o.axis, wide[0].ndim(), function);
  return concatenate(wide, {.axis = axis, .as = int(t), .name = function});
}

}  // namespace numwarp::detail
