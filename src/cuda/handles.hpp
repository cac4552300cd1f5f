// Handles of the CUDA libraries: one a thread and device, made when first needed. A thread that
// ends leaves its handles to threads that come.
#pragma once

#include <cublas_v2.h>

#include "cuda/kernels.hpp"

namespace numwarp::cuda_backend {

// Set to the context's stream, with a work area borrowed from the pool for this launch. Throws
// cuda_error.
cublasHandle_t blas_handle(const launch_context& c);

// Makes the calling thread's handles, which must not be made while a stream captures.
void prepare_handles(int device);

// Throws cuda_error, "what: cuBLAS's text", unless status is success.
void check_blas(cublasStatus_t status, const char* what);

}  // namespace numwarp::cuda_backend
