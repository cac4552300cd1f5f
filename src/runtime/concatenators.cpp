// r_ and c_.
#include <numwarp/concatenators.hpp>
#include <numwarp/joining.hpp>

#include "runtime/storage.hpp"

namespace numwarp::detail {

any_array join_rows(std::span<const any_array> items, dtype t) {
  std::vector<any_array> rows;
  for (const any_array& a : items)
    rows.push_back(access::lay(a, "r_").shape.empty() ? a.reshape(1) : a);
  return concatenate(rows, {.axis = 0, .as = int(t), .name = "r_"});
}

any_array join_columns(std::span<const any_array> items, dtype t) {
  std::vector<any_array> columns;
  for (const any_array& a : items)
    columns.push_back(access::lay(a, "c_").shape.size() < 2 ? a.reshape({-1, 1}) : a);
  const int last = columns[0].ndim() - 1;
  return concatenate(columns, {.axis = last, .as = int(t), .name = "c_"});
}

}  // namespace numwarp::detail
