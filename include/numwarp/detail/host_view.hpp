// An untyped array on the host as printing and file writing see it: elements, extents, strides.
#pragma once

#include <cstdint>
#include <numwarp/dtype.hpp>
#include <span>

namespace numwarp::detail {

// Borrows everything. `data` is the element at index zero, so that a negative stride reaches below
// it. Elements need not be aligned.
struct host_view {
  dtype type;
  const void* data;
  std::span<const std::int64_t> shape;
  std::span<const std::int64_t> strides;  // in bytes; negative and zero ones too
};

}  // namespace numwarp::detail
