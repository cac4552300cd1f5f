// Where an array lives: the CPU or one CUDA device.
#pragma once

#include <cstdint>
#include <string>

namespace numwarp {

// A value: compare by ==, print by to_string.
class device {
 public:
  enum class type : unsigned char { cpu, cuda };

  constexpr device() = default;
  constexpr device(type t, int index) : type_(t), index_(index) {}
  constexpr type kind() const { return type_; }
  constexpr int index() const { return index_; }
  constexpr bool is_cpu() const { return type_ == type::cpu; }
  friend constexpr bool operator==(device, device) = default;

 private:
  type type_ = type::cpu;
  int index_ = 0;
};

inline constexpr device cpu{};
// The CUDA device of that index. Using one that does not exist throws device_error with the reason.
constexpr device cuda(int index = 0) { return {device::type::cuda, index}; }

// "cpu", "cuda:0".
std::string to_string(device d);

// The device new arrays are made on: the innermost device_guard's, else NUMWARP_DEVICE's, else
// cuda:0 where a GPU works, else cpu. Throws device_error where NUMWARP_DEVICE names no device.
device default_device();

// True where arrays can live on d. Never throws.
bool is_available(device d);
// Why not: "no CUDA driver", "there is no such device, ..."; empty where they can.
std::string why_unavailable(device d);

// CUDA devices that this process can see; 0 without a driver. Never throws.
int device_count();

struct device_properties {
  std::string name;
  int major = 0, minor = 0;  // compute capability
  int multiprocessors = 0;   // of the CPU: its threads
  int warp_size = 1;
  int max_threads_per_block = 0, max_threads_per_multiprocessor = 0;
  std::int64_t total_memory = 0;                                     // bytes
  std::int64_t shared_memory_per_block = 0, most_shared_memory = 0;  // usual, and when asked for
  std::int64_t registers_per_block = 0, l2_cache = 0;
  int least_priority = 0, greatest_priority = 0;  // of streams; the greatest is the lowest number
};
// What the device is. Fields that a CPU has not are 0. Throws device_error where d is not there.
device_properties get_device_properties(device d = default_device());

struct memory_info {
  std::int64_t free = 0, total = 0;  // bytes
};
// The device's memory as its driver counts it: what pools keep for reuse is not free.
memory_info get_memory_info(device d = default_device());

// True where kernels on d can use the memory of `peer` directly. Of two GPUs that depends on how
// they are connected; a device can always access itself, the CPU no GPU and no GPU the CPU's
// arrays. Throws device_error where one of them is not there.
bool can_access_peer(device d, device peer);
// Lets kernels on d use the memory of `peer`. Only kernels of your own need it: copies between two
// GPUs (`a.to(d)`) use direct access by themselves where it is possible, unless it was disabled.
// Doing it twice is no error. Throws device_error where can_access_peer is false.
void enable_peer_access(device d, device peer);
// Takes that back; copies go through the host then. Waits for the work of both devices.
void disable_peer_access(device d, device peer);

// Changes the default device of the calling thread for a scope. Throws device_error for a device
// that is not there.
class device_guard {
 public:
  explicit device_guard(device d);
  ~device_guard();
  device_guard(const device_guard&) = delete;
  device_guard& operator=(const device_guard&) = delete;

 private:
  device before_;
  bool had_;
};

// Waits until all work of the calling thread on d (the default device) has finished; launches its
// pending operations first. Late errors of that work are thrown here.
void synchronize(device d);
void synchronize();

// Launches the calling thread's pending operations without waiting.
void flush();

// Threads of the CPU backend, for the whole process; the calling thread is one of them. At first as
// many as the machine has. Results do not depend on their number. n < 1 throws value_error.
void set_num_threads(int n);
int get_num_threads();

}  // namespace numwarp
