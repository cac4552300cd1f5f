// Copies whose fastest axis in memory differs between source and destination.
#pragma once

#include <optional>

#include "cuda/elementwise_layout.hpp"

namespace numwarp::cuda_backend {

// The parameters of transpose_tiled for a copy, or nothing where a copy by rows is as good. Pure.
struct transpose_launch {
  core::transpose_parameters parameters{};
  grid_shape grid;
};
std::optional<transpose_launch> lay_out_transpose(const dims& shape, const source& from,
                                                  const source& to);

// Launches it; false where lay_out_transpose has nothing.
bool run_transpose(const launch_context& c, const dims& shape, const source& from, const source& to,
                   const char* name);

}  // namespace numwarp::cuda_backend
