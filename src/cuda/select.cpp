// Mask selection: counts a block and their scan, then the move.
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

core::select_parameters parameters_of(const bool* mask, std::int64_t n, void* places) {
  core::select_parameters p{};
  p.mask = mask;
  p.n = n;
  p.blocks = (n + core::select_block - 1) / core::select_block;
  p.starts = static_cast<core::i64*>(places);
  p.total = p.starts + p.blocks;
  return p;
}

// log2 of the widest word that divides a row and both addresses.
int word_slot(const void* a, const void* b, std::int64_t row_bytes) {
  const auto bits = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
                    std::uintptr_t(row_bytes) | 16;
  return std::countr_zero(bits);
}

void move_true(const launch_context& c, void* to, const void* from, const bool* mask,
               std::int64_t n, std::int64_t row_bytes, void* places, bool scatter,
               const char* name) {
  if (row_bytes == 0) return;
  core::select_parameters p = parameters_of(mask, n, places);
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

std::int64_t places_bytes(std::int64_t n) {
  return ((n + core::select_block - 1) / core::select_block + 1) * 8;
}

std::int64_t find_true(const launch_context& c, const bool* mask, std::int64_t n, void* places) {
  const char* const name = "count_nonzero";
  const core::select_parameters p = parameters_of(mask, n, places);
  const std::int64_t counting =
      (p.blocks + core::select_count_parts - 1) / core::select_count_parts;
  launch_prebuilt(c, table().count, {counting, 256, 1}, &p, name);
  launch_prebuilt(c, table().scan, {1, 1024, 1}, &p, name);
  std::int64_t total = 0;
  const auto stream = static_cast<cudaStream_t>(c.stream);
  check_launch(cudaMemcpyAsync(&total, p.total, sizeof total, cudaMemcpyDeviceToHost, stream), name,
               "reading the count");
  check_launch(cudaStreamSynchronize(stream), name, "waiting for the count");
  return total;
}

void true_indices(const launch_context& c, std::int64_t* to, const bool* mask, std::int64_t n,
                  void* places) {
  core::select_parameters p = parameters_of(mask, n, places);
  p.indices = reinterpret_cast<core::i64*>(to);
  launch_prebuilt(c, table().indices, {p.blocks, 256, 1}, &p, "nonzero");
}

void gather_true(const launch_context& c, void* to, const void* from, const bool* mask,
                 std::int64_t n, std::int64_t row_bytes, void* places) {
  move_true(c, to, from, mask, n, row_bytes, places, false, "subscript");
}

void scatter_true(const launch_context& c, void* to, const void* from, const bool* mask,
                  std::int64_t n, std::int64_t row_bytes, void* places) {
  move_true(c, to, from, mask, n, row_bytes, places, true, "operator=");
}

}  // namespace numwarp::cuda_backend
