#include "plan/elementwise.hpp"

#include <algorithm>
#include <numeric>

#include "plan/layout.hpp"

namespace numwarp::plan {

namespace {

void permute(dims& d, std::span<const int> order) {
  const dims old = d;
  for (std::size_t i = 0; i < order.size(); ++i) d[int(i)] = old[order[i]];
}

small_vector<dims*, 8> all_strides(elementwise& p) {
  small_vector<dims*, 8> list;
  for (auto& o : p.outputs) list.push_back(&o.strides);
  for (auto& i : p.inputs) list.push_back(&i.strides);
  return list;
}

// Slowest axis of `by` first; equal strides keep their order. Sorted by insertion: the axes are few
// and mostly in order.
small_vector<int, 8> memory_order(const dims& by, int first, int last) {
  small_vector<int, 8> order;
  order.resize(std::size_t(by.size()));
  std::iota(order.begin(), order.end(), 0);
  for (int* i = order.begin() + first; i < order.begin() + last; ++i) {
    for (int* k = i; k > order.begin() + first && std::abs(by[k[-1]]) < std::abs(by[*k]); --k)
      std::swap(k[-1], *k);
  }
  return order;
}

bool mergeable(const dims& shape, std::span<dims* const> strides, int i) {
  return std::all_of(strides.begin(), strides.end(),
                     [&](const dims* s) { return (*s)[i] == shape[i + 1] * (*s)[i + 1]; });
}

void drop_axis(dims& shape, std::span<dims* const> strides, int i) {
  shape.erase(i);
  for (dims* s : strides) s->erase(i);
}

}  // namespace

int merge_axes(dims& shape, std::span<dims* const> strides, int first, int last, dims* follower) {
  const auto drop = [&](int i) {
    drop_axis(shape, strides, i);
    if (follower) follower->erase(i);
  };
  for (int i = last - 1; i >= first; --i) {
    if (shape[i] == 1) {
      drop(i);
      --last;
    }
  }
  for (int i = last - 2; i >= first; --i) {
    if (!mergeable(shape, strides, i)) continue;
    shape[i + 1] *= shape[i];
    drop(i);
    --last;
  }
  return last;
}

void collapse(elementwise& p) {
  p.size = size(p.shape);
  if (p.shape.size() == 1 && p.shape[0] != 1) return;  // nothing to sort, drop or merge
  const auto strides = all_strides(p);
  if (p.shape.size() > 1 && !p.outputs.empty() && !p.program->uses_index()) {
    const auto order = memory_order(p.outputs[0].strides, 0, p.shape.size());
    if (!std::is_sorted(order.begin(), order.end())) {
      permute(p.shape, order);
      for (dims* s : strides) permute(*s, order);
    }
  }
  merge_axes(p.shape, strides, 0, p.shape.size());
}

void collapse(reduction& p) {
  dims kept_shape;
  for (int i = 0; i < p.kept; ++i) kept_shape.push_back(p.shape[i]);
  p.outer = size(kept_shape);
  p.count = 1;
  for (int i = p.kept; i < p.shape.size(); ++i) p.count *= p.shape[i];
  // A stride for the output along the reduced axes lets all lists be treated alike.
  while (p.output.strides.size() < p.shape.size()) p.output.strides.push_back(0);
  small_vector<dims*, 8> strides{&p.output.strides};
  for (auto& i : p.inputs) strides.push_back(&i.strides);
  // Reduced axes of arg-reductions stay in C order: their index is the result.
  const bool ordered = p.op == reduce_code::argmin || p.op == reduce_code::argmax;
  auto order = memory_order(p.order, 0, p.kept);
  if (!ordered) {
    const auto rest = memory_order(p.order, p.kept, p.shape.size());
    std::copy(rest.begin() + p.kept, rest.end(), order.begin() + p.kept);
  }
  permute(p.shape, order);
  permute(p.order, order);
  for (dims* s : strides) permute(*s, order);
  merge_axes(p.shape, strides, p.kept, p.shape.size(), &p.order);
  p.kept = merge_axes(p.shape, strides, 0, p.kept, &p.order);
  p.output.strides.resize(p.kept);
}

bool by_columns(const reduction& p) {
  if (p.count == 0 || p.kept == 0 || p.kept == p.shape.size()) return false;
  const std::int64_t kept = std::abs(p.order[p.kept - 1]), reduced = std::abs(p.order.back());
  return kept != 0 && (kept < reduced || reduced == 0);
}

}  // namespace numwarp::plan
