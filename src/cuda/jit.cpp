#include "cuda/jit.hpp"

#include <cuda_runtime_api.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <numwarp/error.hpp>
#include <thread>
#include <unordered_map>

#include "cuda/jit_nvrtc.hpp"
#include "cuda/registry.hpp"
#include "runtime/backend.hpp"
#include "runtime/capture.hpp"
#include "runtime/cuda_entry.hpp"
#include "runtime/kernel_cache.hpp"

namespace numwarp::cuda_backend {

namespace {

enum class jit_mode { async, sync, off };

jit_mode mode() {
  static const jit_mode given = [] {
    const char* v = std::getenv("NUMWARP_JIT");
    const std::string text = v ? v : "";
    return text == "off" ? jit_mode::off : text == "sync" ? jit_mode::sync : jit_mode::async;
  }();
  return given == jit_mode::async && runtime::compiles_at_once() ? jit_mode::sync : given;
}

using runtime::count_jit;
using runtime::jit_event;

int arch_of(int device) {
  thread_local int known_device = -1, known_arch = 0;
  if (device != known_device) {
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    known_device = device;
    known_arch = major * 10 + minor;
  }
  return known_arch;
}

// The one kernel of a compiled text, or null.
const void* load_code(const std::string& code) {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  if (cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) ==
          cudaSuccess &&
      cudaLibraryEnumerateKernels(&kernel, 1, library) == cudaSuccess) {
    return kernel;
  }
  cudaGetLastError();
  return nullptr;
}

// Compiles and loads kernels, in a thread of its own or in the caller's. Never destroyed: the
// thread may hold it when static objects go.
class compiler {
 public:
  static compiler& get() {
    static compiler* const one = new compiler;
    return *one;
  }

  fused_kernel& find(const std::string& key, const std::function<void(fused_kernel&)>& fill) {
    const std::lock_guard lock(mutex_);
    auto& slot = kernels_[key];
    if (!slot) {
      auto made = std::make_unique<fused_kernel>();
      fill(*made);
      slot = std::move(made);
    }
    return *slot;
  }

  void build_now(fused_kernel& k) {
    const std::lock_guard lock(build_mutex_);
    if (k.state.load(std::memory_order_acquire) < fused_kernel::ready) build(k);
  }

  void enqueue(fused_kernel& k) {
    int expected = fused_kernel::fresh;
    if (!k.state.compare_exchange_strong(expected, fused_kernel::queued)) return;
    const std::lock_guard lock(mutex_);
    if (stop_) return;
    queue_.push_back(&k);
    join_before_statics_go();
    if (!worker_.joinable()) start();
    work_.notify_one();
  }

  void wait() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [&] { return (queue_.empty() && !busy_) || stop_; });
  }

 private:
  // NVRTC is loaded before the exit handler is registered, so that it is still there when the
  // handler waits for the thread. Called under the lock.
  void start() {
    nvrtc_available();
    owner_ = getpid();
    worker_ = std::thread([this] { loop(); });
    std::atexit([] { get().finish(); });
  }

  // NVRTC and this file make static objects during the first compilation, later than start()
  // registers its handler, so they would go before the handler waits for the thread. The main
  // thread's thread_local objects go earlier still; the handler serves programs whose main thread
  // never gets here.
  static void join_before_statics_go() {
    struct joiner {
      const bool main_thread = getpid() == gettid();
      ~joiner() {
        if (main_thread) get().finish();
      }
    };
    thread_local joiner of_thread;
    (void)of_thread.main_thread;
  }

  // At the end of the process: at most the compilation under way is waited for. A forked child has
  // no such thread.
  void finish() {
    if (getpid() != owner_) return;
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      work_.notify_all();
      idle_.notify_all();
    }
    if (worker_.joinable()) worker_.join();
  }

  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [&] { return stop_ || !queue_.empty(); });
      if (stop_) return;
      fused_kernel* k = queue_.front();
      queue_.pop_front();
      busy_ = true;
      lock.unlock();
      cudaSetDevice(k->device);
      build_now(*k);
      lock.lock();
      busy_ = false;
      idle_.notify_all();
    }
  }

  // Under build_mutex_.
  void build(fused_kernel& k) {
    try {
      k.handle = load_or_compile(k);
    } catch (...) {
      k.handle = nullptr;
    }
    if (!k.handle) count_jit(jit_event::failure);
    k.state.store(k.handle ? fused_kernel::ready : fused_kernel::failed, std::memory_order_release);
  }

  const void* load_or_compile(fused_kernel& k) {
    const auto disk = runtime::current_kernel_cache();
    std::string key = compiler_identity(k.arch) + without_places(k.source);
    if (k.user_options) {
      for (const auto& o : *k.user_options) key += '\n' + o;
    }
    if (const auto stored = k.on_disk ? disk->find(key) : std::nullopt) {
      if (const void* handle = load_code(*stored)) {
        count_jit(jit_event::disk_hit);
        return handle;
      }
    }
    if (!nvrtc_available()) return nullptr;
    compiled made = compile_kernel(k.source, k.arch, k.user_options ? &*k.user_options : nullptr);
    if (made.code.empty()) {
      k.log = std::move(made.log);
      return nullptr;
    }
    count_jit(jit_event::compile);
    const void* handle = load_code(made.code);
    if (handle && k.on_disk) disk->store(key, made.code);
    return handle;
  }

  std::mutex mutex_, build_mutex_;
  std::condition_variable work_, idle_;
  std::unordered_map<std::string, std::unique_ptr<fused_kernel>> kernels_;
  std::deque<fused_kernel*> queue_;
  std::thread worker_;
  pid_t owner_ = 0;
  bool stop_ = false, busy_ = false;
};

}  // namespace

fused_kernel& find_fused(const launch_context& c, std::string key,
                         const std::function<void(fused_kernel&)>& fill) {
  thread_local std::unordered_map<std::string, fused_kernel*> seen;
  const int arch = arch_of(c.device);
  key += char(arch);
  const auto found = seen.find(key);
  if (found != seen.end()) return *found->second;
  fused_kernel& k = compiler::get().find(key, [&](fused_kernel& made) {
    fill(made);
    made.arch = arch;
    made.device = c.device;
  });
  seen.emplace(std::move(key), &k);
  return k;
}

namespace {

// Whoever asks for a ready handle launches it.
const void* launched(const fused_kernel& k) {
  count_jit(jit_event::launch);
  return k.handle;
}

}  // namespace

const void* build_handle(fused_kernel& k) {
  if (mode() == jit_mode::off) return nullptr;
  compiler::get().build_now(k);
  return k.state.load(std::memory_order_acquire) == fused_kernel::ready ? launched(k) : nullptr;
}

const void* demand_handle(fused_kernel& k, const char* name) {
  if (k.state.load(std::memory_order_acquire) < fused_kernel::ready) compiler::get().build_now(k);
  if (k.state.load(std::memory_order_acquire) == fused_kernel::ready) return launched(k);
  if (!nvrtc_available()) {
    throw device_error(std::string(name) + ": NVRTC, which compiles the source, is not installed");
  }
  throw compile_error(std::string(name) + ": the source does not compile\n" + k.log);
}

const void* ready_handle(fused_kernel& k) {
  const int state = k.state.load(std::memory_order_acquire);
  if (state == fused_kernel::ready) {
    count_jit(jit_event::memory_hit);
    return launched(k);
  }
  // A graph would keep the statement's single steps for ever.
  const bool at_once = mode() == jit_mode::sync || runtime::capture::of_thread();
  if (state != fused_kernel::failed && mode() != jit_mode::off && at_once) {
    compiler::get().build_now(k);
    if (k.state.load(std::memory_order_acquire) == fused_kernel::ready) return launched(k);
  } else if (state == fused_kernel::fresh && mode() == jit_mode::async) {
    compiler::get().enqueue(k);
  }
  count_jit(jit_event::unfused);
  return nullptr;
}

void fill_constants(const functor_text& f, const plan::program& program, std::uint64_t* slots) {
  for (int i : f.constant_steps) {
    const plan::step& s = program.steps[std::size_t(i)];
    const int n = itemsize(s.type) > 8 ? 2 : 1;
    std::memcpy(slots, s.value.bytes, std::size_t(n) * 8);
    slots += n;
  }
}

namespace {

using store_list = plan::small_vector<stored_value, 1>;

store_list stores_of(const plan::elementwise& p) {
  store_list list;
  for (const auto& o : p.outputs) list.push_back({o.step, o.type});
  return list;
}

fused_kernel& known_kernel(const launch_context& c, const plan::elementwise& p) {
  const store_list list = stores_of(p);
  const std::span<const stored_value> stored(list.data(), list.size());
  const auto fill = [&](fused_kernel& made) {
    made.functor = write_functor(*p.program, stored);
    made.width = fused_width(made.functor, int(made.functor.inputs.size() + stored.size()));
    made.source = elementwise_source(made.functor, int(stored.size()), made.width);
  };
  // By reference: a function object of that size would be allocated at every launch.
  return find_fused(c, program_key(*p.program, stored), std::ref(fill));
}

// The kernel of a statement that this thread launched lately, by its steps: who repeats a statement
// need not write its key again. Without a destructor, for threads that compute while they end.
struct recent_kernel {
  static constexpr std::size_t most_steps = 12;
  fused_kernel* kernel;
  int arch;
  stored_value stored;
  std::size_t size;
  unsigned char steps[most_steps * sizeof(plan::step)];

  bool is(int a, const plan::program& p, stored_value s) const {
    return kernel && arch == a && stored.step == s.step && stored.type == s.type &&
           size == p.steps.size() && std::memcmp(steps, p.steps.data(), bytes(p)) == 0;
  }
  static std::size_t bytes(const plan::program& p) { return p.steps.size() * sizeof(plan::step); }
  static std::size_t place(const plan::program& p) {
    std::uint64_t h = p.steps.size();
    for (const plan::step& s : p.steps) {
      std::uint64_t head;
      std::memcpy(&head, &s, sizeof head);
      h = (h ^ head) * 0x9e3779b97f4a7c15u;
    }
    return h >> 59;
  }
};
thread_local constinit recent_kernel recent[32]{};

fused_kernel& kernel_for(const launch_context& c, const plan::elementwise& p) {
  const plan::program& body = *p.program;
  if (p.outputs.size() != 1 || body.steps.size() > recent_kernel::most_steps) {
    return known_kernel(c, p);
  }
  const stored_value stored{p.outputs[0].step, p.outputs[0].type};
  const int arch = arch_of(c.device);
  recent_kernel& r = recent[recent_kernel::place(body)];
  if (!r.is(arch, body, stored)) {
    r = {&known_kernel(c, p), arch, stored, body.steps.size(), {}};
    std::memcpy(r.steps, body.steps.data(), recent_kernel::bytes(body));
  }
  return *r.kernel;
}

void launch_fused(const launch_context& c, const plan::elementwise& p, std::int64_t index_base,
                  const fused_kernel& k, const void* handle) {
  const functor_text& f = k.functor;
  plan::small_vector<source, 8> sources;
  for (int i : f.inputs) {
    const plan::view& v = p.inputs[std::size_t(i)];
    sources.push_back({v.data, &v.strides, v.type, nullptr});
  }
  for (const auto& o : p.outputs) sources.push_back({o.data, &o.strides, o.type, nullptr});
  elementwise_launch l;
  lay_out(l, p.shape, sources, k.width, f.uses_index);
  l.head().index_base = index_base;
  l.head().errors = static_cast<core::error_record*>(c.error_slot);
  l.head().where = reinterpret_cast<std::uintptr_t>(p.name);
  fill_constants(f, *p.program, l.constants(int(sources.size())));
  launch_handle(c, handle, l.grid, l.parameters(), p.name);
}

}  // namespace

bool run_fused(const launch_context& c, const plan::elementwise& p, std::int64_t index_base) {
  if (mode() == jit_mode::off || p.outputs.size() > 8) return false;
  fused_kernel& k = kernel_for(c, p);
  if (int(k.functor.inputs.size() + p.outputs.size()) > max_operands) return false;
  const void* handle = ready_handle(k);
  if (handle) launch_fused(c, p, index_base, k, handle);
  return handle != nullptr;
}

void run_compiled(const launch_context& c, const plan::elementwise& p, std::int64_t index_base) {
  const plan::step& call = p.program->steps[std::size_t(p.outputs[0].step)];
  fused_kernel& k = kernel_for(c, p);
  launch_fused(c, p, index_base, k, demand_handle(k, call.called().text.name));
}

void jit_wait() { compiler::get().wait(); }

}  // namespace numwarp::cuda_backend
