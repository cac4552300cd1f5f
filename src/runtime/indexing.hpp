// Elements that index arrays choose: gathered, scattered, updated.
#pragma once

#include <numwarp/detail/call.hpp>
#include <vector>

#include "plan/indexed.hpp"

namespace numwarp::detail {

// Indices for one axis of an array.
struct axis_indices {
  any_array values;        // integers or bools
  int kept = 0;            // the axis; -1: they only take part in the broadcasting
  int axis = 0;            // its number in messages
  bool from_mask = false;  // no place occurs twice
};

// A choice of elements, to be read or written. `array` is computed, and so are the lists.
struct choice {
  any_array array;
  numwarp::shape shape;  // of what is chosen
  dims strides;          // of array over shape; zero along the axes of the index arrays
  numwarp::shape space;  // that all indices broadcast to,
  int place = 0;         // behind so many other axes of shape
  struct list {
    any_array values;
    std::int64_t extent, step;
    int axis;
  };
  std::vector<list> lists;
  index_mode mode = index_mode::raise;
  bool unique = false;
};

// The indices broadcast against each other, and their axes come behind `place` other axes. Throws
// index_error where they do not broadcast.
choice choose_elements(const any_array& array, std::vector<axis_indices> indices, int place,
                       const char* name, index_mode mode = index_mode::raise);
// What a subscript with arrays in it chooses. `from` is computed. Waits for the number of true
// elements of bools.
choice choose_by(const any_array& from, std::span<const subscript> items, const char* name);
// Indices for one axis only, of array's rank; along the others they broadcast with the array.
choice choose_along(const any_array& array, const any_array& indices, int axis, const char* name,
                    index_mode mode = index_mode::raise);

// A new array in C order, or `out`, of the same type and shape.
any_array gather(const choice& c, const char* name);
// The elements at places, which the host knows to be there, along an axis of `a`.
any_array elements_at(const any_array& a, int axis, const dims& places, const char* name);
void gather_into(const choice& c, const any_array& out, const char* name);

// source broadcasts to the shape (value_error, `mismatch` names the two) and is converted. The
// array must be writeable. Everything is checked before an element is stored.
void scatter(const choice& c, operand source, const char* name);

// ufunc.at: array = op(array, source) for one element after the other, so that one that is chosen
// twice is updated twice; in any order where `atomic`.
void update(const choice& c, op_code op, operand source, bool atomic);

}  // namespace numwarp::detail
