// The registry of backends and the calling thread's default device.
#include <cstdlib>
#include <numwarp/device.hpp>
#include <numwarp/error.hpp>
#include <optional>

#include "runtime/backend.hpp"
#include "runtime/capture.hpp"
#include "runtime/cuda_entry.hpp"
#include "runtime/node.hpp"

namespace numwarp {

namespace runtime {

namespace {

struct parts {
  std::string (*why_unavailable)(int);
  backend* (*find_backend)(int);
  std::unique_ptr<upstream> (*pinned_upstream)();
  int (*count)();
  void (*jit_wait)();
  void (*push_range)(const char*, int) noexcept;
  void (*pop_range)() noexcept;
};

#if NUMWARP_CUDA
constexpr parts cuda_parts{cuda_backend::why_unavailable, cuda_backend::find_backend,
                           cuda_backend::pinned_upstream, cuda_backend::device_count,
                           cuda_backend::jit_wait,        cuda_backend::push_range,
                           cuda_backend::pop_range};
#else
constexpr parts cuda_parts{
    [](int) -> std::string { return "numwarp was built without the CUDA backend"; },
    [](int) -> backend* { return nullptr; },
    [] { return std::unique_ptr<upstream>(); },
    [] { return 0; },
    [] {},
    [](const char*, int) noexcept {},
    []() noexcept {}};
#endif

}  // namespace

backend& backend_for(device d) {
  // Never destroyed: arrays with static storage duration may outlive every static object here.
  static backend* const host = make_cpu_backend().release();
  if (d.is_cpu()) return *host;
  if (backend* b = cuda_parts.find_backend(d.index())) return *b;
  throw device_error(to_string(d) + ": " + why_unavailable(d));
}

std::unique_ptr<upstream> pinned_upstream() { return cuda_parts.pinned_upstream(); }
void push_tool_range(const char* name, int color_id) noexcept {
  cuda_parts.push_range(name, color_id);
}
void pop_tool_range() noexcept { cuda_parts.pop_range(); }

void wait_for_compilations() { cuda_parts.jit_wait(); }

}  // namespace runtime

std::string to_string(device d) { return d.is_cpu() ? "cpu" : "cuda:" + std::to_string(d.index()); }

int device_count() { return runtime::cuda_parts.count(); }

device_properties get_device_properties(device d) { return runtime::backend_for(d).properties(); }

memory_info get_memory_info(device d) { return runtime::backend_for(d).memory().device_memory(); }

bool can_access_peer(device d, device peer) {
  const runtime::backend &here = runtime::backend_for(d), &there = runtime::backend_for(peer);
  return d.kind() == peer.kind() && here.can_access(there);
}

void enable_peer_access(device d, device peer) {
  if (!can_access_peer(d, peer)) {
    throw device_error("enable_peer_access: kernels on " + to_string(d) +
                       " cannot use the memory of " + to_string(peer));
  }
  runtime::backend_for(d).set_access(runtime::backend_for(peer), true);
}

void disable_peer_access(device d, device peer) {
  if (!can_access_peer(d, peer)) return;
  synchronize(d);
  synchronize(peer);
  runtime::backend_for(d).set_access(runtime::backend_for(peer), false);
}

std::string why_unavailable(device d) {
  return d.is_cpu() ? "" : runtime::cuda_parts.why_unavailable(d.index());
}
bool is_available(device d) { return why_unavailable(d).empty(); }

namespace {

thread_local std::optional<device> device_of_thread;

device parse_device(const std::string& text) {
  if (text == "cpu") return cpu;
  const bool numbered = text.rfind("cuda:", 0) == 0 && text.size() > 5 && text.size() < 9 &&
                        text.find_first_not_of("0123456789", 5) == std::string::npos;
  if (text == "cuda" || numbered) return cuda(numbered ? std::stoi(text.substr(5)) : 0);
  throw device_error("NUMWARP_DEVICE: expected cpu or cuda:<index>, got \"" + text + "\"");
}

device device_of_process() {
  static const device d = [] {
    const char* v = std::getenv("NUMWARP_DEVICE");
    if (v && *v) return parse_device(v);
    return is_available(cuda(0)) ? cuda(0) : cpu;
  }();
  return d;
}

}  // namespace

device default_device() { return device_of_thread ? *device_of_thread : device_of_process(); }

device_guard::device_guard(device d)
    : before_(device_of_thread.value_or(cpu)), had_(device_of_thread.has_value()) {
  runtime::backend_for(d);
  device_of_thread = d;
}

device_guard::~device_guard() { device_of_thread = had_ ? std::optional(before_) : std::nullopt; }

void flush() { detail::launch_pending_of_thread(); }

void synchronize(device d) {
  runtime::refuse_recorded(runtime::current_queue(d), "synchronize: inside a capture");
  runtime::check_wait(d, "synchronize");
  flush();
  runtime::backend_for(d).synchronize();
}

void synchronize() { synchronize(default_device()); }

}  // namespace numwarp
