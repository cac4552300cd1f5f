// Which pool arrays come from: scopes of the thread, then what was set for the process, then the
// default pools.
#include <algorithm>
#include <atomic>
#include <mutex>
#include <vector>

#include "runtime/backend.hpp"
#include "runtime/memory.hpp"

namespace numwarp {

namespace runtime {

namespace {

// Pools that set_allocator chose. Never destroyed, since arrays may be made until the very end.
struct chosen_pools {
  std::atomic<bool> any{false};
  spin_lock mutex;  // guards what follows
  std::vector<std::shared_ptr<pool>> list;
};

chosen_pools& chosen() {
  static auto* const c = new chosen_pools;
  return *c;
}

bool is_for(const pool& p, device d, bool pinned) {
  return p.options().where == d && (p.options().kind == memory_kind::pinned) == pinned;
}

thread_local const using_allocator* innermost_scope = nullptr;

pool& default_pool(device d, bool pinned) {
  return pinned ? pinned_pool() : backend_for(d).memory();
}

}  // namespace

pool& allocator_of(device d, bool pinned, std::shared_ptr<pool>& kept) {
  for (const auto* s = innermost_scope; s; s = s->outer()) {
    if (is_for(*s->pool(), d, pinned)) return *s->pool();  // the scope keeps it
  }
  chosen_pools& c = chosen();
  if (c.any.load(std::memory_order_acquire)) {
    std::lock_guard lock(c.mutex);
    for (const auto& p : c.list) {
      if (is_for(*p, d, pinned)) return *(kept = p);
    }
  }
  return default_pool(d, pinned);
}

namespace {

memory_pool allocator_handle(device d, bool pinned) {
  std::shared_ptr<pool> kept;
  pool& p = allocator_of(d, pinned, kept);
  if (kept) return memory_pool(kept);
  for (const auto* s = innermost_scope; s; s = s->outer()) {
    if (s->pool().get() == &p) return memory_pool(s->pool());
  }
  return memory_pool(pool::unowned(p));
}

}  // namespace
}  // namespace runtime

void set_allocator(const memory_pool& p) {
  const auto& o = p.pool_->options();
  const bool pinned = o.kind == memory_kind::pinned;
  auto& c = runtime::chosen();
  std::shared_ptr<runtime::pool> before;  // freed after the lock
  std::lock_guard lock(c.mutex);
  c.list.reserve(c.list.size() + 1);
  const auto at = std::find_if(c.list.begin(), c.list.end(),
                               [&](const auto& q) { return runtime::is_for(*q, o.where, pinned); });
  if (at != c.list.end()) {
    before = std::move(*at);
    c.list.erase(at);
  }
  if (p.pool_.get() != &runtime::default_pool(o.where, pinned)) c.list.push_back(p.pool_);
  c.any.store(!c.list.empty(), std::memory_order_release);
}

memory_pool get_allocator(device d) { return runtime::allocator_handle(d, false); }
memory_pool get_pinned_allocator() { return runtime::allocator_handle(cpu, true); }

using_allocator::using_allocator(const memory_pool& p)
    : pool_(p.pool_), outer_(std::exchange(runtime::innermost_scope, this)) {}

using_allocator::~using_allocator() { runtime::innermost_scope = outer_; }

}  // namespace numwarp
