// The CPU behind the seam. Everything runs before it returns.
#include "runtime/backend.hpp"

#include <cstring>
#include <new>
#include <numwarp/error.hpp>

#include "cpu/host_memory.hpp"
#include "cpu/kernels.hpp"
#include "cpu/loops_ops.hpp"
#include "runtime/memory.hpp"

namespace numwarp {

namespace cpu_backend {

isa best_isa() {
#if defined(__x86_64__)
  static const isa best = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                  __builtin_cpu_supports("bmi2")
                              ? isa::v3
                              : isa::base;
  return best;
#else
  return isa::base;
#endif
}

loop op_loop(core::op_code op, dtype compute) {
  switch (core::op_arity(op)) {
    case 1:
      return unary_loop(op, compute);
    case 2:
      return binary_loop(op, compute);
    default:
      return ternary_loop(op, compute);
  }
}

}  // namespace cpu_backend

namespace runtime {

namespace {

class host_backend final : public backend {
 public:
  device where() const override { return cpu; }
  device_properties properties() const override {
    device_properties p;
    p.name = "cpu";
    p.multiprocessors = get_num_threads();
    p.total_memory = host_pool().device_memory().total;
    return p;
  }

  pool& memory() override { return host_pool(); }
  std::unique_ptr<upstream> new_upstream(memory_kind, std::int64_t) override {
    return host_upstream();
  }

  void upload(void* to, const void* from, std::int64_t bytes, bool) override {
    std::memcpy(to, from, std::size_t(bytes));
  }
  void download(void* to, const void* from, std::int64_t bytes, bool) override {
    std::memcpy(to, from, std::size_t(bytes));
  }
  void copy(void* to, const backend&, const void* from, std::int64_t bytes) override {
    std::memcpy(to, from, std::size_t(bytes));
  }

  void run(const plan::elementwise& p) override { cpu_backend::run_elementwise(p); }
  void run(const plan::copies& p) override {
    for (const plan::elementwise& copy : p.list) cpu_backend::run_elementwise(copy);
  }
  void run(const plan::reduction& p) override { cpu_backend::run_reduction(p); }
  void run(const plan::matmul& p) override { cpu_backend::run_matmul(p); }
  void run(const plan::random& p) override { cpu_backend::run_random(p); }
  void run(const plan::indexed& p) override { cpu_backend::run_indexed(p); }
  void run(const plan::indexed_update& p) override { cpu_backend::run_indexed_update(p); }

  true_places find_true(const bool* mask, std::int64_t n) override {
    return {cpu_backend::count_true(mask, n), nullptr};
  }
  void true_indices(std::int64_t* to, const bool* mask, std::int64_t n,
                    const true_places&) override {
    cpu_backend::true_indices(to, mask, n);
  }
  void gather_true(void* to, const void* from, const bool* mask, std::int64_t n,
                   std::int64_t row_bytes, const true_places&) override {
    cpu_backend::gather_true(static_cast<char*>(to), static_cast<const char*>(from), mask, n,
                             row_bytes);
  }
  void scatter_true(void* to, const void* from, const bool* mask, std::int64_t n,
                    std::int64_t row_bytes, const true_places&) override {
    cpu_backend::scatter_true(static_cast<char*>(to), static_cast<const char*>(from), mask, n,
                              row_bytes);
  }

  void synchronize() override {}
};

}  // namespace

std::unique_ptr<backend> make_cpu_backend() { return std::make_unique<host_backend>(); }

}  // namespace runtime
}  // namespace numwarp
