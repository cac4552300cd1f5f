// One product of matrices on the CPU: by BLAS, by way of float, or by loops of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <numwarp/error.hpp>
#include <string>

#include "plan/matmul.hpp"

namespace numwarp::cpu_backend {

// float32, float64, complex64 and complex128.
void blas_product(dtype type, const plan::single_product& p);
// float16 and bfloat16: sums in float32, each element rounded once.
using product = void(dtype type, const plan::single_product& p);
void half_product(dtype type, const plan::single_product& p, product* of_floats = blas_product);
// bool and the integers. bool is "or" of "and"s; the others wrap around.
void integer_product(dtype type, const plan::single_product& p);

// Any type by numwarp's own loops; complex ones as four real products.
void tiled_product(dtype type, const plan::single_product& p);
// float32 and float64 by the loops of the integers.
void real_product(dtype type, const plan::single_product& p);
// The same for matrices of any strides.
void strided_product(dtype type, const plan::single_product& p);

// Any type, for the few products that is_tiny says.
void tiny_product(dtype type, const plan::single_product& p);
bool is_tiny(const plan::single_product& p);

// Uninitialised memory for a call.
template <class T> std::unique_ptr<T[]> scratch(std::int64_t n) {
  std::unique_ptr<T[]> p(new (std::nothrow) T[std::size_t(n)]);
  if (!p) {
    throw out_of_memory("matmul: out of memory: cannot allocate " +
                        std::to_string(n * std::int64_t(sizeof(T))) + " bytes on cpu for work");
  }
  return p;
}

}  // namespace numwarp::cpu_backend
