// r_ and c_.
#include <numwarp/concatenators.hpp>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

// The extents of the whole along `axis`, of items that are equal along the others.
numwarp::shape joined_shape(std::span<const any_array> items, int axis, const char* function) {
  numwarp::shape whole = items[0].shape();
  whole[axis] = 0;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const numwarp::shape& s = items[k].shape();
    if (s.size() != whole.size()) {
      throw value_error(std::string(function) +
                        ": all the input arrays must have same number of dimensions, but the "
                        "array at index 0 has " +
                        std::to_string(whole.size()) + " dimension(s) and the array at index " +
                        std::to_string(k) + " has " + std::to_string(s.size()) + " dimension(s)");
    }
    for (int i = 0; i < s.size(); ++i) {
      if (i == axis || s[i] == whole[i]) continue;
      throw value_error(std::string(function) +
                        ": all the input array dimensions except for the concatenation axis must "
                        "match exactly, but along dimension " +
                        std::to_string(i) + ", the array at index 0 has size " +
                        std::to_string(whole[i]) + " and the array at index " + std::to_string(k) +
                        " has size " + std::to_string(s[i]));
    }
    whole[axis] += s[axis];
  }
  return whole;
}

any_array join(std::span<const any_array> items, int axis, dtype t, const char* function) {
  const numwarp::shape s = joined_shape(items, axis, function);
  std::vector<operand> all;
  for (const any_array& a : items) all.push_back({const_cast<any_array*>(&a), false, {}});
  const any_array out = empty(s, t, common_device(function, all), order::c, function);
  std::int64_t done = 0;
  for (const operand& o : all) {
    const std::int64_t n = o.array->shape()[axis];
    std::vector<subscript> part(static_cast<std::size_t>(axis), slice());
    part.emplace_back(slice(done, done + n));
    assign(out.subscript(part), o, function);
    done += n;
  }
  return out;
}

}  // namespace

any_array join_rows(std::span<const any_array> items, dtype t) {
  std::vector<any_array> rows;
  for (const any_array& a : items)
    rows.push_back(access::lay(a, "r_").shape.empty() ? a.reshape(1) : a);
  return join(rows, 0, t, "r_");
}

any_array join_columns(std::span<const any_array> items, dtype t) {
  std::vector<any_array> columns;
  for (const any_array& a : items)
    columns.push_back(access::lay(a, "c_").shape.size() < 2 ? a.reshape({-1, 1}) : a);
  return join(columns, columns[0].ndim() - 1, t, "c_");
}

}  // namespace numwarp::detail
