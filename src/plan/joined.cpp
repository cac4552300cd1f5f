#include "plan/joined.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace numwarp::plan {

namespace {

// Whether axis i should lie outside axis j, which comes before it in C order: 1 yes, -1 no, 0 where
// no array says.
int outside(int i, int j, std::span<const any_array> arrays) {
  int said = 0;
  for (const any_array& a : arrays) {
    if (a.shape()[i] == 1 || a.shape()[j] == 1) continue;
    if (std::abs(a.strides()[i]) <= std::abs(a.strides()[j])) return -1;
    said = 1;
  }
  return said;
}

}  // namespace

dims joined_strides(const dims& shape, std::span<const any_array> arrays, int itemsize) {
  std::vector<int> order;  // slowest first
  for (int i = 0; i < shape.size(); ++i) {
    std::size_t at = order.size();
    for (std::size_t k = order.size(); k-- > 0;) {
      const int said = outside(i, order[k], arrays);
      if (said > 0) at = k;
      if (said < 0) break;
    }
    order.insert(order.begin() + std::ptrdiff_t(at), i);
  }
  dims strides(shape.size(), 0);
  std::int64_t step = itemsize;
  for (std::size_t k = order.size(); k-- > 0;) {
    strides[order[k]] = step;
    step *= std::max<std::int64_t>(shape[order[k]], 1);
  }
  return strides;
}

}  // namespace numwarp::plan
