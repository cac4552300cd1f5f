#include "runtime/nonzero.hpp"

#include <numwarp/detail/call.hpp>

#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/storage.hpp"

namespace numwarp::detail {

any_array c_contiguous(const any_array& a) {
  const any_array& computed = a.compute();
  return computed.is_c_contiguous() ? computed : computed.copy(order::c);
}

const bool* mask_bytes(const any_array& mask) {
  return reinterpret_cast<const bool*>(access::store(mask)->data +
                                       access::lay(mask, "subscript").offset);
}

runtime::true_places find_true(const any_array& mask) {
  runtime::launch_scope scope(mask.device());
  scope.reads(*access::store(mask));
  return runtime::backend_for(mask.device()).find_true(mask_bytes(mask), mask.size());
}

any_array true_indices(const any_array& mask, const runtime::true_places& places,
                       const char* function) {
  any_array out = empty(places.count, dtype::int64, mask.device(), order::c, function);
  if (places.count == 0) return out;
  storage& to = *access::store(out);
  runtime::launch_scope scope(mask.device());
  scope.reads(*access::store(mask));
  scope.writes(to);
  runtime::backend_for(mask.device())
      .true_indices(reinterpret_cast<std::int64_t*>(to.data), mask_bytes(mask), mask.size(),
                    places);
  return out;
}

namespace {

any_array apply(op_code op, any_array a, std::int64_t b) {
  operand both[] = {{&a, true, {}}, {nullptr, false, scalar(b)}};
  return elementwise(op, both);
}

}  // namespace

std::vector<any_array> unravel(const any_array& linear, const numwarp::shape& shape) {
  std::vector<any_array> out;
  std::int64_t behind = 1;
  for (int i = shape.size() - 1; i >= 0; --i) {
    any_array at = behind > 1 ? apply(op_code::floor_divide, linear, behind) : linear;
    if (i > 0) at = apply(op_code::remainder, std::move(at), shape[i]);
    out.insert(out.begin(), std::move(at));
    behind *= shape[i];
  }
  return out;
}

std::vector<any_array> true_coordinates(const any_array& mask, const char* function) {
  const any_array m = c_contiguous(mask);
  const auto places = find_true(m);
  const any_array linear = true_indices(m, places, function);
  return unravel(linear, m.shape());
}

}  // namespace numwarp::detail
