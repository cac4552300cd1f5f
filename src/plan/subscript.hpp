// Subscripts as pure functions: a list of integers, slices, newaxis and ellipsis turns one layout
// into another.
#pragma once

#include <numwarp/any_array.hpp>
#include <span>

namespace numwarp::plan {

// Start, step and count of a slice over an axis of length n, as Python's slice.indices.
struct slice_range {
  std::int64_t start, step, count;
};
slice_range resolve(const slice& s, std::int64_t n);

// Throws index_error in NumPy's words: too many indices, more than one ellipsis, out of bounds.
detail::layout subscript(const detail::layout& a, std::span<const detail::subscript> items);

}  // namespace numwarp::plan
