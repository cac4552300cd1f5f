#include "cuda/peer.hpp"

#include <cuda_runtime_api.h>

#include <mutex>
#include <set>
#include <utility>

#include "cuda/error.hpp"

namespace numwarp::cuda_backend {

namespace {

// The pairs about which something has been decided.
struct decisions {
  std::mutex mutex;
  std::set<std::pair<int, int>> made;
};
decisions& all() {
  static auto* const d = new decisions;
  return *d;
}

void enable(int device, int peer) {
  const device_scope scope(device);
  const cudaError_t code = cudaDeviceEnablePeerAccess(peer, 0);
  if (code == cudaErrorPeerAccessAlreadyEnabled) return void(cudaGetLastError());
  check(code, "enable_peer_access");
}

void disable(int device, int peer) {
  const device_scope scope(device);
  const cudaError_t code = cudaDeviceDisablePeerAccess(peer);
  if (code == cudaErrorPeerAccessNotEnabled) return void(cudaGetLastError());
  check(code, "disable_peer_access");
}

}  // namespace

bool can_access(int device, int peer) {
  if (device == peer) return true;
  int can = 0;
  check(cudaDeviceCanAccessPeer(&can, device, peer), "can_access_peer");
  return can != 0;
}

void set_access(int device, int peer, bool on) {
  if (device == peer) return;
  std::lock_guard lock(all().mutex);
  on ? enable(device, peer) : disable(device, peer);
  all().made.insert({device, peer});
}

void allow_for_copies(int device, int peer) noexcept {
  try {
    std::lock_guard lock(all().mutex);
    if (!all().made.insert({device, peer}).second) return;
    if (can_access(device, peer)) enable(device, peer);
  } catch (...) {  // the copy goes through the host
  }
}

}  // namespace numwarp::cuda_backend
