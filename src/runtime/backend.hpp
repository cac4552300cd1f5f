// The seam: what the runtime asks of a device. The CPU backend and the CUDA backend each derive
// one class from it.
#pragma once

#include <cstdint>
#include <memory>
#include <numwarp/device.hpp>
#include <span>
#include <string>

#include "runtime/pool.hpp"
#include "runtime/queue.hpp"
#include "runtime/trace.hpp"

namespace numwarp {
struct module_options;
}

namespace numwarp::runtime {

class device_module;

// Counters of profiling.hpp.
void count_launch();
void count_allocation();
enum class jit_event : unsigned char { launch, compile, memory_hit, disk_hit, unfused, failure };
void count_jit(jit_event e);

// Whether this thread waits for the kernels that it needs; see jit::compile.
bool compiles_at_once();
// Until no kernel is being compiled in the background.
void wait_for_compilations();

// The true elements of a mask: how many, and what the device holds to find them again. To be
// dropped when the work that uses it has been launched and counted.
struct true_places {
  std::int64_t count = 0;
  std::shared_ptr<void> held;
};

class backend {
 public:
  virtual ~backend() = default;
  virtual device where() const = 0;
  virtual device_properties properties() const = 0;

  // Where buffers come from, aligned to 64 bytes.
  virtual pool& memory() = 0;
  // Memory for a pool of a user's own; `keep`: free bytes that an ordered upstream keeps, -1: all.
  virtual std::unique_ptr<upstream> new_upstream(memory_kind k, std::int64_t keep) = 0;
  // Of managed memory, which a device without it never sees.
  virtual void prefetch(const void* /*p*/, std::int64_t /*bytes*/, device /*to*/) {}
  virtual void advise(const void* /*p*/, std::int64_t /*bytes*/, memory_advice, device) {}
  // Whether work of this device can use an address that somebody else gave.
  virtual bool can_use(const void* /*p*/) { return true; }
  // The queue of threads that chose none. A device with queues runs everything below on
  // current_queue(where()); launch_scope says what must be waited for.
  virtual queue* default_queue() { return nullptr; }
  virtual std::shared_ptr<queue> new_queue(int /*priority*/) { return nullptr; }
  virtual std::shared_ptr<queue> foreign_queue(void* /*handle*/) { return nullptr; }
  virtual std::unique_ptr<marker> new_marker(bool /*timing*/) { return nullptr; }
  // One that records, and that nobody else waits for. A device without graphs throws device_error.
  virtual std::shared_ptr<queue> recording_queue();

  // Contiguous bytes between this device and the host's memory. When they return, the host's memory
  // has been read or written, unless it is `pinned`.
  virtual void upload(void* to, const void* from_host, std::int64_t bytes, bool pinned) = 0;
  virtual void download(void* to_host, const void* from, std::int64_t bytes, bool pinned) = 0;
  // From another device of the same kind, or this one.
  virtual void copy(void* to, const backend& source, const void* from, std::int64_t bytes) = 0;

  // Runs a plan and counts it; see launch_count().
  template <class Plan> void launch(const Plan& p) {
    count_launch();
    if (!is_traced()) return run(p);
    run_traced(where(), describe(p), [&] { run(p); });
  }

  // A statement, copies, a reduction, a product, random numbers, a gather or scatter. Collapsed
  // plans of non-zero size; launched in order. Callers use launch().
  virtual void run(const plan::elementwise& p) = 0;
  virtual void run(const plan::copies& p) = 0;
  virtual void run(const plan::reduction& p) = 0;
  virtual void run(const plan::matmul& p) = 0;
  virtual void run(const plan::random& p) = 0;
  virtual void run(const plan::indexed& p) = 0;
  virtual void run(const plan::indexed_update& p) = 0;

  // mask selection: the true elements of a C-contiguous mask (waits), ...
  virtual true_places find_true(const bool* mask, std::int64_t n) = 0;
  // ... their places in the mask, in order, ...
  virtual void true_indices(std::int64_t* to, const bool* mask, std::int64_t n,
                            const true_places& places) = 0;
  // ... the chosen rows of `row_bytes` each packed into `to`, and the reverse.
  virtual void gather_true(void* to, const void* from, const bool* mask, std::int64_t n,
                           std::int64_t row_bytes, const true_places& places) = 0;
  virtual void scatter_true(void* to, const void* from, const bool* mask, std::int64_t n,
                            std::int64_t row_bytes, const true_places& places) = 0;

  // Whether kernels here can use the memory of `peer`, another device of the same kind, and that
  // they may.
  virtual bool can_access(const backend& peer) const { return &peer == this; }
  virtual void set_access(const backend& /*peer*/, bool /*on*/) {}

  // Users' kernels: source compiled for this device, or a binary, `called` so in messages. A device
  // without kernels says so.
  virtual std::shared_ptr<device_module> compile_module(const std::string& source,
                                                        const module_options& o);
  virtual std::shared_ptr<device_module> load_module(const std::string& binary,
                                                     const std::string& called);

  // Waits for all launched work and throws its late errors.
  virtual void synchronize() = 0;
};

// The backend of d. Throws device_error, saying why, where there is none.
backend& backend_for(device d);

std::unique_ptr<backend> make_cpu_backend();
// Page-locked host memory; null without the CUDA backend.
std::unique_ptr<upstream> pinned_upstream();
// Ranges of the calling thread for profiling tools; nothing without the CUDA backend.
void push_tool_range(const char* name, int color_id) noexcept;
void pop_tool_range() noexcept;

}  // namespace numwarp::runtime
