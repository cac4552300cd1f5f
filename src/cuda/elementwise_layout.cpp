#include "cuda/elementwise_layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace numwarp::cuda_backend {

namespace {

constexpr unsigned block_threads = 256;

// The axis along which an operand lies closest together; -1 for one that never moves.
int fastest_axis(const dims& shape, const source& s) {
  int best = -1;
  for (int d = shape.size() - 1; d >= 0; --d) {
    const std::int64_t step = std::abs((*s.strides)[d]);
    if (step == 0 || shape[d] == 1) continue;
    if (best < 0 || step < std::abs((*s.strides)[best])) best = d;
  }
  return best;
}

// An axis other than the last that some operand would rather be walked along, or -1. A block then
// covers a tile of both axes, so that each line of that operand is used while it is in the cache.
int crossing_axis(const dims& shape, std::span<const source> sources) {
  const int last = shape.size() - 1;
  for (const source& s : sources) {
    if (s.constant || last < 1) continue;
    const int axis = fastest_axis(shape, s);
    const std::int64_t along = std::abs((*s.strides)[last]);
    if (axis >= 0 && axis != last && along >= 64 && std::abs((*s.strides)[axis]) < 32) return axis;
  }
  return -1;
}

// The axes in the order of the launch: outer ones slowest first, then the last.
struct axis_order {
  int at[max_axes];
  int rank;

  axis_order(int n, int crossing) : rank(n) {
    int k = 0;
    for (int d = 0; d < n - 1; ++d) {
      if (d != crossing) at[k++] = d;
    }
    if (crossing >= 0) at[k++] = crossing;
    if (n > 0) at[k] = n - 1;
  }
};

bool rows_aligned(const core::operand& o, int outer_rank, std::int64_t bytes) {
  if (reinterpret_cast<std::uintptr_t>(o.data) % std::uintptr_t(bytes) != 0) return false;
  for (int d = 0; d < outer_rank; ++d) {
    if (o.outer[d] % bytes != 0) return false;
  }
  return true;
}

core::operand make_operand(const source& s, const axis_order& order, int width) {
  core::operand o{};
  o.type = int(s.type);
  if (s.constant) {
    std::memcpy(&o, s.constant->bytes, sizeof s.constant->bytes);
    o.mode = core::walk::immediate;
    return o;
  }
  o.data = s.data;
  const int outer_rank = order.rank - 1;
  for (int d = 0; d < outer_rank; ++d) o.outer[d] = (*s.strides)[order.at[d]];
  const int size = itemsize(s.type);
  o.inner = order.rank == 0 ? size : (*s.strides)[order.at[outer_rank]];
  if (o.inner == 0) {
    o.mode = core::walk::same;
  } else if (o.inner == size && rows_aligned(o, outer_rank, std::min(16, size * width))) {
    o.mode = core::walk::vector;
  }
  return o;
}

grid_shape make_grid(core::launch_header& h, int width, bool tiled) {
  const std::int64_t vectors = (h.inner + width - 1) / width;
  grid_shape g;
  g.block_x = tiled ? unsigned(std::max(1, 32 / width)) : block_threads;
  while (g.block_x > 1 && std::int64_t(g.block_x) / 2 >= vectors) g.block_x /= 2;
  g.block_y = block_threads / g.block_x;
  while (g.block_y > 1 && std::int64_t(g.block_y) / 2 >= h.rows) g.block_y /= 2;
  const std::int64_t chunks = (vectors + g.block_x - 1) / g.block_x;
  h.chunks = core::make_divisor(unsigned(chunks));
  g.blocks = chunks * ((h.rows + g.block_y - 1) / g.block_y);
  return g;
}

}  // namespace

void lay_out(elementwise_launch& l, const dims& shape, std::span<const source> sources, int width,
             bool ordered) {
  const int crossing = ordered ? -1 : crossing_axis(shape, sources);
  const axis_order order(shape.size(), crossing);
  core::launch_header& h = l.head() = {};
  h.outer_rank = std::max(0, order.rank - 1);
  h.inner = order.rank == 0 ? 1 : shape[order.rank - 1];
  h.rows = 1;
  for (int d = 0; d < h.outer_rank; ++d) {
    h.shape[d] = shape[order.at[d]];
    h.rows *= h.shape[d];
  }
  core::operand* o = l.operands();
  for (const source& s : sources) *o++ = make_operand(s, order, width);
  l.grid = make_grid(h, width, crossing >= 0);
}

}  // namespace numwarp::cuda_backend
