#include "cuda/copies.hpp"

#include <bit>
#include <cstring>
#include <limits>

#include "cuda/copy.hpp"
#include "cuda/elementwise_single.hpp"
#include "prebuilt_copies.hpp"

namespace numwarp::cuda_backend {

namespace {

using core::copy_box;
using core::walk;

bool aligned(const void* data, const core::i64 (&outer)[core::copy_outer], int rank) {
  bool all = reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
  for (int d = 0; d < rank; ++d) all &= outer[d] % 16 == 0;
  return all;
}

// The shape and the strides; the blocks follow.
copy_box lay_out_box(const plan::elementwise& copy) {
  const single_op s = *as_single(copy);
  const source &from = s.sources[0], &to = s.sources[1];
  const int last = copy.shape.size() - 1, size = itemsize(to.type);
  copy_box b{};
  b.rows = 1;
  b.inner = last < 0 ? 1 : copy.shape[last];
  b.outer_rank = static_cast<unsigned char>(std::max(last, 0));
  b.to = to.data;
  b.to_inner = last < 0 ? size : (*to.strides)[last];
  if (!from.constant) {
    b.from = from.data;
    b.from_inner = last < 0 ? size : (*from.strides)[last];
  }
  for (int d = 0; d < last; ++d) {
    b.shape[d] = copy.shape[d];
    b.rows *= copy.shape[d];
    b.to_outer[d] = (*to.strides)[d];
    b.from_outer[d] = from.constant ? 0 : (*from.strides)[d];
  }
  walk mode = walk::strided;
  if (from.constant) {
    std::memcpy(static_cast<void*>(&b), from.constant->bytes, sizeof from.constant->bytes);
    mode = walk::immediate;
  } else if (b.from_inner == size && b.to_inner == size &&
             aligned(b.from, b.from_outer, b.outer_rank) &&
             aligned(b.to, b.to_outer, b.outer_rank)) {
    mode = walk::vector;
  }
  b.mode = static_cast<unsigned char>(mode);
  return b;
}

// Sets how blocks lie; returns their number.
std::int64_t lay_out_blocks(copy_box& b, int width) {
  int shift = 0;
  while (core::copy_threads >> shift > 1 && std::int64_t(width) << shift < b.inner) ++shift;
  const std::int64_t chunk = std::int64_t(width) << shift, group = core::copy_threads >> shift;
  const std::int64_t chunks = (b.inner + chunk - 1) / chunk;
  b.row_shift = static_cast<unsigned short>(shift);
  b.chunks = core::make_divisor(unsigned(chunks));
  return chunks * ((b.rows + group - 1) / group);
}

}  // namespace

bool is_box(const plan::elementwise& copy) {
  if (copy.shape.size() > core::copy_outer + 1) return false;
  const single_op s = *as_single(copy);
  return !lay_out_transpose(copy.shape, s.sources[0], s.sources[1]);
}

bool copies_launch::add(const plan::elementwise& copy) {
  if (parameters.count == core::most_boxes) return false;
  copy_box b = lay_out_box(copy);
  const std::int64_t more = lay_out_blocks(b, core::copy_width(itemsize(copy.outputs[0].type)));
  if (blocks > 0 && blocks + more > std::numeric_limits<std::int32_t>::max()) return false;
  b.first_block = unsigned(blocks);
  parameters.boxes[parameters.count++] = b;
  blocks += more;
  return true;
}

void run_copies(const launch_context& c, const plan::copies& p) {
  static const kernels::copies_table table = kernels::copies_kernels();
  if (p.list.size() == 1) return run_elementwise(c, p.list[0]);
  const void* const kernel =
      table.at[std::countr_zero(unsigned(itemsize(p.list[0].outputs[0].type)))];
  copies_launch l;
  const auto flush = [&] {
    if (l.blocks > 0)
      launch_prebuilt(c, kernel, {l.blocks, core::copy_threads, 1}, &l.parameters, p.name);
    l = {};
  };
  for (const plan::elementwise& copy : p.list) {
    if (!is_box(copy)) {
      run_elementwise(c, copy);
    } else if (!l.add(copy)) {
      flush();
      l.add(copy);
    }
  }
  flush();
}

}  // namespace numwarp::cuda_backend
