// The CUDA backend's operations: each runs one plan on a stream, through kernels built ahead of
// time or compiled at run time.
#pragma once

#include <cstdint>

#include "plan/copies.hpp"
#include "plan/elementwise.hpp"
#include "plan/indexed.hpp"
#include "plan/matmul.hpp"
#include "plan/random.hpp"

namespace numwarp::cuda_backend {

// Where work is launched, and what a launch may borrow. The device is current when it is passed.
struct launch_context {
  int device = 0;
  void* stream = nullptr;  // cudaStream_t
  int multiprocessors = 1;
  // Memory for `bytes` > 0, aligned to 256, that work launched later on `stream` may use. It is the
  // callee's until the next call of a run_ function on this context: never to be given back.
  // Throws out_of_memory.
  void* (*scratch)(void* self, std::int64_t bytes) = nullptr;
  void* self = nullptr;
  // core::error_record of the stream, in device memory; null: nothing is reported.
  void* error_slot = nullptr;

  void* borrow(std::int64_t bytes) const { return scratch(self, bytes); }
};

// Plans are collapsed and of non-zero size. All launch and return; errors of a launch throw
// cuda_error. The plan and its program may be gone when the kernel runs.
void run_elementwise(const launch_context& c, const plan::elementwise& p);
void run_copies(const launch_context& c, const plan::copies& p);
void run_reduction(const launch_context& c, const plan::reduction& p);
void run_matmul(const launch_context& c, const plan::matmul& p);
void run_random(const launch_context& c, const plan::random& p);
void run_indexed(const launch_context& c, const plan::indexed& p);
void run_indexed_update(const launch_context& c, const plan::indexed_update& p);

// Mask selection over n > 0 elements of a C-contiguous mask. find_true writes where they are to
// `places`, of places_bytes(n), for the others, and waits for their number.
std::int64_t places_bytes(std::int64_t n);
std::int64_t find_true(const launch_context& c, const bool* mask, std::int64_t n, void* places);
void true_indices(const launch_context& c, std::int64_t* to, const bool* mask, std::int64_t n,
                  void* places);
void gather_true(const launch_context& c, void* to, const void* from, const bool* mask,
                 std::int64_t n, std::int64_t row_bytes, void* places);
void scatter_true(const launch_context& c, void* to, const void* from, const bool* mask,
                  std::int64_t n, std::int64_t row_bytes, void* places);

}  // namespace numwarp::cuda_backend
