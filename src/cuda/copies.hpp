// Several copies by one launch.
#pragma once

#include <numwarp/core/copies_layout.hpp>
#include <optional>

#include "plan/copies.hpp"

namespace numwarp::cuda_backend {

// Boxes of one launch, and its blocks.
struct copies_launch {
  core::copies_parameters parameters{};
  std::int64_t blocks = 0;

  // Appends a copy; false, and nothing has changed, where the launch is full.
  bool add(const plan::elementwise& copy);
};

// Whether copy_boxes is the kernel for this copy: not one of many axes, nor one that crosses
// memory.
bool is_box(const plan::elementwise& copy);

}  // namespace numwarp::cuda_backend
