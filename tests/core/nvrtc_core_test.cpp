// Every op for every dtype it is defined on, and every cast, compiled by NVRTC for sm_90: the core
// as fused kernels see it. Needs no GPU. NVRTC is loaded by name, so that the test is built
// everywhere; where it is not installed the test is skipped.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <numwarp/dtype.hpp>
#include <string>
#include <vector>

namespace {

// TAG is the dtype. An op that computes in another one is called there.
constexpr char source[] = R"(
#include <numwarp/core/cast.hpp>
#include <numwarp/core/ops.hpp>
using namespace numwarp;
using namespace numwarp::core;
using T = type_at<TAG>;

template <class Op>
__device__ void call(const char* a, const char* b, const char* c, char* r) {
  if constexpr (compute_tag<Op, dtype(TAG)> == TAG) {
    using R = type_at<int(result_dtype<Op, dtype(TAG)>)>;
    const T x = *(const T*)a, y = *(const T*)b;
    if constexpr (Op::arity == 1) {
      *(R*)r = Op::call(x);
    } else if constexpr (Op::arity == 2) {
      *(R*)r = Op::call(x, y);
    } else {
      *(R*)r = Op::template call<T>(*(const typename Op::template first<T>*)c, x, y);
    }
  }
}

#define NW_UNARY(name, rule, ...)                                                            \
  extern "C" __global__ void op_##name(const char* a, const char* b, const char* c, char* r) { \
    call<op::name>(a, b, c, r);                                                              \
  }
#define NW_BINARY(name, rule, ...) NW_UNARY(name, rule)
#define NW_TERNARY(name, rule, ...) NW_UNARY(name, rule)
#include <numwarp/core/ops.def>

#define NW_DTYPE(tag, type, name, kind, npy)                                \
  extern "C" __global__ void cast_to_##tag(const char* a, char* r) {        \
    *(type*)r = cast<type>(*(const T*)a);                                   \
  }
#include <numwarp/core/dtypes.def>
)";

// NVRTC's C interface, as its documentation declares it; a result of 0 is success.
struct nvrtc_library {
  using program = void*;

  explicit nvrtc_library(void* handle) {
    load(handle, "nvrtcCreateProgram", create);
    load(handle, "nvrtcCompileProgram", compile);
    load(handle, "nvrtcGetProgramLogSize", log_size);
    load(handle, "nvrtcGetProgramLog", log);
    load(handle, "nvrtcGetCUBINSize", cubin_size);
    load(handle, "nvrtcDestroyProgram", destroy);
  }
  template <class F> static void load(void* handle, const char* name, F*& function) {
    function = reinterpret_cast<F*>(dlsym(handle, name));
  }

  int (*create)(program*, const char*, const char*, int, const char* const*, const char* const*);
  int (*compile)(program, int, const char* const*);
  int (*log_size)(program, std::size_t*);
  int (*log)(program, char*);
  int (*cubin_size)(program, std::size_t*);
  int (*destroy)(program*);
};

void* open_nvrtc() {
  const char* given = std::getenv("NUMWARP_NVRTC");
  for (const char* name : {given, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                           "/usr/local/cuda/lib64/libnvrtc.so"}) {
    void* handle = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (handle) return handle;
  }
  return nullptr;
}

void compile_for(const nvrtc_library& nvrtc, numwarp::dtype type) {
  const std::string options[] = {"--gpu-architecture=sm_90",
                                 "--std=c++20",
                                 "--fmad=false",
                                 "--device-as-default-execution-space",
                                 "-I" NUMWARP_GOLDEN_DIR "/../../include",
                                 "-DTAG=" + std::to_string(int(type))};
  std::vector<const char*> texts;
  for (const std::string& option : options) texts.push_back(option.c_str());
  nvrtc_library::program program = nullptr;
  ASSERT_EQ(nvrtc.create(&program, source, "core.cu", 0, nullptr, nullptr), 0);
  const int failed = nvrtc.compile(program, int(texts.size()), texts.data());
  std::size_t size = 0;
  nvrtc.log_size(program, &size);
  std::string log(size, '\0');
  nvrtc.log(program, log.data());
  EXPECT_TRUE(failed == 0 && log.size() <= 1) << numwarp::name(type) << ": " << log.substr(0, 3000);
  nvrtc.cubin_size(program, &size);
  EXPECT_GT(size, 1000u);
  nvrtc.destroy(&program);
}

TEST(core, compiles_by_nvrtc_for_every_op_and_dtype) {
  void* handle = open_nvrtc();
  if (!handle) GTEST_SKIP() << "NVRTC is not installed";
  const nvrtc_library nvrtc(handle);
  for (int tag = 0; tag < numwarp::dtype_count; ++tag) compile_for(nvrtc, numwarp::dtype(tag));
}

}  // namespace
