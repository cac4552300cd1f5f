// Index spaces by enumeration, for judging the plan's shortcuts.
#pragma once

#include <cstdlib>
#include <map>
#include <numwarp/error.hpp>
#include <numwarp/shape.hpp>
#include <random>
#include <set>
#include <vector>

namespace brute {

using numwarp::dims;

inline dims list(std::initializer_list<std::int64_t> values) {
  dims d;
  for (const auto v : values) d.push_back(v);
  return d;
}

// f(subscripts) for every element in C order.
template <class F> void for_each_index(const dims& shape, F f) {
  for (const std::int64_t n : shape) {
    if (n == 0) return;
  }
  dims at(shape.size(), 0);
  for (;;) {
    f(at);
    int i = shape.size() - 1;
    while (i >= 0 && ++at[i] == shape[i]) at[i--] = 0;
    if (i < 0) return;
  }
}

inline std::int64_t dot(const dims& at, const dims& strides) {
  std::int64_t sum = 0;
  for (int i = 0; i < at.size(); ++i) sum += at[i] * strides[i];
  return sum;
}

// Offsets of all elements in C order.
inline std::vector<std::int64_t> offsets(const dims& shape, const dims& strides) {
  std::vector<std::int64_t> out;
  for_each_index(shape, [&](const dims& at) { out.push_back(dot(at, strides)); });
  return out;
}

inline std::set<std::int64_t> bytes(const dims& shape, const dims& strides, std::int64_t offset,
                                    int itemsize) {
  std::set<std::int64_t> out;
  for (const auto at : offsets(shape, strides)) {
    for (int b = 0; b < itemsize; ++b) out.insert(offset + at + b);
  }
  return out;
}

class dice {
 public:
  std::int64_t operator()(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  dims shape(int ndim, std::int64_t least, std::int64_t most) {
    dims d;
    for (int i = 0; i < ndim; ++i) d.push_back((*this)(least, most));
    return d;
  }

 private:
  std::mt19937_64 engine_{20240717};
};

}  // namespace brute
