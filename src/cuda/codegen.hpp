// Writes the text of fused kernels: a functor that does the program's steps, inside the kernel
// templates that the kernels built ahead of time use too. Pure: no device, no compiler.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plan/elementwise.hpp"

namespace numwarp::cuda_backend {

// The C++ name of a dtype inside kernels.
std::string type_text(dtype t);

// A functor named `fused`, and what its operands are.
struct functor_text {
  std::string text;
  std::string prelude;              // at global scope, before it
  std::vector<int> inputs;          // of the plan, in the order of the kernel's operands
  std::vector<int> constant_steps;  // their values follow each other in the constants' slots
  int constant_slots = 0;           // of 8 bytes; 16-byte values take two
  bool uses_index = false;
  int widest = 1, narrowest = 16;  // bytes of the operands, outputs included
  int widest_input = 1;
};

// What a functor stores: the value of `step`, converted to `type`.
struct stored_value {
  int step;
  dtype type;
};
functor_text write_functor(const plan::program& program, std::span<const stored_value> stores);

// Elements a thread: core::vector_width, fewer where many operands would take too many registers.
int fused_width(const functor_text& f, int operand_count);
// The same for a reduction, which stores no elements.
int fused_reduction_width(const functor_text& f);

// Complete texts, each with one explicit instantiation. A reducer is named by its type in kernels;
// one that the library brings, by reducer_text. Errors in the body of a user's function are
// reported at its place in the application.
std::string elementwise_source(const functor_text& f, int outputs, int width);
std::string reduction_source(const functor_text& f, const std::string& reducer, bool columns,
                             int width);
std::string merge_source(const functor_text& f, const std::string& reducer, dtype element);
std::string reducer_text(reduce_code op, dtype compute);

// ufunc.at of an op on arrays of a type; without a functor.
std::string update_source(core::op_code op, dtype array, dtype compute);

// A short key that is equal for equal functors: the program without the values of its constants,
// unless these are written into the text.
std::string program_key(const plan::program& program, std::span<const stored_value> stores);

// A source without the places of users' functions: they change where nothing else does.
std::string without_places(const std::string& source);

}  // namespace numwarp::cuda_backend
