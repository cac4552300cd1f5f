// From an index space and operands to the parameters and the grid of elementwise_rows. Pure: no
// device.
#pragma once

#include <numwarp/core/layout.hpp>
#include <span>

#include "cuda/registry.hpp"

namespace numwarp::cuda_backend {

// An operand of a kernel: memory with a stride an axis, or a constant.
struct source {
  char* data = nullptr;
  const dims* strides = nullptr;  // bytes
  dtype type{};
  const plan::constant_bits* constant = nullptr;
};

// Inputs and outputs of one kernel, and slots of 8 bytes for its constants: with these the
// parameters stay below 4 KB, which every driver takes.
inline constexpr int max_operands = 50;
inline constexpr int max_constants = 24;

// A launch made in place: elementwise_parameters<operands, constants>, and its grid.
class elementwise_launch {
 public:
  core::launch_header& head() { return *reinterpret_cast<core::launch_header*>(memory_); }
  core::operand* operands() {
    return reinterpret_cast<core::operand*>(memory_ + sizeof(core::launch_header));
  }
  std::uint64_t* constants(int operand_count) {
    return reinterpret_cast<std::uint64_t*>(operands() + operand_count);
  }
  const void* parameters() const { return memory_; }
  grid_shape grid;

  // Whether there is room for so many.
  static constexpr bool holds(std::size_t operands, std::size_t constant_slots) {
    return sizeof(core::launch_header) + operands * sizeof(core::operand) + constant_slots * 8 <=
           sizeof memory_;
  }

 private:
  alignas(16) unsigned char memory_[sizeof(core::launch_header) +
                                    max_operands * sizeof(core::operand) + max_constants * 8];
};
static_assert(sizeof(elementwise_launch) < 4096 + sizeof(grid_shape));

inline constexpr int max_axes = core::max_outer + 1;

// `width` elements a thread. `ordered`: the kernel uses the element's index, so that axes stay in
// their order. The shape has at most max_axes axes.
void lay_out(elementwise_launch& l, const dims& shape, std::span<const source> sources, int width,
             bool ordered);

}  // namespace numwarp::cuda_backend
