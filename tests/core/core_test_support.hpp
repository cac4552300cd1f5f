// Golden rows as numbers, and the ops of the core called by their run-time dtype.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numwarp/core/cast.hpp>
#include <numwarp/core/ops.hpp>
#include <string>
#include <vector>

namespace core_test {

using namespace numwarp;
using namespace numwarp::core;

inline std::vector<std::uint64_t> parse_bits(const char* text) {
  std::vector<std::uint64_t> values;
  for (char* end = nullptr;; text = end) {
    const std::uint64_t value = std::strtoull(text, &end, 16);
    if (end == text) return values;
    values.push_back(value);
  }
}

inline std::vector<complex<double>> parse_complex(const char* text) {
  std::vector<complex<double>> values;
  for (char* end = nullptr;; text = end) {
    const double re = std::strtod(text, &end);
    if (end == text) return values;
    const double im = std::strtod(end, &end);
    values.push_back({re, im});
  }
}

template <class T> T from_bits(std::uint64_t bits) {
  T x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
template <class T> std::uint64_t to_bits(T x) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof x);
  return bits;
}

// Equal values: zeros by sign, any NaN equal to any NaN.
template <class T> bool same_value(T a, T b) {
  if constexpr (kind_of<T> == 'f') {
    const double x = double(a), y = double(b);
    return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
  } else {
    return a == b;
  }
}

}  // namespace core_test
