#include "runtime/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <numwarp/error.hpp>

#include "cpu/host_memory.hpp"
#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/output.hpp"

namespace numwarp {

namespace runtime {

namespace {

class ordinary_memory final : public upstream {
 public:
  void* allocate(std::int64_t bytes, queue*) noexcept override {
    return cpu_backend::host_allocate(bytes);
  }
  void release(void* p, std::int64_t, queue*) noexcept override { cpu_backend::host_release(p); }
  std::int64_t total_bytes() noexcept override { return pages(_SC_PHYS_PAGES); }
  std::int64_t free_bytes() noexcept override { return pages(_SC_AVPHYS_PAGES); }

 private:
  static std::int64_t pages(int what) {
    const long n = sysconf(what);
    return n < 0 ? -1 : std::int64_t(n) * sysconf(_SC_PAGESIZE);
  }
};

std::unique_ptr<upstream> page_locked_upstream() {
  auto u = is_available(cuda(0)) ? pinned_upstream() : nullptr;
  return u ? std::move(u) : host_upstream();
}

pool_options options_for(device d, memory_kind k) {
  constexpr const char* kinds[] = {"", " managed memory", " async memory", "pinned memory"};
  pool_options o;
  o.where = d;
  o.kind = k;
  o.name = (k == memory_kind::pinned ? "" : to_string(d)) + kinds[int(k)];
  o.exact = pools_are_off();
  if (d.is_cpu() && k != memory_kind::pinned) o.granularity = 64;
  return o;
}

// Fresh memory costs the host a page fault a page, so that large temporaries are worth keeping, but
// other programs want the memory, too.
std::int64_t host_cache() {
  const std::int64_t most = std::int64_t(1) << 30, all = ordinary_memory().total_bytes();
  return all > 0 ? std::min(most, all / 8) : most;
}

std::shared_ptr<pool> make_pool(device d, const memory_pool_options& asked) {
  if (asked.kind == memory_kind::pinned && !d.is_cpu()) {
    throw device_error("memory_pool: pinned memory is for arrays on the cpu, got " + to_string(d));
  }
  pool_options o = options_for(d, asked.kind);
  o.name = asked.name.empty() ? o.name + " (own pool)" : asked.name;
  o.max_cached = asked.max_cached;
  return pool::make(asked.kind == memory_kind::pinned
                        ? page_locked_upstream()
                        : backend_for(d).new_upstream(asked.kind, asked.max_cached),
                    o);
}

}  // namespace

std::unique_ptr<upstream> host_upstream() { return std::make_unique<ordinary_memory>(); }

pool& host_pool() {
  static pool* const p = [] {
    pool_options o = options_for(cpu, memory_kind::device);
    o.max_cached = host_cache();
    return new pool(host_upstream(), o);
  }();
  return *p;
}

pool& pinned_pool() {
  static pool* const p = new pool(page_locked_upstream(), options_for(cpu, memory_kind::pinned));
  return *p;
}

bool is_pinned(const detail::storage& s) {
  return s.memory && s.memory->owner->options().kind == memory_kind::pinned;
}

}  // namespace runtime

memory_pool::memory_pool(numwarp::device d, const memory_pool_options& o)
    : pool_(runtime::make_pool(d, o)) {
  set_limit(o.limit);
}

device memory_pool::device() const { return pool_->options().where; }
memory_kind memory_pool::kind() const { return pool_->options().kind; }
const std::string& memory_pool::name() const { return pool_->options().name; }
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
memory_hook memory_pool::set_hook(memory_hook hook) { return pool_->set_hook(std::move(hook)); }

std::string memory_snapshot(const memory_pool& p) { return flush(), p.pool_->snapshot(); }

memory_pool get_default_memory_pool(device d) {
  return memory_pool(runtime::pool::unowned(runtime::backend_for(d).memory()));
}
memory_pool get_default_pinned_memory_pool() {
  return memory_pool(runtime::pool::unowned(runtime::pinned_pool()));
}

namespace detail {

any_array empty_pinned(const numwarp::shape& s, dtype t, order o, const char* function) {
  check_rank(s, function);
  const std::int64_t bytes = plan::checked_bytes(s, itemsize(t), function);
  layout l;
  l.shape = s;
  l.strides = o == order::f ? plan::f_strides(s, itemsize(t)) : plan::c_strides(s, itemsize(t));
  l.type = t;
  auto store = std::make_shared<storage>(cpu, bytes);
  if (bytes > 0) {
    std::shared_ptr<runtime::pool> kept;
    store->memory = runtime::allocator_of(cpu, true, kept).allocate(bytes, nullptr);
    store->data = store->memory->data;
  }
  store->publish();
  return access::make(std::move(store), std::move(l));
}

namespace {

// f(backend, first byte, bytes) for the elements of an array in managed memory.
template <class F> void on_managed(const any_array& array, const char* function, const F& f) {
  const any_array& a = resolved(array, function);
  const auto& store = access::store(a);
  if (a.device().is_cpu() || a.size() == 0) return;
  store->compute();
  if (store->memory && store->memory->owner->options().kind != memory_kind::managed) {
    throw value_error(std::string(function) + ": the array's memory, of " +
                      store->memory->owner->options().name + ", is not managed");
  }
  const layout& l = access::lay(a, function);
  const auto range = plan::extent(l.shape, l.strides, itemsize(l.type));
  f(runtime::backend_for(a.device()), *store, store->data + l.offset + range.low,
    range.high - range.low);
}

}  // namespace

void prefetch(const any_array& a, device d) {
  runtime::backend_for(d);
  on_managed(a, "prefetch", [d](runtime::backend& b, storage& s, char* p, std::int64_t bytes) {
    runtime::launch_scope scope(s.where);
    scope.reads(s);
    b.prefetch(p, bytes, d);
  });
}

void advise(const any_array& a, memory_advice advice, device d) {
  runtime::backend_for(d);
  on_managed(a, "advise", [&](runtime::backend& b, storage&, char* p, std::int64_t bytes) {
    b.advise(p, bytes, advice, d);
  });
}

}  // namespace detail
}  // namespace numwarp
