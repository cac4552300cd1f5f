#include "runtime/memory.hpp"

#include <unistd.h>

#include <algorithm>

#include "cpu/host_memory.hpp"
#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/output.hpp"

namespace numwarp {

namespace runtime {

namespace {

class host_upstream final : public upstream {
 public:
  void* allocate(std::int64_t bytes) noexcept override { return cpu_backend::host_allocate(bytes); }
  void release(void* p, std::int64_t) noexcept override { cpu_backend::host_release(p); }
  std::int64_t total_bytes() noexcept override { return pages(_SC_PHYS_PAGES); }
  std::int64_t free_bytes() noexcept override { return pages(_SC_AVPHYS_PAGES); }

 private:
  static std::int64_t pages(int what) {
    const long n = sysconf(what);
    return n < 0 ? -1 : std::int64_t(n) * sysconf(_SC_PAGESIZE);
  }
};

// Fresh memory costs the host a page fault a page, so that large temporaries are worth keeping, but
// other programs want the memory, too.
pool_options host_options() {
  pool_options o;
  o.name = "cpu";
  o.granularity = 64;
  o.exact = pools_are_off();
  o.max_cached = std::int64_t(1) << 30;
  const std::int64_t all = host_upstream().total_bytes();
  if (all > 0) o.max_cached = std::min(o.max_cached, all / 8);
  return o;
}

std::unique_ptr<upstream> page_locked_upstream() {
  auto u = is_available(cuda(0)) ? pinned_upstream() : nullptr;
  return u ? std::move(u) : std::make_unique<host_upstream>();
}

}  // namespace

pool& host_pool() {
  static pool* const p = new pool(std::make_unique<host_upstream>(), host_options());
  return *p;
}

pool& pinned_pool() {
  static pool* const p = [] {
    pool_options o;
    o.name = "pinned memory";
    o.exact = pools_are_off();
    return new pool(page_locked_upstream(), o);
  }();
  return *p;
}

bool is_pinned(const detail::storage& s) { return s.memory && s.memory->owner == &pinned_pool(); }

}  // namespace runtime

std::int64_t memory_pool::used_bytes() const { return flush(), pool_->used_bytes(); }
std::int64_t memory_pool::total_bytes() const { return flush(), pool_->total_bytes(); }
std::int64_t memory_pool::free_bytes() const { return flush(), pool_->free_bytes(); }
std::int64_t memory_pool::peak_bytes() const { return flush(), pool_->peak_bytes(); }
std::int64_t memory_pool::n_free_blocks() const { return flush(), pool_->n_free_blocks(); }
void memory_pool::reset_peak() { pool_->reset_peak(); }
void memory_pool::free_all_blocks() {
  flush();
  pool_->free_all_blocks();
}
void memory_pool::set_limit(std::int64_t bytes) { pool_->set_limit(bytes); }
void memory_pool::set_limit(const pool_limit& limit) {
  if (limit.fraction != 0) return pool_->set_limit_fraction(limit.fraction);
  pool_->set_limit(limit.size);
}
std::int64_t memory_pool::get_limit() const { return pool_->get_limit(); }
void memory_pool::set_hooks(memory_hooks hooks) { pool_->set_hooks(std::move(hooks)); }

memory_pool get_default_memory_pool(device d) {
  return memory_pool(runtime::backend_for(d).memory());
}
memory_pool get_default_pinned_memory_pool() { return memory_pool(runtime::pinned_pool()); }

any_array detail::empty_pinned(const numwarp::shape& s, dtype t, order o, const char* function) {
  check_rank(s, function);
  const std::int64_t bytes = plan::checked_bytes(s, itemsize(t), function);
  layout l;
  l.shape = s;
  l.strides = o == order::f ? plan::f_strides(s, itemsize(t)) : plan::c_strides(s, itemsize(t));
  l.type = t;
  auto store = std::make_shared<storage>(cpu, bytes);
  if (bytes > 0) {
    store->memory = runtime::pinned_pool().allocate(bytes, nullptr);
    store->data = store->memory->data;
  }
  store->publish();
  return access::make(std::move(store), std::move(l));
}

}  // namespace numwarp
