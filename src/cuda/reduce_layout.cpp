#include "cuda/reduce_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace numwarp::cuda_backend {

namespace {

constexpr std::int64_t block_threads = 256;
// Vectors that a thread has in flight, at most; splits are whole multiples of it.
constexpr std::int64_t in_flight = 8;
// Blocks a multiprocessor that a large reduction is split into: all run at once, or nearly, and end
// together. More were slower on an H200 (sum of 2^28 float32: 8: 259 us, 32: 272, 128: 296).
constexpr std::int64_t blocks_each = 8;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
std::int64_t power_of_two(std::int64_t n) {
  return std::int64_t(std::bit_ceil(std::uint64_t(std::max<std::int64_t>(n, 1))));
}

struct axes_of {
  const plan::reduction& p;
  int kept() const { return p.kept; }
  int reduced() const { return p.shape.size() - p.kept; }
  int last_kept() const { return p.kept - 1; }  // -1: none
  int last_reduced() const { return reduced() > 0 ? p.shape.size() - 1 : -1; }
};

void fill_shape(core::reduction_header& h, const plan::reduction& p) {
  const axes_of a{p};
  h.outer = p.outer;
  h.count = p.count;
  h.kept_inner = a.kept() > 0 ? p.shape[a.last_kept()] : 1;
  h.reduced_inner = a.reduced() > 0 ? p.shape[a.last_reduced()] : 1;
  h.kept_rank = std::max(0, a.kept() - 1);
  h.reduced_rank = std::max(0, a.reduced() - 1);
  for (int d = 0; d < h.kept_rank; ++d) h.shape[d] = p.shape[d];
  for (int d = 0; d < h.reduced_rank; ++d) h.shape[h.kept_rank + d] = p.shape[p.kept + d];
  h.out = p.output.data;
  h.out_type = int(p.output.type);
  h.out_inner = a.kept() > 0 ? p.output.strides[a.last_kept()] : 0;
  for (int d = 0; d < h.kept_rank; ++d) h.out_outer[d] = p.output.strides[d];
  h.ddof = p.ddof;
  h.where = reinterpret_cast<std::uintptr_t>(p.name);
  if (p.initial) {
    h.has_initial = 1;
    std::memcpy(h.initial, p.initial->bytes, sizeof h.initial);
  }
}

core::reduced_operand make_operand(const plan::reduction& p, const plan::view& v) {
  const axes_of a{p};
  core::reduced_operand o{};
  o.data = v.data;
  o.type = int(v.type);
  o.kept_inner = a.kept() > 0 ? v.strides[a.last_kept()] : 0;
  o.reduced_inner = a.reduced() > 0 ? v.strides[a.last_reduced()] : 0;
  int k = 0;
  for (int d = 0; d < a.kept() - 1; ++d) o.outer[k++] = v.strides[d];
  for (int d = 0; d < a.reduced() - 1; ++d) o.outer[k++] = v.strides[p.kept + d];
  return o;
}

// The mode along the vectors' axis: whole vectors need every other stride to keep their alignment.
core::walk mode_of(const core::reduced_operand& o, const core::reduction_header& h, bool columns,
                   std::int64_t size, int width) {
  const std::int64_t along = columns ? o.kept_inner : o.reduced_inner;
  const std::int64_t across = columns ? o.reduced_inner : o.kept_inner;
  if (along == 0) return core::walk::same;
  const std::int64_t bytes = std::min<std::int64_t>(16, size * width);
  bool aligned = along == size &&
                 reinterpret_cast<std::uintptr_t>(o.data) % std::uintptr_t(bytes) == 0 &&
                 across % bytes == 0;
  for (int d = 0; d < h.kept_rank + h.reduced_rank; ++d)
    aligned = aligned && o.outer[d] % bytes == 0;
  return aligned ? core::walk::vector : core::walk::strided;
}

// Splits the reduced space into whole multiples of `chunk` elements so that the device is filled.
void split(core::reduction_header& h, std::int64_t blocks, std::int64_t chunk, std::int64_t least,
           int multiprocessors) {
  h.splits = 1;
  h.split_length = std::max<std::int64_t>(h.count, 1);
  const std::int64_t target = blocks_each * multiprocessors;
  if (h.count < least || blocks * 2 > target) return;
  const std::int64_t wanted = std::min(ceil_div(target, blocks), ceil_div(h.count, chunk));
  if (wanted < 2) return;
  h.split_length = ceil_div(ceil_div(h.count, wanted), chunk) * chunk;
  h.splits = unsigned(ceil_div(h.count, h.split_length));
}

void lay_out_rows(reduction_launch& l, int width, int multiprocessors) {
  core::reduction_header& h = l.head();
  const std::int64_t vectors = std::max<std::int64_t>(ceil_div(h.count, width), 1);
  std::int64_t group = std::min(power_of_two(vectors), block_threads);
  const std::int64_t full = std::int64_t(multiprocessors) * 2048;  // threads
  // With segments enough, a warp or a few take one each: joining all threads of a block costs more.
  while (group > 32 && group * in_flight * 8 > vectors && h.outer > full / group) group /= 2;
  while (group > 1 && group * in_flight > vectors && h.outer > full / group) group /= 2;
  h.group = unsigned(group);
  const std::int64_t blocks = ceil_div(h.outer, block_threads / group);
  const std::int64_t chunk = group * width * in_flight;
  split(h, blocks, chunk, group == block_threads ? 4 * chunk : INT64_MAX, multiprocessors);
  h.partial_outer = h.splits;
  h.partial_split = 1;
  l.grid = {blocks * h.splits, unsigned(block_threads), 1};
}

void lay_out_columns(reduction_launch& l, int width, int multiprocessors) {
  core::reduction_header& h = l.head();
  const std::int64_t vectors = h.outer / h.kept_inner * ceil_div(h.kept_inner, width);
  std::int64_t x = std::min<std::int64_t>(power_of_two(vectors), 32), y = block_threads / x;
  while (y > 1 && y / 2 >= h.count) y /= 2;
  x = std::min(power_of_two(vectors), block_threads / y);
  const std::int64_t blocks = ceil_div(vectors, x);
  h.column_blocks = unsigned(blocks);
  h.group = unsigned(y);
  split(h, blocks, y * in_flight, 4 * y * in_flight, multiprocessors);
  h.partial_outer = 1;
  h.partial_split = h.outer;
  l.grid = {blocks * h.splits, unsigned(x), unsigned(y)};
}

}  // namespace

bool reducible(const plan::reduction& p, int inputs) {
  const axes_of a{p};
  return inputs <= max_reduced_inputs &&
         std::max(0, a.kept() - 1) + std::max(0, a.reduced() - 1) <= core::max_outer;
}

void lay_out(reduction_launch& l, const plan::reduction& p, std::span<const int> inputs,
             bool columns, int width, int multiprocessors) {
  core::reduction_header& h = l.head() = {};
  fill_shape(h, p);
  const std::int64_t run = columns ? h.kept_inner : h.reduced_inner;
  h.fast = h.reduced_rank <= 1 && (columns || h.reduced_rank == 0 || run % width == 0);
  core::reduced_operand* o = l.operands();
  for (int i : inputs) {
    const plan::view& v = p.inputs[std::size_t(i)];
    *o = make_operand(p, v);
    o->mode = mode_of(*o, h, columns, itemsize(v.type), width);
    h.fast = h.fast && o->mode != core::walk::strided;
    ++o;
  }
  if (columns) {
    lay_out_columns(l, width, multiprocessors);
  } else {
    lay_out_rows(l, width, multiprocessors);
  }
}

}  // namespace numwarp::cuda_backend
