#include "runtime/nonzero.hpp"

#include <algorithm>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/term.hpp"

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
  runtime::check_wait(mask.device(), "counting a mask's true elements");
  runtime::launch_scope scope(mask.device());
  runtime::refuse_recorded(scope.on(),
                           "capture: the host must count a mask's elements, which cannot be "
                           "captured; use where(mask, a, b) or where=");
  scope.reads(*access::store(mask));
  runtime::true_places places;
  runtime::run_moving(mask.device(), "count_nonzero", mask.size(), [&] {
    places = runtime::backend_for(mask.device()).find_true(mask_bytes(mask), mask.size());
  });
  return places;
}

any_array true_indices(const any_array& mask, const runtime::true_places& places,
                       const char* function) {
  any_array out = empty(places.count, dtype::int64, mask.device(), order::c, function);
  if (places.count == 0) return out;
  storage& to = *access::store(out);
  runtime::launch_scope scope(mask.device());
  scope.reads(*access::store(mask));
  scope.writes(to);
  runtime::run_moving(mask.device(), function, mask.size() + to.bytes, [&] {
    runtime::backend_for(mask.device())
        .true_indices(reinterpret_cast<std::int64_t*>(to.data), mask_bytes(mask), mask.size(),
                      places);
  });
  return out;
}

std::vector<any_array> unravel(const any_array& numbers, const numwarp::shape& extents, order o,
                               const char* function) {
  std::vector<any_array> out;
  for (int k = 0; k < extents.size(); ++k) {
    out.push_back(empty(numbers.shape(), dtype::int64, numbers.device(), order::c, function));
  }
  if (out.empty()) return out;
  numwarp::shape walked = extents;  // slowest first
  if (o == order::f) std::reverse(walked.begin(), walked.end());
  statement st(function, numbers.shape(), numbers.device());
  any_array source = numbers;
  operand named{&source, false, {}};
  const bool small = plan::size(extents) < std::int64_t(1) << 52;
  const term number = term(st, st.load_named({&named, 1})[0]).as(dtype::int64);
  std::vector<int> steps;
  for (const term& place : coordinates(small ? number.as(dtype::float64) : number, walked))
    steps.push_back(place.as(dtype::int64).step());
  if (o == order::f) std::reverse(steps.begin(), steps.end());
  st.write_new(steps, out);
  return out;
}

std::vector<any_array> true_coordinates(const any_array& mask, const char* function) {
  const any_array m = c_contiguous(mask);
  const auto places = find_true(m);
  const any_array linear = true_indices(m, places, function);
  if (m.ndim() == 1) return {linear};
  return unravel(linear, m.shape(), order::c, function);
}

}  // namespace numwarp::detail
