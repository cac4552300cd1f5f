#include "cuda/registry.hpp"

#include <cuda_runtime_api.h>

#include <limits>
#include <memory>
#include <numwarp/error.hpp>
#include <string>
#include <unordered_map>

#include "cuda/error.hpp"

namespace numwarp::cuda_backend {

namespace {

// Filled once, on the heap and never freed: launches may come from destructors of static objects.
const kernels::op_table& ops() {
  static const kernels::op_table* const table = [] {
    auto* t = new kernels::op_table{};
    using namespace kernels;
    for (auto* add : {add_arithmetic,
                      add_division,
                      add_power,
                      add_signs,
                      add_roots,
                      add_exponentials,
                      add_logarithms,
                      add_trigonometry,
                      add_inverse_trigonometry,
                      add_hyperbolic,
                      add_inverse_hyperbolic,
                      add_rounding,
                      add_extrema,
                      add_selection,
                      add_comparisons,
                      add_logic,
                      add_predicates,
                      add_bits,
                      add_integers,
                      add_complex_arithmetic,
                      add_complex_functions,
                      add_complex_trigonometry}) {
      add(*t);
    }
    return t;
  }();
  return *table;
}

const kernels::reduce_table& reductions() {
  static const kernels::reduce_table* const table = [] {
    auto* t = new kernels::reduce_table{};
    using namespace kernels;
    for (auto* add : {add_sums, add_products, add_means, add_variances, add_least, add_greatest,
                      add_truths, add_arg_least, add_arg_greatest}) {
      add(*t);
    }
    return t;
  }();
  return *table;
}

// Of a kernel built ahead of time, whose address is that of a stub. Per thread: no lock.
const void* handle_of(const void* kernel, const char* name) {
  thread_local std::unordered_map<const void*, const void*> handles;
  const auto found = handles.find(kernel);
  if (found != handles.end()) return found->second;
  cudaKernel_t handle = nullptr;
  check_launch(cudaGetKernel(&handle, kernel), name, "finding the kernel");
  handles.emplace(kernel, handle);
  return handle;
}

}  // namespace

const kernels::op_kernels& op_kernels_for(core::op_code op, dtype compute) {
  return ops().at[int(op)][int(compute)];
}

const kernels::move_table& move_kernels() {
  static const kernels::move_table* const table = [] {
    auto* t = new kernels::move_table{};
    kernels::add_casts_of_integers(*t);
    kernels::add_casts_of_unsigned(*t);
    kernels::add_casts_of_floats(*t);
    kernels::add_copies(*t);
    return t;
  }();
  return *table;
}

const kernels::reduce_kernels& reduce_kernels_for(reduce_code op, dtype element) {
  return reductions().at[int(op)][int(element)];
}

const kernels::matmul_kernel& matmul_kernel_for(dtype t, bool small) {
  static const kernels::matmul_table* const table = [] {
    auto* made = new kernels::matmul_table{};
    kernels::add_matmul_integers(*made);
    kernels::add_matmul_floats(*made);
    return made;
  }();
  return small ? table->small[int(t)] : table->large[int(t)];
}

void check_launch(int code, const char* name, const char* what) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw cuda_error(std::string(name) + ": " + what + " failed: " + describe(cudaError_t(code)));
}

void launch_handle(const launch_context& c, const void* handle, const grid_shape& g,
                   const void* parameters, const char* name) {
  if (g.blocks <= 0 || g.blocks > std::numeric_limits<std::int32_t>::max()) {
    throw cuda_error(std::string(name) + ": a launch of " + std::to_string(g.blocks) +
                     " blocks is beyond the device");
  }
  void* args[] = {const_cast<void*>(parameters)};
  const auto kernel = static_cast<cudaKernel_t>(const_cast<void*>(handle));
  check_launch(launch_kernel(kernel, ::dim3(unsigned(g.blocks)), ::dim3(g.block_x, g.block_y), 0,
                             static_cast<cudaStream_t>(c.stream), args),
               name, "launch");
}

void launch_prebuilt(const launch_context& c, const void* kernel, const grid_shape& g,
                     const void* parameters, const char* name) {
  launch_handle(c, handle_of(kernel, name), g, parameters, name);
}

}  // namespace numwarp::cuda_backend
