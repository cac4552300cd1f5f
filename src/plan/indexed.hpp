// Elements chosen by arrays of indices: what a backend gets to gather or to scatter.
#pragma once

#include <cstdint>
#include <numwarp/detail/index_mode.hpp>

#include "plan/elementwise.hpp"

namespace numwarp::plan {

// The indices of one axis, integers or bools of any type.
struct index_list : view {
  std::int64_t extent = 0;  // of the axis
  std::int64_t step = 0;    // bytes along it
  int axis = 0;             // its number, for messages
};

// For i of an index space: chosen = array + sum over the lists of index * step, and
//   gather:  packed[i] = array[chosen(i)]
//   scatter: array[chosen(i)] = packed[i], of equal places the last i (C order) wins
//   check:   nothing; with mode raise, gather and scatter check, too, and scatter before it stores
// The first index out of bounds is an index_error that names `name`.
struct indexed {
  enum class action : unsigned char { gather, scatter, check };
  action what = action::gather;
  index_mode mode = index_mode::raise;
  bool unique = false;  // no element of `array` is chosen twice

  dims shape;
  view array;   // strides are zero along axes that only indices walk
  view packed;  // of array's type
  // To scatter one value everywhere; packed is not looked at.
  const constant_bits* constant = nullptr;
  small_vector<index_list, 2> lists;

  // Filled by collapse: the last axis, where the indices do not change along it and the array does,
  // is taken out of the shape. Rows of `row` elements, these bytes apart.
  std::int64_t row = 1, array_step = 0, packed_step = 0;
  std::int64_t size = 0;  // rows

  const char* name = "";
};

// array[chosen(i)] = op(array[chosen(i)], packed[i]) for every i in C order, one after the other: a
// place that is chosen twice is updated twice. packed is of the type that the op computes in; an op
// of one operand gets the array's alone, and there is a constant that it does not look at.
struct indexed_update : indexed {
  op_code op{};
  dtype result{};       // that the op makes, converted to the array's type
  bool atomic = false;  // in any order
};

// Merges axes and takes the rows out.
void collapse(indexed& p);

// The list alone, over the axes along which it changes: at least one axis.
struct lone_list {
  dims shape;
  index_list list;
};
lone_list alone(const indexed& p, const index_list& list);

}  // namespace numwarp::plan
