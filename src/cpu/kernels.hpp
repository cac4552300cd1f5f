// The CPU backend's operations, one file each.
#pragma once

#include "plan/elementwise.hpp"
#include "plan/indexed.hpp"
#include "plan/matmul.hpp"
#include "plan/random.hpp"

namespace numwarp::cpu_backend {

// Throws value_error for values that a program refuses, before anything is stored: negative
// exponents of integer powers.
void check_values(const plan::program& p, const dims& shape, std::span<const plan::view> inputs);
void run_elementwise(const plan::elementwise& p);
void run_reduction(const plan::reduction& p);
void run_matmul(const plan::matmul& p);
void run_random(const plan::random& p);
void run_indexed(const plan::indexed& p);
void run_indexed_update(const plan::indexed_update& p);

std::int64_t count_true(const bool* mask, std::int64_t n);
void true_indices(std::int64_t* to, const bool* mask, std::int64_t n);
void gather_true(char* to, const char* from, const bool* mask, std::int64_t n,
                 std::int64_t row_bytes);
void scatter_true(char* to, const char* from, const bool* mask, std::int64_t n,
                  std::int64_t row_bytes);

}  // namespace numwarp::cpu_backend
