#include "cuda/elementwise_slices.hpp"

#include <algorithm>

namespace numwarp::cuda_backend {

namespace {

// Elements [at, at + n) of the first axis; the axis itself goes where n is 1 and `drop` is set.
plan::elementwise part_of(const plan::elementwise& p, std::int64_t at, std::int64_t n, bool drop) {
  plan::elementwise part = p;
  part.size = p.size / p.shape[0] * n;
  part.shape[0] = n;
  if (drop) part.shape.erase(0);
  const auto move = [&](plan::view& v) {
    v.data += at * v.strides[0];
    if (drop) v.strides.erase(0);
  };
  for (auto& v : part.inputs) move(v);
  for (auto& v : part.outputs) move(v);
  return part;
}

void visit(const plan::elementwise& p, int max_rank, std::int64_t max_elements, std::int64_t base,
           const slice_function& f) {
  if (p.shape.empty() || (p.shape.size() <= max_rank && p.size <= max_elements)) return f(p, base);
  const std::int64_t row = p.size / p.shape[0];
  const bool drop = p.shape.size() > max_rank || row > max_elements;
  const std::int64_t step = drop ? 1 : std::max<std::int64_t>(1, max_elements / row);
  for (std::int64_t i = 0; i < p.shape[0]; i += step) {
    const std::int64_t n = std::min(step, p.shape[0] - i);
    const plan::elementwise part = part_of(p, i, n, drop);
    if (drop) {
      visit(part, max_rank, max_elements, base + i * row, f);
    } else {
      f(part, base + i * row);
    }
  }
}

}  // namespace

void for_each_slice(const plan::elementwise& p, int max_rank, std::int64_t max_elements,
                    const slice_function& f) {
  visit(p, max_rank, std::max<std::int64_t>(max_elements, 1), 0, f);
}

}  // namespace numwarp::cuda_backend
