// Mask selection: counts a block, their scan, then the move.
#include <cuda_runtime_api.h>

#include <bit>

#include "cuda/registry.hpp"
#include "prebuilt_select.hpp"

namespace numwarp::cuda_backend {

namespace {

const kernels::select_table& table() {
  static const kernels::select_table t = kernels::select_kernels();
  return t;
}

// Counts and scans: fills in where each block's true elements start, and their total.
core::select_parameters scan_mask(const launch_context& c, const bool* mask, std::int64_t n,
                                  const char* name) {
  core::select_parameters p{};
  p.mask = mask;
  p.n = n;
  p.blocks = (n + core::select_block - 1) / core::select_block;
  auto* memory = static_cast<core::i64*>(c.borrow((p.blocks + 1) * 8));
  p.starts = memory;
  p.total = memory + p.blocks;
  launch_prebuilt(c, table().count, {p.blocks, 256, 1}, &p, name);
  launch_prebuilt(c, table().scan, {1, 1024, 1}, &p, name);
  return p;
}

// log2 of the widest word that divides a row and both addresses.
int word_slot(const void* a, const void* b, std::int64_t row_bytes) {
  const auto bits = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                    std::uintptr_t(row_bytes) | 16;
  return std::countr_zero(bits);
}

void move_true(const launch_context& c, void* to, const void* from, const bool* mask,
               std::int64_t n, std::int64_t row_bytes, bool scatter, const char* name) {
  if (n == 0 || row_bytes == 0) return;
  core::select_parameters p = scan_mask(c, mask, n, name);
  p.from = static_cast<const char*>(from);
  p.to = static_cast<char*>(to);
  p.row_bytes = row_bytes;
  const int slot = word_slot(to, from, row_bytes);
  if (row_bytes == std::int64_t(1) << slot) {
    launch_prebuilt(c, table().elements[slot][scatter], {p.blocks, 256, 1}, &p, name);
    return;
  }
  p.indices = static_cast<core::i64*>(c.borrow(n * 8));
  launch_prebuilt(c, table().indices, {p.blocks, 256, 1}, &p, name);
  const std::int64_t most = (n * (row_bytes >> slot) + 255) / 256;
  const std::int64_t blocks = std::min<std::int64_t>(most, std::int64_t(c.multiprocessors) * 16);
  launch_prebuilt(c, table().rows[slot][scatter], {blocks, 256, 1}, &p, name);
}

}  // namespace

std::int64_t count_true(const launch_context& c, const bool* mask, std::int64_t n) {
  if (n == 0) return 0;
  const char* const name = "count_nonzero";
  const core::select_parameters p = scan_mask(c, mask, n, name);
  std::int64_t total = 0;
  const auto stream = static_cast<cudaStream_t>(c.stream);
  check_launch(cudaMemcpyAsync(&total, p.total, sizeof total, cudaMemcpyDeviceToHost, stream), name,
               "reading the count");
  check_launch(cudaStreamSynchronize(stream), name, "waiting for the count");
  return total;
}

void gather_true(const launch_context& c, void* to, const void* from, const bool* mask,
                 std::int64_t n, std::int64_t row_bytes) {
  move_true(c, to, from, mask, n, row_bytes, false, "subscript");
}

void scatter_true(const launch_context& c, void* to, const void* from, const bool* mask,
                  std::int64_t n, std::int64_t row_bytes) {
  move_true(c, to, from, mask, n, row_bytes, true, "operator=");
}

}  // namespace numwarp::cuda_backend
