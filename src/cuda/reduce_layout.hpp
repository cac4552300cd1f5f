// From a reduction plan to the parameters and grids of reduce_rows, reduce_columns and
// reduce_merge. Pure: no device.
#pragma once

#include <algorithm>
#include <numwarp/core/layout.hpp>
#include <span>

#include "cuda/registry.hpp"
#include "plan/elementwise.hpp"

namespace numwarp::cuda_backend {

inline constexpr int max_reduced_inputs = 40;
inline constexpr int max_reduction_constants = 24;

// A launch made in place: reduction_parameters<inputs, constants>, and its grids.
class reduction_launch {
 public:
  core::reduction_header& head() { return *reinterpret_cast<core::reduction_header*>(memory_); }
  core::reduced_operand* operands() {
    return reinterpret_cast<core::reduced_operand*>(memory_ + sizeof(core::reduction_header));
  }
  // At least one operand's room is there, as in the kernel's parameters.
  std::uint64_t* constants(int inputs) {
    return reinterpret_cast<std::uint64_t*>(operands() + (inputs > 0 ? inputs : 1));
  }
  const void* parameters() const { return memory_; }
  grid_shape grid, merge_grid;

  // Whether there is room for so many.
  static constexpr bool holds(std::size_t inputs, std::size_t constant_slots) {
    return sizeof(core::reduction_header) +
               std::max(inputs, std::size_t(1)) * sizeof(core::reduced_operand) +
               constant_slots * 8 <=
           sizeof memory_;
  }

 private:
  alignas(16) unsigned char memory_[sizeof(core::reduction_header) +
                                    max_reduced_inputs * sizeof(core::reduced_operand) +
                                    max_reduction_constants * 8];
};
static_assert(sizeof(reduction_launch) < 4096 + 2 * sizeof(grid_shape));

// Whether the axes fit the kernels' parameters.
bool reducible(const plan::reduction& p, int inputs);

// `inputs`: which of the plan's inputs, in the kernel's order; `width` elements a vector.
// Everything but the partial results' address and the constants.
void lay_out(reduction_launch& l, const plan::reduction& p, std::span<const int> inputs,
             bool columns, int width, int multiprocessors);

}  // namespace numwarp::cuda_backend
