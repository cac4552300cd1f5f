// The backends of all devices, made when they are first asked for.
#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "cuda/backend.hpp"
#include "cuda/device.hpp"
#include "runtime/cuda_entry.hpp"

namespace numwarp::cuda_backend {

namespace {

constexpr int most_devices = 64;

struct entry {
  std::atomic<cuda_device*> started{nullptr};
  std::once_flag once;
  std::string problem;  // why it did not start
};

// Never destroyed: arrays may outlive every static object here.
std::array<entry, most_devices>& table() {
  static auto* const t = new std::array<entry, most_devices>;
  return *t;
}

void start(entry& e, int index) {
  try {
    e.started.store(new cuda_device(index), std::memory_order_release);
  } catch (const std::exception& failure) {
    e.problem = failure.what();
  }
}

bool exists(int index) { return index >= 0 && index < driver().devices && index < most_devices; }

}  // namespace

runtime::backend* find_backend(int index) {
  if (index < 0 || index >= most_devices) return nullptr;
  entry& e = table()[std::size_t(index)];
  if (cuda_device* d = e.started.load(std::memory_order_acquire)) return d;
  if (!exists(index)) return nullptr;
  std::call_once(e.once, start, e, index);
  return e.started.load(std::memory_order_acquire);
}

int device_count() { return std::min(driver().devices, most_devices); }

std::string why_unavailable(int index) {
  const driver_state& d = driver();
  if (!d.problem.empty()) return d.problem;
  if (!exists(index)) {
    return "there is no such device, this machine has " + std::to_string(d.devices) +
           (d.devices == 1 ? " (cuda:0)"
                           : " (cuda:0 to cuda:" + std::to_string(d.devices - 1) + ")");
  }
  return find_backend(index) ? "" : table()[std::size_t(index)].problem;
}

}  // namespace numwarp::cuda_backend
