// stencil [N [STEPS]]: heat spreads on a plate of N x N cells (512) for STEPS steps (200). A kernel
// of one's own computes a step tile by tile, with a halo of one cell in shared memory; the result
// is checked against the same steps written with views.
#include <iostream>
#include <numwarp/kernel.hpp>
#include <numwarp/numwarp.hpp>
#include <utility>

#include "arguments.hpp"

namespace nw = numwarp;

constexpr int tile = 16;
constexpr float rate = 0.2f;

const char* const source = R"(
#include <numwarp/core/strided_array.hpp>

extern "C" __global__ void heat_step(numwarp::strided_array<const float, 2> from,
                                     numwarp::strided_array<float, 2> to, float rate) {
  constexpr int side = TILE + 2;
  __shared__ float cell[side][side];
  const long top = blockIdx.y * TILE - 1l, left = blockIdx.x * TILE - 1l;  // of the halo
  for (int k = threadIdx.y * TILE + threadIdx.x; k < side * side; k += TILE * TILE) {
    const long i = top + k / side, j = left + k % side;
    const bool inside = i >= 0 && i < from.shape(0) && j >= 0 && j < from.shape(1);
    cell[k / side][k % side] = inside ? from(i, j) : 0;
  }
  __syncthreads();
  const int y = threadIdx.y + 1, x = threadIdx.x + 1;
  const long i = top + y, j = left + x;
  if (i < 1 || i >= to.shape(0) - 1 || j < 1 || j >= to.shape(1) - 1) return;  // the rim stays
  const float around = cell[y - 1][x] + cell[y + 1][x] + cell[y][x - 1] + cell[y][x + 1];
  to(i, j) = cell[y][x] + rate * (around - 4 * cell[y][x]);
})";

// The rim is held at 100 degrees on top and at 0 elsewhere.
nw::ndarray<float> plate(std::int64_t n) {
  auto t = nw::zeros<float>({n, n});
  t(0) = 100.0f;
  return t;
}

nw::ndarray<float> by_views(nw::ndarray<float> t, std::int64_t steps) {
  const nw::slice inner(1, -1), before(0, -2), after(2, nw::none);
  for (std::int64_t k = 0; k < steps; ++k) {
    const auto middle = t(inner, inner);
    const auto around = t(before, inner) + t(after, inner) + t(inner, before) + t(inner, after);
    middle(nw::ellipsis) = middle + rate * (around - 4.0f * middle);
  }
  return t;
}

nw::ndarray<float> by_kernel(nw::ndarray<float> from, std::int64_t steps) {
  const nw::raw_kernel step(source, "heat_step", {.options = {"-DTILE=" + std::to_string(tile)}});
  auto to = from.copy();
  const std::int64_t blocks = (from.shape()[0] + tile - 1) / tile;
  for (std::int64_t k = 0; k < steps; ++k) {
    step({blocks, blocks}, {tile, tile}, nw::strided(nw::in(from)), nw::strided(to), rate);
    std::swap(from, to);
  }
  return from;
}

int main(int argc, char** argv) try {
  const std::int64_t n = positive(argc, argv, 1, 512), steps = positive(argc, argv, 2, 200);
  const auto views = by_views(plate(n), steps);
  std::cout << "after " << steps << " steps by views:  mean " << views.mean() << '\n';
  if (nw::default_device().is_cpu()) {
    std::cout << "no GPU (" << nw::why_unavailable(nw::cuda(0)) << "): the kernel is skipped\n";
    return 0;
  }
  const auto kernel = by_kernel(plate(n), steps);
  std::cout << "after " << steps << " steps by kernel: mean " << kernel.mean() << '\n';
  const float apart = nw::max(nw::abs(kernel - views)).item();
  std::cout << "largest difference " << apart << '\n';
  return apart < 1e-2f ? 0 : 1;
} catch (const nw::error& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
