#include "cuda/copy.hpp"

#include <bit>

namespace numwarp::cuda_backend {

namespace {

// The axis along which elements are adjacent, of at least `least` elements; or -1.
int adjacent_axis(const dims& shape, const source& s, std::int64_t least) {
  for (int d = shape.size() - 1; d >= 0; --d) {
    if ((*s.strides)[d] == itemsize(s.type) && shape[d] >= least) return d;
  }
  return -1;
}

}  // namespace

std::optional<transpose_launch> lay_out_transpose(const dims& shape, const source& from,
                                                  const source& to) {
  if (from.constant || shape.size() < 2 || shape.size() > core::max_outer + 2) return std::nullopt;
  const int in = adjacent_axis(shape, from, 8), out = adjacent_axis(shape, to, 8);
  if (in < 0 || out < 0 || in == out || (*from.strides)[out] == 0) return std::nullopt;
  transpose_launch t;
  auto& p = t.parameters;
  p.from = from.data;
  p.to = to.data;
  p.from_fast = shape[in];
  p.to_fast = shape[out];
  p.from_stride = (*from.strides)[out];
  p.to_stride = (*to.strides)[in];
  p.planes = 1;
  for (int d = 0; d < shape.size(); ++d) {
    if (d == in || d == out) continue;
    p.shape[p.outer_rank] = shape[d];
    p.from_outer[p.outer_rank] = (*from.strides)[d];
    p.to_outer[p.outer_rank++] = (*to.strides)[d];
    p.planes *= shape[d];
  }
  const std::int64_t side = core::transpose_side(itemsize(to.type));
  const std::int64_t from_tiles = (p.from_fast + side - 1) / side;
  const std::int64_t to_tiles = (p.to_fast + side - 1) / side;
  if (from_tiles > INT32_MAX / to_tiles || from_tiles * to_tiles > INT32_MAX / p.planes)
    return std::nullopt;
  p.from_tiles = unsigned(from_tiles);
  p.to_tiles = unsigned(to_tiles);
  t.grid = {from_tiles * to_tiles * p.planes, 32, 8};
  return t;
}

bool run_transpose(const launch_context& c, const dims& shape, const source& from, const source& to,
                   const char* name) {
  const auto t = lay_out_transpose(shape, from, to);
  if (!t) return false;
  const void* kernel = move_kernels().transpose[std::countr_zero(unsigned(itemsize(to.type)))];
  launch_prebuilt(c, kernel, t->grid, &t->parameters, name);
  return true;
}

}  // namespace numwarp::cuda_backend
