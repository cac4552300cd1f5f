// What a backend gets to run: an index space, a program over it, and where its inputs and outputs
// lie. Axes are merged and ordered here, once for all backends.
#pragma once

#include <cstdint>
#include <numwarp/core/reduce_ops.hpp>
#include <numwarp/shape.hpp>
#include <span>

#include "plan/program.hpp"

namespace numwarp::plan {

// One operand of a plan: the address of its first element and a stride (bytes) per axis.
struct view {
  char* data = nullptr;
  dims strides;
  dtype type{};
};

// An output takes the value of program step `step`, converted to the view's type.
struct output_view : view {
  int step = 0;
};

struct formula_call;

struct elementwise {
  dims shape;
  small_vector<view, 4> inputs;
  small_vector<output_view, 1> outputs;
  const plan::program* program = nullptr;
  // A formula of the user in place of the program, which only says whether the index is used.
  const formula_call* formula = nullptr;
  const char* name = "";         // the public function, for errors
  const dims* called = nullptr;  // the shape before it was collapsed, for traces, or null
  std::int64_t size = 0;
};

// Sorts the axes so that the first output is written in memory order, drops axes of length one
// and merges axes that every operand can walk as one. Keeps the order where the program uses the
// element's index.
void collapse(elementwise& p);

// Merges neighbouring axes [first, last) that all stride lists can walk as one; drops axes of
// length one. `follower` has no say, and loses the same axes. Returns the new end of the range.
int merge_axes(dims& shape, std::span<dims* const> strides, int first, int last,
               dims* follower = nullptr);

// A reduction of a program's value. The index space is the kept axes followed by the reduced ones,
// both collapsed; the output has strides along the kept axes only.
struct reduction {
  reduce_code op{};
  dims shape;    // kept axes, then reduced axes
  int kept = 0;  // how many are kept
  // Strides of the reduced array as it lies in memory, or would if it were stored: the order of the
  // axes is chosen by them alone, so that a pending array gives the bits of a stored one.
  dims order;
  small_vector<view, 4> inputs;
  view output;  // strides of the kept axes
  const plan::program* program = nullptr;
  const formula_call* formula = nullptr;  // in place of the program and of `op`
  int step = 0;                           // the reduced value
  dtype compute{};
  double ddof = 0;
  const constant_bits* initial = nullptr;  // of type compute, or null
  const char* name = "";
  const dims* called = nullptr;       // as above
  std::int64_t outer = 0, count = 0;  // sizes of the kept and of the reduced space
};

void collapse(reduction& p);
// Whether memory runs fastest along a kept axis, as `order` says: a pending array is walked as it
// would be if it were stored, whatever its inputs look like.
bool by_columns(const reduction& p);

}  // namespace numwarp::plan
