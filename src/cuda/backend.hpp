// One CUDA device behind the seam.
#pragma once

#include <memory>
#include <vector>

#include "cuda/device.hpp"
#include "cuda/kernels.hpp"
#include "cuda/memory.hpp"
#include "cuda/stream.hpp"
#include "runtime/backend.hpp"

namespace numwarp::cuda_backend {

class cuda_device final : public runtime::backend {
 public:
  // Throws cuda_error where the device cannot be used.
  explicit cuda_device(int index);

  device where() const override { return numwarp::cuda(index_); }
  device_properties properties() const override { return facts_; }
  runtime::pool& memory() override { return *pool_; }
  std::unique_ptr<runtime::upstream> new_upstream(memory_kind k, std::int64_t keep) override {
    return cuda_backend::new_upstream(index_, k, keep);
  }
  void prefetch(const void* p, std::int64_t bytes, device to) override {
    cuda_backend::prefetch(current(), p, bytes, to);
  }
  void advise(const void* p, std::int64_t bytes, memory_advice advice, device d) override {
    cuda_backend::advise(index_, p, bytes, advice, d);
  }
  bool can_use(const void* p) override { return cuda_backend::can_use(index_, p); }
  runtime::queue* default_queue() override { return streams_.default_queue(); }
  std::shared_ptr<runtime::queue> new_queue(int priority) override {
    return streams_.create(priority);
  }
  std::shared_ptr<runtime::queue> foreign_queue(void* handle) override {
    return streams_.adopt(handle);
  }
  std::shared_ptr<runtime::queue> recording_queue() override;
  std::unique_ptr<runtime::marker> new_marker(bool timing) override {
    return std::make_unique<cuda_marker>(index_, timing);
  }

  void upload(void* to, const void* from_host, std::int64_t bytes, bool pinned) override;
  void download(void* to_host, const void* from, std::int64_t bytes, bool pinned) override;
  void copy(void* to, const backend& source, const void* from, std::int64_t bytes) override;

  void run(const plan::elementwise& p) override;
  void run(const plan::copies& p) override;
  void run(const plan::reduction& p) override;
  void run(const plan::matmul& p) override;
  void run(const plan::random& p) override;
  void run(const plan::indexed& p) override;
  void run(const plan::indexed_update& p) override;
  runtime::true_places find_true(const bool* mask, std::int64_t n) override;
  void true_indices(std::int64_t* to, const bool* mask, std::int64_t n,
                    const runtime::true_places& places) override;
  void gather_true(void* to, const void* from, const bool* mask, std::int64_t n,
                   std::int64_t row_bytes, const runtime::true_places& places) override;
  void scatter_true(void* to, const void* from, const bool* mask, std::int64_t n,
                    std::int64_t row_bytes, const runtime::true_places& places) override;

  bool can_access(const backend& peer) const override;
  void set_access(const backend& peer, bool on) override;

  std::shared_ptr<runtime::device_module> compile_module(const std::string& source,
                                                         const module_options& o) override;
  std::shared_ptr<runtime::device_module> load_module(const std::string& binary,
                                                      const std::string& called) override;

  void synchronize() override;
  const stream_set& streams() const { return streams_; }

 private:
  cuda_queue& current() const;
  template <class F> std::int64_t launch(const char* name, const F& f);

  const int index_;
  const device_properties facts_;
  std::unique_ptr<runtime::pool> pool_;
  stream_set streams_;
};

// Waits for all streams of a device that has started. Not for the device as a whole: that would end
// captures of other threads. Throws cuda_error.
void wait_for_streams(int index);

}  // namespace numwarp::cuda_backend
