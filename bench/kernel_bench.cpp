// Kernels of one's own: a launch of a raw_kernel beside the driver's bare one, and formulas beside
// the library's own operations.
#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <numwarp/elementwise_kernel.hpp>
#include <numwarp/kernel.hpp>

#include "harness.hpp"

namespace {

using bench::large;
using bench::small;

// c = a + b for n elements.
const char* const add_ptx = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .s64 n) {
  .reg .pred %p;
  .reg .f32 %f<4>;
  .reg .b32 %r<4>;
  .reg .s64 %i<4>;
  .reg .b64 %at<8>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  cvt.u64.u32 %i1, %r1;
  ld.param.s64 %i2, [n];
  setp.ge.s64 %p, %i1, %i2;
  @%p bra done;
  shl.b64 %i3, %i1, 2;
  ld.param.u64 %at1, [a];
  ld.param.u64 %at2, [b];
  ld.param.u64 %at3, [c];
  add.s64 %at1, %at1, %i3;
  add.s64 %at2, %at2, %i3;
  add.s64 %at3, %at3, %i3;
  ld.global.f32 %f1, [%at1];
  ld.global.f32 %f2, [%at2];
  add.f32 %f3, %f1, %f2;
  st.global.f32 [%at3], %f3;
done:
  ret;
})";

// The driver's own interface, declared as its documentation does; a result of 0 is success.
class driver {
 public:
  driver() : library_(dlopen("libcuda.so.1", RTLD_NOW)) {
    load("cuModuleLoadData", module_load_);
    load("cuModuleGetFunction", get_function_);
    load("cuLaunchKernel", launch_);
    if (library_ && module_load_(&module_, add_ptx) == 0) get_function_(&add_, module_, "add");
  }
  bool good() const { return add_ != nullptr; }

  void launch(void* stream, const void* a, const void* b, const void* c, std::int64_t n) const {
    void* arguments[] = {&a, &b, &c, &n};
    if (launch_(add_, unsigned((n + 255) / 256), 1, 1, 256, 1, 1, 0, stream, arguments, nullptr) !=
        0)
      std::abort();
  }

 private:
  template <class F> void load(const char* name, F*& f) {
    if (library_) f = reinterpret_cast<F*>(dlsym(library_, name));
  }
  void* library_;
  int (*module_load_)(void**, const void*) = nullptr;
  int (*get_function_)(void**, void*, const char*) = nullptr;
  int (*launch_)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                 void**, void**) = nullptr;
  void *module_ = nullptr, *add_ = nullptr;
};

// 1024 elements: what a launch takes of the host's time.
void launches() {
  const std::int64_t n = 1024;
  const auto a = bench::values(n, 1), b = bench::values(n, 2), c = nw::zeros<float>(n);
  nw::synchronize();
  const auto bare = std::make_shared<driver>();
  if (bare->good()) {
    void* const stream = nw::current_stream().handle();
    // Addresses by sum's way: mutable_data() would expose the arrays to the cases below.
    const void *pa = a.data(), *pb = b.data(), *pc = c.data();
    small(
        "bare_launch_add_1024", [=] { bare->launch(stream, pa, pb, pc, n); }, 0);
  }
  const auto k = nw::raw_module::from_binary(add_ptx).get_function("add");
  small("raw_kernel_add_1024", [=] { k({(n + 255) / 256}, {256}, nw::in(a), nw::in(b), c, n); });
  const nw::elementwise_kernel formula("T x, T y", "T z", "z = x + y", "bench_add");
  small("elementwise_kernel_add_1024", [=] { formula(a, b, c); });
  small("add_out_1024", [=] { nw::add(a, b, {.out = c}); });
}

void formulas() {
  const int log2 = bench::log2_size();
  const std::int64_t n = std::int64_t(1) << log2;
  const std::string size = "_f32_" + bench::power_of_two(log2);
  const auto a = bench::values(n, 1), b = bench::values(n, 2);
  const double bytes = 4 * double(n);
  const nw::elementwise_kernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)",
                                            "squared_diff");
  large("elementwise_kernel_squared_diff" + size, {3 * bytes}, [=] { squared_diff(a, b); });
  large("square_of_difference" + size, {3 * bytes}, [=] { nw::square(a - b).compute(); });
  const nw::elementwise_kernel smooth("raw T x", "T y", "y = i > 0 ? (x[i - 1] + x[i]) / 2 : x[i]",
                                      "smooth");
  large("elementwise_kernel_raw" + size, {2 * bytes}, [=] { smooth.launch({.size = n}, a); });
  const nw::reduction_kernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");
  large("reduction_kernel_norm" + size, {bytes}, [=] { norm(a); });
  large("sum_of_squares" + size, {bytes}, [=] { nw::sum(a * a); });
  const auto m = a.reshape({n >> 14, 1 << 14});
  large("reduction_kernel_norm_axis0" + size, {bytes}, [=] { norm.launch({.axis = 0}, m); });
  large("sum_of_squares_axis0" + size, {bytes}, [=] { nw::sum(m * m, 0); });
}

const bench::group cases([] {
  if (nw::default_device().is_cpu()) return;  // kernels of one's own run on CUDA devices
  launches();
  formulas();
});

}  // namespace
