#include "cuda/backend.hpp"

#include <numwarp/error.hpp>

#include "cuda/error.hpp"
#include "cuda/handles.hpp"
#include "cuda/memory.hpp"
#include "cuda/module.hpp"
#include "cuda/peer.hpp"
#include "cuda/transfer.hpp"
#include "runtime/capture.hpp"
#include "runtime/cuda_entry.hpp"
#include "runtime/node.hpp"

namespace numwarp::cuda_backend {

namespace {

// What one call of kernels.hpp works with: the device is current, scratch memory is given back at
// the end, to be reused by later work on the stream.
class launching {
 public:
  launching(int index, int multiprocessors, runtime::pool& pool, cuda_queue& q)
      : scope_(index), pool_(pool), queue_(q) {
    context.device = index;
    context.stream = q.handle();
    context.multiprocessors = multiprocessors;
    context.scratch = &launching::borrow;
    context.self = this;
    context.error_slot = q.error_record();
  }
  ~launching() {
    if (!borrowed_.empty()) queue_.advance();
    for (runtime::block* b : borrowed_) b->owner->release(b);
  }
  launching(const launching&) = delete;
  launching& operator=(const launching&) = delete;

  launch_context context;

 private:
  static void* borrow(void* self, std::int64_t bytes) {
    auto& l = *static_cast<launching*>(self);
    l.borrowed_.reserve(l.borrowed_.size() + 1);
    l.borrowed_.push_back(runtime::allocate_block(l.pool_, bytes, &l.queue_));
    return l.borrowed_.back()->data;
  }

  const device_scope scope_;
  runtime::pool& pool_;
  cuda_queue& queue_;
  std::vector<runtime::block*> borrowed_;
};

device_properties usable_device(int index) {
  const device_scope scope(index);
  check(cudaFree(nullptr), "cuda");  // starts the driver's context
  device_properties f = query_device(index);
  if (f.major * 10 + f.minor < 75) {
    throw cuda_error(f.name + " has compute capability " + std::to_string(f.major) + "." +
                     std::to_string(f.minor) + "; numwarp needs 7.5 or later");
  }
  return f;
}

}  // namespace

cuda_device::cuda_device(int index)
    : index_(index), facts_(usable_device(index)), pool_(make_device_pool(index)), streams_(index) {
  streams_.start();
}

cuda_queue& cuda_device::current() const {
  return static_cast<cuda_queue&>(*runtime::current_queue(where()));
}

std::shared_ptr<runtime::queue> cuda_device::recording_queue() {
  prepare_handles(index_);
  return streams_.create_recording();
}

// f's result, for the calls that have one.
template <class F> std::int64_t cuda_device::launch(const char* name, const F& f) {
  cuda_queue& q = current();
  q.note(name);
  try {
    const launching l(index_, facts_.multiprocessors, *pool_, q);
    const std::int64_t result = f(l.context);
    if (detail::debug_mode() && !q.is_recording()) q.synchronize();
    return result;
  } catch (const cuda_error& e) {
    q.explain(e.what());
    throw;
  }
}

void cuda_device::run(const plan::elementwise& p) {
  launch(p.name, [&](const launch_context& c) { return run_elementwise(c, p), 0; });
}

void cuda_device::run(const plan::copies& p) {
  launch(p.name, [&](const launch_context& c) { return run_copies(c, p), 0; });
}

void cuda_device::run(const plan::reduction& p) {
  launch(p.name, [&](const launch_context& c) { return run_reduction(c, p), 0; });
}

void cuda_device::run(const plan::matmul& p) {
  launch("matmul", [&](const launch_context& c) { return run_matmul(c, p), 0; });
}

void cuda_device::run(const plan::random& p) {
  launch(p.name, [&](const launch_context& c) { return run_random(c, p), 0; });
}

void cuda_device::run(const plan::indexed& p) {
  launch(p.name, [&](const launch_context& c) { return run_indexed(c, p), 0; });
}

void cuda_device::run(const plan::indexed_update& p) {
  launch(p.name, [&](const launch_context& c) { return run_indexed_update(c, p), 0; });
}

runtime::true_places cuda_device::find_true(const bool* mask, std::int64_t n) {
  if (n == 0) return {};
  runtime::block* const b = pool_->allocate(places_bytes(n), &current());
  std::shared_ptr<void> held(b->data, [this, b](void*) { pool_->release(b); });
  const std::int64_t count = launch("count_nonzero", [&](const launch_context& c) {
    return cuda_backend::find_true(c, mask, n, b->data);
  });
  return {count, std::move(held)};
}

void cuda_device::true_indices(std::int64_t* to, const bool* mask, std::int64_t n,
                               const runtime::true_places& places) {
  launch("nonzero", [&](const launch_context& c) {
    return cuda_backend::true_indices(c, to, mask, n, places.held.get()), 0;
  });
}

void cuda_device::gather_true(void* to, const void* from, const bool* mask, std::int64_t n,
                              std::int64_t row_bytes, const runtime::true_places& places) {
  launch("subscript", [&](const launch_context& c) {
    return cuda_backend::gather_true(c, to, from, mask, n, row_bytes, places.held.get()), 0;
  });
}

void cuda_device::scatter_true(void* to, const void* from, const bool* mask, std::int64_t n,
                               std::int64_t row_bytes, const runtime::true_places& places) {
  launch("operator=", [&](const launch_context& c) {
    return cuda_backend::scatter_true(c, to, from, mask, n, row_bytes, places.held.get()), 0;
  });
}

std::shared_ptr<runtime::device_module> cuda_device::compile_module(const std::string& source,
                                                                    const module_options& o) {
  return cuda_backend::compile_module(index_, facts_.major * 10 + facts_.minor, source, o);
}

std::shared_ptr<runtime::device_module> cuda_device::load_module(const std::string& binary,
                                                                 const std::string& called) {
  return cuda_backend::load_module(index_, binary, called);
}

void cuda_device::upload(void* to, const void* from_host, std::int64_t bytes, bool pinned) {
  cuda_backend::upload(current(), to, from_host, bytes, pinned);
}

void cuda_device::download(void* to_host, const void* from, std::int64_t bytes, bool pinned) {
  cuda_backend::download(current(), to_host, from, bytes, pinned);
}

void cuda_device::copy(void* to, const backend& source, const void* from, std::int64_t bytes) {
  cuda_backend::copy(current(), to, index_, from, source.where().index(), bytes);
}

bool cuda_device::can_access(const backend& peer) const {
  return cuda_backend::can_access(index_, peer.where().index());
}

void cuda_device::set_access(const backend& peer, bool on) {
  cuda_backend::set_access(index_, peer.where().index(), on);
}

// All streams of the device; of several late errors the calling thread's stream comes first.
void cuda_device::synchronize() {
  const std::uint64_t here = current().finish();
  const auto all = streams_.all();
  std::vector<std::uint64_t> at;
  for (cuda_queue* q : all) at.push_back(q->finish());
  current().report(here);
  for (std::size_t i = 0; i < all.size(); ++i) all[i]->report(at[i]);
}

void wait_for_streams(int index) {
  auto& device = static_cast<cuda_device&>(runtime::backend_for(numwarp::cuda(index)));
  for (cuda_queue* q : device.streams().all()) q->finish();
}

}  // namespace numwarp::cuda_backend
