// The vectorised loops: one for each op and compute type, each cast, each reducer, compiled for
// several instruction sets and picked once at start-up.
#pragma once

#include <cstdint>
#include <numwarp/core/ops.hpp>
#include <numwarp/core/reduce_ops.hpp>

namespace numwarp::cpu_backend {

// out[i] = op(in[0][i], ...) for contiguous arrays. `out` may be one of the inputs.
using loop = void (*)(void* out, const void* const* in, std::int64_t n);

loop op_loop(core::op_code op, dtype compute);
loop cast_loop(dtype from, dtype to);

// A reducer for one compute type, on arrays of accumulators.
struct reducer {
  int acc_bytes = 0;
  dtype finished{};  // type of the results before conversion to the output's
  void (*start)(void* acc, std::int64_t n) = nullptr;
  // acc <- acc merged with n contiguous elements, the first with index `index`.
  void (*block)(void* acc, const void* x, std::int64_t n, std::int64_t index) = nullptr;
  // acc[j] takes in element j of every row r, whose index is `index + r`; rows are `stride` bytes
  // apart.
  void (*rows)(void* acc, const void* x, std::int64_t rows, std::int64_t columns,
               std::int64_t stride, std::int64_t index) = nullptr;
  void (*merge)(void* acc, const void* other, std::int64_t n) = nullptr;
  void (*finish)(const void* acc, void* out, std::int64_t n, std::int64_t count,
                 double ddof) = nullptr;
};

const reducer& find_reducer(reduce_code op, dtype compute);

// The best instruction set of this machine that the loops were compiled for.
enum class isa { base, v3 };
isa best_isa();

}  // namespace numwarp::cpu_backend

// NW_FOR_EACH_ISA(X): X(name, attribute) for each instruction set. Sanitizers instrument the plain
// one only. A file whose formulas have no fma of their own says NW_NO_FMA first: g++ 12 makes
// multiplies and adds of complex products into one instruction, whatever -ffp-contract says, which
// rounds once instead of twice.
#ifndef NW_NO_FMA
#  define NW_NO_FMA
#endif
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
#  define NW_FOR_EACH_ISA(X) \
    X(base, )                \
    X(v3, __attribute__((target("arch=x86-64-v3" NW_NO_FMA))))
#else
#  define NW_FOR_EACH_ISA(X) X(base, )
#endif

// Elements are independent even where the output is an input, which the compiler cannot know.
#if defined(__clang__)
#  define NW_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#  define NW_INDEPENDENT _Pragma("GCC ivdep")
#endif
