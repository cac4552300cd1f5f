// Subscripts as pure functions: a list of integers, slices, newaxis and ellipsis turns one layout
// into another; of arrays among them only the shapes are looked at.
#pragma once

#include <numwarp/any_array.hpp>
#include <span>

#include "plan/small_vector.hpp"

namespace numwarp::plan {

// Start, step and count of a slice over an axis of length n, as Python's slice.indices.
struct slice_range {
  std::int64_t start, step, count;
};
slice_range resolve(const slice& s, std::int64_t n);

// An array among the subscripts.
struct array_item {
  int item;  // which subscript it is
  int axis;  // the first axis of the indexed array that it names
  int kept;  // where that axis is in `view`
};

// A layout seen through subscripts: what integers, slices, newaxis and ellipsis make of it. Axes
// that arrays name are still there.
struct subscripted {
  detail::layout view;
  small_vector<array_item, 4> arrays;
  // The arrays' own axes come behind so many of view's other axes: in place of the arrays where
  // they stand side by side (integers count as arrays here), else first.
  int place = 0;
};

// How many axes an array subscript names: its own axes for bools, one for integers.
int named_axes(const any_array& values);

// Throws index_error in NumPy's words: too many indices, more than one ellipsis, out of bounds, an
// array of other elements, a bool array of another shape.
subscripted subscript(const detail::layout& a, std::span<const detail::subscript> items);

}  // namespace numwarp::plan
