// Gather and scatter as parameters of kernels. Pure functions.
#pragma once

#include <numwarp/core/indexed_layout.hpp>
#include <optional>

#include "plan/indexed.hpp"

namespace numwarp::cuda_backend {

struct indexed_launch {
  core::indexed_parameters rows{};
  // Over the axes along which places can be chosen again: what is checked and claimed.
  core::indexed_parameters choices{};
  std::int64_t slots = 0;  // different places of a choice
  int word = 0;            // log2 of the word's bytes
};
// Throws value_error for more axes or lists than a kernel takes.
indexed_launch lay_out_indexed(const plan::indexed& p);

// The launch of take_elements that does the same, where there is one.
struct take_launch {
  core::take_parameters parameters{};
  bool wide = false;  // indices of 8 bytes
};
std::optional<take_launch> lay_out_take(const plan::indexed& p, const indexed_launch& l);

// The launches of take_regions.cuh in its place, without their memory: where the array is larger
// than caches and there are enough indices to ask for most of it.
std::optional<core::region_parameters> lay_out_regions(const take_launch& t, int word);

struct update_launch {
  core::update_parameters parameters{};
  std::int64_t slots = 0;
};
update_launch lay_out_update(const plan::indexed_update& p);

}  // namespace numwarp::cuda_backend
