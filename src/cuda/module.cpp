#include "cuda/module.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <numwarp/error.hpp>
#include <set>
#include <vector>

#include "cuda/backend.hpp"
#include "cuda/error.hpp"
#include "cuda/image.hpp"
#include "cuda/jit_nvrtc.hpp"
#include "cuda/stream.hpp"
#include "runtime/capture.hpp"
#include "runtime/node.hpp"

namespace numwarp::cuda_backend {

namespace {

// For reports of faults, which may come after the kernel is gone.
const char* kept_for_ever(const std::string& text) {
  static std::mutex mutex;
  static auto* const texts = new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return texts->insert(text).first->c_str();
}

int attribute_of(int device, cudaDeviceAttr what) {
  int v = 0;
  check(cudaDeviceGetAttribute(&v, what, device), "cudaDeviceGetAttribute");
  return v;
}

std::string to_text(const numwarp::dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

// What a launch may ask of the device and of the kernel, asked once.
struct launch_limits {
  numwarp::dim3 grid, block;
  bool cooperative = false, clusters = false;
  int threads = 0;       // a block, by the kernel's registers
  int plain_shared = 0;  // dynamic shared memory that needs no asking
  int most_shared = 0;

  launch_limits(int device, const cudaFuncAttributes& a)
      : grid(attribute_of(device, cudaDevAttrMaxGridDimX),
             attribute_of(device, cudaDevAttrMaxGridDimY),
             attribute_of(device, cudaDevAttrMaxGridDimZ)),
        block(attribute_of(device, cudaDevAttrMaxBlockDimX),
              attribute_of(device, cudaDevAttrMaxBlockDimY),
              attribute_of(device, cudaDevAttrMaxBlockDimZ)),
        cooperative(attribute_of(device, cudaDevAttrCooperativeLaunch) != 0),
        clusters(attribute_of(device, cudaDevAttrClusterLaunch) != 0),
        threads(a.maxThreadsPerBlock),
        plain_shared(attribute_of(device, cudaDevAttrMaxSharedMemoryPerBlock) -
                     int(a.sharedSizeBytes)),
        most_shared(attribute_of(device, cudaDevAttrMaxSharedMemoryPerBlockOptin) -
                    int(a.sharedSizeBytes)) {}

  static bool within(const numwarp::dim3& d, const numwarp::dim3& most) {
    return d.count() > 0 && d.x <= most.x && d.y <= most.y && d.z <= most.z;
  }
  void check_launch(const std::string& call, const launch_options& o) const {
    if (!within(o.grid, grid)) {
      throw value_error(call + ": a grid of " + to_text(o.grid) +
                        " blocks; the device takes 1 to " + to_text(grid));
    }
    if (!within(o.block, block) || o.block.count() > std::uint64_t(threads)) {
      throw value_error(call + ": a block of " + to_text(o.block) +
                        " threads; this kernel takes 1 to " + std::to_string(threads) +
                        " of them, at most " + to_text(block));
    }
    if (o.shared_bytes < 0 || o.shared_bytes > most_shared) {
      throw value_error(call + ": " + std::to_string(o.shared_bytes) +
                        " bytes of dynamic shared memory; this kernel takes 0 to " +
                        std::to_string(most_shared));
    }
    if (o.cooperative && !cooperative)
      throw device_error(call + ": the device has no cooperative launches");
    if (asks_for_clusters(o)) check_cluster(call, o);
  }
  static bool asks_for_clusters(const launch_options& o) { return o.cluster.count() != 1; }
  void check_cluster(const std::string& call, const launch_options& o) const {
    if (!clusters) throw device_error(call + ": the device has no clusters of blocks");
    const numwarp::dim3 &g = o.grid, &c = o.cluster;
    if (c.count() == 0 || g.x % c.x != 0 || g.y % c.y != 0 || g.z % c.z != 0) {
      throw value_error(call + ": a grid of " + to_text(g) +
                        " blocks does not divide into clusters of " + to_text(c));
    }
  }
};

// The sizes of a kernel's parameters, in their order.
std::vector<std::size_t> parameter_sizes(cudaKernel_t kernel) {
  std::vector<std::size_t> sizes;
  std::size_t offset = 0, bytes = 0;
  while (cudaFuncGetParamInfo(kernel, sizes.size(), &offset, &bytes) == cudaSuccess)
    sizes.push_back(bytes);
  (void)cudaGetLastError();
  return sizes;
}

class cuda_kernel final : public runtime::device_kernel {
 public:
  cuda_kernel(std::string called, std::shared_ptr<runtime::device_module> module,
              cudaKernel_t kernel, const cudaFuncAttributes& facts)
      : device_kernel(std::move(called), module->where),
        module_(std::move(module)),
        kernel_(kernel),
        remembered_(kept_for_ever(label)),
        facts_(facts),
        limits_(where.index(), facts_),
        sizes_(parameter_sizes(kernel)) {}

  void launch(const launch_options& o, std::span<void* const> arguments,
              std::span<const std::size_t> bytes) const override {
    check_arguments(bytes);
    limits_.check_launch(label, o);
    const device_scope scope(where.index());
    if (o.shared_bytes > limits_.plain_shared) allow_shared(int(o.shared_bytes));
    if (o.cluster.count() > portable_cluster) allow_large_clusters();
    auto& queue = static_cast<cuda_queue&>(*runtime::current_queue(where));
    queue.note(remembered_);
    const cudaError_t code = put_on(queue.stream(), o, const_cast<void**>(arguments.data()));
    if (code != cudaSuccess) refuse(code, o);
    queue.check(code, remembered_);
    if (auto* c = runtime::capture::on(&queue)) {
      c->keep(module_);  // launches of the graph come later
    } else if (detail::debug_mode()) {
      queue.synchronize();
    }
  }

  kernel_attributes attributes() const override {
    return {facts_.numRegs,
            facts_.maxThreadsPerBlock,
            std::int64_t(facts_.sharedSizeBytes),
            std::int64_t(facts_.localSizeBytes),
            std::int64_t(facts_.constSizeBytes),
            limits_.most_shared};
  }

  int suggested_block_size(std::int64_t shared_bytes) const override {
    int best = 0, most = 0;
    for (int size = facts_.maxThreadsPerBlock / 32 * 32; size > 0; size -= 32) {
      const int running = size * max_active_blocks(size, shared_bytes);
      if (running > most) {
        most = running;
        best = size;
      }
    }
    return best;
  }

  int max_active_blocks(int block_size, std::int64_t shared_bytes) const override {
    limits_.check_launch(label, {.block = {block_size}, .shared_bytes = shared_bytes});
    const device_scope scope(where.index());
    if (shared_bytes > limits_.plain_shared) allow_shared(int(shared_bytes));
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, block_size,
                                                        std::size_t(shared_bytes)),
          remembered_);
    return blocks;
  }

 private:
  static constexpr std::uint64_t portable_cluster =
      8;  // blocks that every device with clusters has

  // What only the launch itself finds out.
  void refuse(cudaError_t code, const launch_options& o) const {
    const bool clusters = launch_limits::asks_for_clusters(o) && !is_fatal(code);
    if (!clusters && code != cudaErrorCooperativeLaunchTooLarge) return;
    (void)cudaGetLastError();
    throw value_error(label + (clusters ? ": the device takes no clusters of " + to_text(o.cluster)
                                        : ": blocks of a cooperative launch run at once; the "
                                          "device has no room for " +
                                              to_text(o.grid) + " of them"));
  }

  // The largest size so far stays allowed.
  void allow_shared(int bytes) const {
    const std::lock_guard lock(mutex_);
    if (bytes <= allowed_shared_) return;
    check(cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          remembered_);
    allowed_shared_ = bytes;
  }

  void allow_large_clusters() const {
    check(cudaFuncSetAttribute(kernel_, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          remembered_);
  }

  cudaError_t put_on(cudaStream_t stream, const launch_options& o, void** arguments) const {
    const ::dim3 grid{o.grid.x, o.grid.y, o.grid.z}, block{o.block.x, o.block.y, o.block.z};
    if (!o.cooperative && !launch_limits::asks_for_clusters(o))
      return launch_kernel(kernel_, grid, block, std::size_t(o.shared_bytes), stream, arguments);
    cudaLaunchAttribute attributes[2];
    const cudaLaunchConfig_t config = configure(o, stream, attributes);
    return cudaLaunchKernelExC(&config, kernel_, arguments);
  }

  static cudaLaunchConfig_t configure(const launch_options& o, cudaStream_t stream,
                                      cudaLaunchAttribute (&attributes)[2]) {
    cudaLaunchConfig_t config{};
    config.gridDim = {o.grid.x, o.grid.y, o.grid.z};
    config.blockDim = {o.block.x, o.block.y, o.block.z};
    config.dynamicSmemBytes = std::size_t(o.shared_bytes);
    config.stream = stream;
    config.attrs = attributes;
    if (o.cooperative) {
      auto& a = attributes[config.numAttrs++];
      a.id = cudaLaunchAttributeCooperative;
      a.val.cooperative = 1;
    }
    if (launch_limits::asks_for_clusters(o)) {
      auto& a = attributes[config.numAttrs++];
      a.id = cudaLaunchAttributeClusterDimension;
      a.val.clusterDim.x = o.cluster.x;
      a.val.clusterDim.y = o.cluster.y;
      a.val.clusterDim.z = o.cluster.z;
    }
    return config;
  }

  void check_arguments(std::span<const std::size_t> bytes) const {
    if (bytes.size() != sizes_.size()) {
      throw type_error(label + ": takes " + std::to_string(sizes_.size()) + " arguments, got " +
                       std::to_string(bytes.size()));
    }
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (bytes[i] == sizes_[i]) continue;
      throw type_error(label + ": argument " + std::to_string(i) + " has " +
                       std::to_string(sizes_[i]) + " bytes, got a value of " +
                       std::to_string(bytes[i]));
    }
  }

  const std::shared_ptr<runtime::device_module> module_;
  const cudaKernel_t kernel_;
  const char* const remembered_;
  const cudaFuncAttributes facts_;
  const launch_limits limits_;
  const std::vector<std::size_t> sizes_;
  mutable std::mutex mutex_;
  mutable int allowed_shared_ = 0;
};

// What the driver answers where a module has no such name.
bool is_not_found(cudaError_t code) {
  return code == cudaErrorSymbolNotFound || code == cudaErrorInvalidSymbol ||
         code == cudaErrorInvalidDeviceFunction || code == cudaErrorInvalidValue;
}

class cuda_module final : public runtime::device_module {
 public:
  cuda_module(int device, const std::string& code, std::string called,
              std::vector<std::string> names, std::vector<std::string> lowered)
      : device_module(numwarp::cuda(device)),
        called_(std::move(called)),
        names_(std::move(names)),
        lowered_(std::move(lowered)) {
    const device_scope scope(device);
    check(cudaLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          called_.c_str());
  }
  // Kernels that still run are waited for: the driver takes their code away.
  ~cuda_module() override {
    try {
      const device_scope scope(where.index());
      wait_for_streams(where.index());
      (void)cudaLibraryUnload(library_);
      (void)cudaGetLastError();
    } catch (...) {  // the driver has gone before us
    }
  }

  std::shared_ptr<runtime::device_kernel> function(const std::string& name) override {
    const device_scope scope(where.index());
    cudaKernel_t kernel = nullptr;
    if (!found(cudaLibraryGetKernel(&kernel, library_, lowered(name).c_str()))) {
      throw value_error("get_function: no kernel '" + name + "' in the module; it has " +
                        kernel_names());
    }
    cudaFuncAttributes facts{};
    check(cudaFuncGetAttributes(&facts, kernel), called_.c_str());
    return std::make_shared<cuda_kernel>(name, shared_from_this(), kernel, facts);
  }

  runtime::device_symbol global(const std::string& name) override {
    const device_scope scope(where.index());
    runtime::device_symbol s;
    if (!found(cudaLibraryGetGlobal(&s.data, &s.bytes, library_, lowered(name).c_str()))) {
      throw value_error("get_global: no variable '" + name + "' in the module");
    }
    return s;
  }

 private:
  // The driver reads a binary when it must: a look-up may be the first that its faults show in.
  bool found(cudaError_t code) const {
    if (!is_not_found(code)) {
      check(code, called_.c_str());
      return true;
    }
    (void)cudaGetLastError();
    return false;
  }

  std::string lowered(const std::string& name) const {
    const auto at = std::find(names_.begin(), names_.end(), name);
    return at == names_.end() ? name : lowered_[std::size_t(at - names_.begin())];
  }

  std::string kernel_names() const {
    unsigned n = 0;
    if (cudaLibraryGetKernelCount(&n, library_) != cudaSuccess) n = 0;
    std::vector<cudaKernel_t> kernels(n);
    if (n > 0 && cudaLibraryEnumerateKernels(kernels.data(), n, library_) != cudaSuccess)
      kernels.clear();
    std::string text;
    for (cudaKernel_t k : kernels) {
      const char* name = nullptr;
      if (cudaFuncGetName(&name, k) != cudaSuccess || !name) continue;
      text += (text.empty() ? "" : ", ") + std::string(name);
    }
    (void)cudaGetLastError();
    return text.empty() ? "none" : text;
  }

  cudaLibrary_t library_ = nullptr;
  const std::string called_;  // in messages about the binary
  const std::vector<std::string> names_, lowered_;
};

}  // namespace

std::shared_ptr<runtime::device_module> compile_module(int device, int arch,
                                                       const std::string& source,
                                                       const module_options& o) {
  if (!nvrtc_available()) {
    throw device_error("raw_module: NVRTC, which compiles the source, is not installed");
  }
  compiled made = compile_source(source, arch, o.options, o.name_expressions, o.file_name);
  if (made.code.empty())
    throw compile_error("raw_module: the source does not compile\n" + made.log);
  return std::make_shared<cuda_module>(device, made.code, "raw_module", o.name_expressions,
                                       std::move(made.lowered));
}

std::shared_ptr<runtime::device_module> load_module(int device, const std::string& binary,
                                                    const std::string& called) {
  if (const std::uint64_t claimed = bytes_claimed(binary); claimed > binary.size()) {
    throw cuda_error(called + ": the binary is cut off: its headers speak of " +
                     std::to_string(claimed) + " bytes, and there are " +
                     std::to_string(binary.size()));
  }
  return std::make_shared<cuda_module>(device, binary, called, std::vector<std::string>(),
                                       std::vector<std::string>());
}

}  // namespace numwarp::cuda_backend
