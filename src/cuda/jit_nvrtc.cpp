#include "cuda/jit_nvrtc.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numwarp/detail/function_calls.hpp>
#include <vector>

#include "embedded.inc"

namespace numwarp::cuda_backend {

namespace {

// NVRTC's C interface, as its documentation declares it; a result of 0 is success.
class nvrtc_library {
 public:
  using program = void*;
  int (*version)(int*, int*) = nullptr;
  int (*create)(program*, const char*, const char*, int, const char* const*,
                const char* const*) = nullptr;
  int (*compile)(program, int, const char* const*) = nullptr;
  int (*log_size)(program, std::size_t*) = nullptr;
  int (*log)(program, char*) = nullptr;
  int (*cubin_size)(program, std::size_t*) = nullptr;
  int (*cubin)(program, char*) = nullptr;
  int (*ptx_size)(program, std::size_t*) = nullptr;
  int (*ptx)(program, char*) = nullptr;
  int (*add_name)(program, const char*) = nullptr;
  int (*lowered_name)(program, const char*, const char**) = nullptr;
  int (*destroy)(program*) = nullptr;
  int (*arch_count)(int*) = nullptr;
  int (*archs)(int*) = nullptr;

  nvrtc_library() : handle_(open()) {
    load("nvrtcVersion", version);
    load("nvrtcCreateProgram", create);
    load("nvrtcCompileProgram", compile);
    load("nvrtcGetProgramLogSize", log_size);
    load("nvrtcGetProgramLog", log);
    load("nvrtcGetCUBINSize", cubin_size);
    load("nvrtcGetCUBIN", cubin);
    load("nvrtcGetPTXSize", ptx_size);
    load("nvrtcGetPTX", ptx);
    load("nvrtcAddNameExpression", add_name);
    load("nvrtcGetLoweredName", lowered_name);
    load("nvrtcDestroyProgram", destroy);
    load("nvrtcGetNumSupportedArchs", arch_count);
    load("nvrtcGetSupportedArchs", archs);
  }
  bool good() const { return handle_ && good_; }

 private:
  static void* open() {
    const char* given = std::getenv("NUMWARP_NVRTC");
    for (const char* name :
         {given, "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
          "/usr/local/cuda/lib64/libnvrtc.so", "/usr/local/cuda/lib/libnvrtc.so"}) {
      void* handle = name && *name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : nullptr;
      if (handle) return handle;
    }
    return nullptr;
  }
  template <class F> void load(const char* name, F*& function) {
    if (handle_) function = reinterpret_cast<F*>(dlsym(handle_, name));
    good_ = good_ && function;
  }
  void* handle_;
  bool good_ = true;
};

// Never closed: a compilation may be under way when the process ends.
const nvrtc_library& nvrtc() {
  static const nvrtc_library* const library = new nvrtc_library;
  return *library;
}

// The architecture to compile for: the device's own, or the newest that NVRTC knows, as PTX.
struct target {
  int arch;
  bool real;
};
target target_for(int arch) {
  int n = 0;
  if (nvrtc().arch_count(&n) != 0 || n <= 0) return {arch, true};
  std::vector<int> list(std::size_t(n), 0);
  nvrtc().archs(list.data());
  int best = 0;
  for (int a : list) {
    if (a == arch) return {arch, true};
    if (a < arch) best = std::max(best, a);
  }
  return best > 0 ? target{best, false} : target{arch, true};
}

std::string architecture(target t) {
  return (t.real ? "--gpu-architecture=sm_" : "--gpu-architecture=compute_") +
         std::to_string(t.arch);
}

std::vector<std::string> options_for(target t) {
  std::vector<std::string> list{architecture(t), "--std=c++20",
                                "--device-as-default-execution-space"};
  const std::string flags = NUMWARP_DEVICE_FLAGS;
  for (std::size_t at = 0; at < flags.size();) {
    const std::size_t end = std::min(flags.find('\n', at), flags.size());
    list.push_back(flags.substr(at, end - at));
    at = end + 1;
  }
  return list;
}

std::string text_of(int (*size)(void*, std::size_t*), int (*get)(void*, char*), void* program) {
  std::size_t n = 0;
  if (size(program, &n) != 0) return {};
  std::string text(n, '\0');
  if (n > 0 && get(program, text.data()) != 0) return {};
  return text;
}

}  // namespace

bool nvrtc_available() { return nvrtc().good(); }

int nvrtc_version() {
  int major = 0, minor = 0;
  if (!nvrtc_available() || nvrtc().version(&major, &minor) != 0) return 0;
  return major * 1000 + minor;
}

namespace {

compiled compile(const std::string& source, const char* file, target t,
                 const std::vector<std::string>& options,
                 const std::vector<std::string>& name_expressions) {
  compiled out;
  std::vector<const char*> names, texts, flags;
  for (const embedded& e : embedded_headers) {
    names.push_back(e.name);
    texts.push_back(e.text);
  }
  for (const std::string& o : options) flags.push_back(o.c_str());
  void* program = nullptr;
  if (nvrtc().create(&program, source.c_str(), file, int(names.size()), texts.data(),
                     names.data()) != 0) {
    out.log = "nvrtcCreateProgram failed";
    return out;
  }
  for (const std::string& e : name_expressions) nvrtc().add_name(program, e.c_str());
  const int failed = nvrtc().compile(program, int(flags.size()), flags.data());
  out.log = text_of(nvrtc().log_size, nvrtc().log, program);
  if (failed == 0) {
    out.code = t.real ? text_of(nvrtc().cubin_size, nvrtc().cubin, program)
                      : text_of(nvrtc().ptx_size, nvrtc().ptx, program);
    for (const std::string& e : name_expressions) {
      const char* lowered = nullptr;
      nvrtc().lowered_name(program, e.c_str(), &lowered);
      out.lowered.emplace_back(lowered ? lowered : "");
    }
  }
  nvrtc().destroy(&program);
  return out;
}

bool chooses_standard(const std::string& option) {
  return option.starts_with("-std") || option.starts_with("--std");
}

// Where <cuda_fp16.h> and its kind lie; from CUDA 13 on, <cuda/std/...> in a folder of their own.
const std::vector<std::string>& toolkit_headers() {
  static const auto* const list = [] {
    std::string root = "/usr/local/cuda";
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
      if (const char* given = std::getenv(variable); given && *given) root = given;
    }
    return new std::vector<std::string>{"-I" + root + "/include", "-I" + root + "/include/cccl"};
  }();
  return *list;
}

}  // namespace

compiled compile_kernel(const std::string& source, int arch,
                        const std::vector<std::string>* user_options) {
  if (!nvrtc_available()) return {{}, "NVRTC is not installed", {}};
  const target t = target_for(arch);
  std::vector<std::string> list = options_for(t);
  if (user_options) {
    for (const auto* more : {user_options, &toolkit_headers()})
      list.insert(list.end(), more->begin(), more->end());
  }
  return compile(source, "fused.cu", t, list, {});
}

compiled compile_source(const std::string& source, int arch,
                        const std::vector<std::string>& options,
                        const std::vector<std::string>& name_expressions, const std::string& file) {
  if (!nvrtc_available()) return {{}, "NVRTC is not installed", {}};
  const target t = target_for(arch);
  std::vector<std::string> list = toolkit_headers();
  list.push_back(architecture(t));
  list.push_back("--device-as-default-execution-space");  // the core has functions of neither side
  if (std::none_of(options.begin(), options.end(), chooses_standard)) list.push_back("--std=c++20");
  list.insert(list.end(), options.begin(), options.end());
  return compile(source, file.c_str(), t, list, name_expressions);
}

std::string compiler_identity(int arch) {
  static const std::uint64_t headers = [] {
    std::uint64_t h = detail::hash_start;
    for (const embedded& e : embedded_headers)
      h = detail::hash_text(e.text, detail::hash_text(e.name, h));
    return h;
  }();
  // Without NVRTC, kernels that the one of this toolkit made are as good as the unfused ones.
  constexpr int built_with = CUDART_VERSION / 1000 * 1000 + CUDART_VERSION % 1000 / 10;
  const int version = nvrtc_available() ? nvrtc_version() : built_with;
  return "arch " + std::to_string(arch) + " nvrtc " + std::to_string(version) + " headers " +
         std::to_string(headers) + " flags " + NUMWARP_DEVICE_FLAGS + '\n';
}

}  // namespace numwarp::cuda_backend
