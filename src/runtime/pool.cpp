// Handing out and taking back blocks. The management of segments is in pool_segments.cpp.
#include "runtime/pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <numwarp/error.hpp>
#include <string_view>
#include <utility>

namespace numwarp::runtime {

bool pools_are_off() {
  static const bool off = [] {
    const char* v = std::getenv("NUMWARP_POOL");
    return v && std::string_view(v) == "off";
  }();
  return off;
}

namespace {

pool_options checked(const upstream& source, pool_options o) {
  o.exact |= source.ordered();
  return o;
}

}  // namespace

pool::pool(std::unique_ptr<upstream> source, pool_options options)
    : source_(std::move(source)), options_(checked(*source_, std::move(options))) {}

pool::~pool() {
  try {
    give_back_free_segments();
  } catch (...) {
  }
}

std::shared_ptr<pool> pool::make(std::unique_ptr<upstream> source, pool_options options) {
  return {new pool(std::move(source), std::move(options)), [](pool* p) { p->let_go(); }};
}

void pool::let_go() noexcept {
  {
    std::lock_guard lock(mutex_);
    orphaned_ = true;
    if (used_ > 0) return;
  }
  delete this;
}

pool::arena& pool::arena_of(queue* q) {
  if (last_arena_ && last_queue_ == q) return *last_arena_;
  auto& a = arenas_[q];
  if (!a) a = std::make_unique<arena>(options_.granularity);
  last_queue_ = q;
  return *(last_arena_ = a.get());
}

std::int64_t pool::rounded(std::int64_t bytes) const {
  if (options_.exact) return bytes;
  return (bytes + options_.granularity - 1) & ~(options_.granularity - 1);
}

block* pool::allocate(std::int64_t bytes, queue* q) {
  block* b;
  const auto told = hook();
  traffic before, after;
  {
    std::lock_guard lock(mutex_);
    if (told) before = traffic_;
    if (bytes > std::int64_t(1) << 60) fail(bytes);  // sizes can be added without overflow
    const std::int64_t size = rounded(bytes);
    b = take_recent(size, q);
    if (!b) b = find_or_grow(size, q);
    if (!b) fail(bytes);
    b->taken_for = q;
    used_ += b->bytes;
    peak_ = std::max(peak_, used_);
    if (told) after = traffic_;
  }
  if (told) {
    tell_given_back(*told, after.given_back - before.given_back);
    tell(*told, {memory_event::type::allocate, options_.name, b->data, b->bytes, bytes,
                 after.acquired - before.acquired});
  }
  try {
    claim(b, q);
  } catch (...) {
    release(b);
    throw;
  }
  return b;
}

// Work on q is put behind the work that used the block before.
void pool::claim(block* b, queue* q) {
  for (const use& u : b->others) order_after(q, u);
  if (b->home != q) order_after(q, {b->home, b->at});
  b->others.clear();
  b->home = q;
}

block* pool::take_recent(std::int64_t size, queue* q) {
  for (block*& slot : recent_) {
    if (slot && slot->bytes == size && slot->home == q && slot->others.empty()) {
      return std::exchange(slot, nullptr);
    }
  }
  return nullptr;
}

void pool::keep_recent(block* b) {
  for (block*& slot : recent_) {
    if (!slot) {
      slot = b;
      return;
    }
  }
  b = std::exchange(recent_[next_recent_++ % recent_.size()], b);
  insert_free(coalesce(b, false));
}

void pool::settle_recent() {
  for (block*& slot : recent_) {
    if (slot) insert_free(coalesce(std::exchange(slot, nullptr), false));
  }
}

block* pool::find_or_grow(std::int64_t size, queue* q) {
  if (options_.exact) return new_segment(size, block::kind_t::large, q);
  if (block* b = find_own(size, q)) return b;
  settle_recent();
  if (block* b = find_own(size, q)) return b;
  if (block* b = find_elsewhere(size, q, true)) return b;
  if (block* b = grow(size, q)) return b;
  if (block* b = find_elsewhere(size, q, false)) return b;
  coalesce_all();
  if (block* b = find_elsewhere(size, q, false)) return b;
  if (total_ > used_) check_wait(options_.where, "memory_pool");
  give_back_free_segments();
  if (block* b = grow(size, q)) return b;
  return find_oversize(size);
}

bool pool::serves(const block& b, std::int64_t size) const {
  return b.kind != block::kind_t::oversize || b.bytes - size <= b.bytes / 8;
}

namespace {

bool others_finished(const block& b) {
  return std::all_of(b.others.begin(), b.others.end(),
                     [](const use& u) { return u.on->reached(u.at); });
}

}  // namespace

block* pool::find_own(std::int64_t size, queue* q) {
  const auto kind = size <= options_.small_request ? block::kind_t::small : block::kind_t::large;
  block* b = arena_of(q).of(kind).best(size, [&](const block& c) {
    return serves(c, size) && (c.others.empty() || others_finished(c));
  });
  return b ? carve(b, size) : nullptr;
}

// A block that another queue freed: without waiting where its work has finished.
block* pool::find_elsewhere(std::int64_t size, queue* q, bool only_finished) {
  const auto kind = size <= options_.small_request ? block::kind_t::small : block::kind_t::large;
  for (auto& [owner, a] : arenas_) {
    if (only_finished && owner == q) continue;
    block* b = a->of(kind).best(size, [&](const block& c) {
      if (!serves(c, size)) return false;
      return !only_finished || ((!c.home || c.home->reached(c.at)) && others_finished(c));
    });
    if (b) return carve(b, size);
  }
  return nullptr;
}

void pool::note_use(block* b, const use& u) {
  if (u.on == b->home) return;
  for (use& o : b->others) {
    if (o.on == u.on) {
      o.at = std::max(o.at, u.at);
      return;
    }
  }
  b->others.push_back(u);
}

void pool::release(block* b, const usage& used) noexcept {
  if (!used.empty()) {
    bool first = true;
    used.for_each_unshared([&](const use& u) {
      // The queue that wrote last is the one that will most likely want it again. It was ordered
      // behind the block's first queue before it wrote.
      if (std::exchange(first, false) && b->home) b->home = u.on;
      note_use(b, u);
    });
  }
  release(b);
}

void pool::release(block* b) noexcept {
  const auto told = hook();
  if (told) tell(*told, {memory_event::type::free, options_.name, b->data, b->bytes});
  b->at = b->home ? b->home->now() : 0;
  std::int64_t given_back;
  bool last;
  {
    std::lock_guard lock(mutex_);
    given_back = -traffic_.given_back;
    used_ -= b->bytes;
    if (options_.exact) {
      give_back(b);
    } else {
      keep_recent(b);
      if (options_.max_cached >= 0 && total_ - used_ > options_.max_cached) trim();
    }
    given_back += traffic_.given_back;
    last = orphaned_ && used_ == 0;
  }
  if (told) tell_given_back(*told, given_back);
  if (last) delete this;
}

std::shared_ptr<const memory_hook> pool::current_hook() noexcept {
  std::lock_guard lock(mutex_);
  return hook_;
}

void pool::tell(const memory_hook& h, memory_event e) const noexcept { h(e); }

void pool::tell_given_back(const memory_hook& h, std::int64_t bytes) const noexcept {
  if (bytes > 0) tell(h, {memory_event::type::give_back, options_.name, nullptr, bytes});
}

memory_hook pool::set_hook(memory_hook hook) {
  auto next = hook ? std::make_shared<const memory_hook>(std::move(hook)) : nullptr;
  {
    std::lock_guard lock(mutex_);
    hooked_ = next != nullptr;
    hook_.swap(next);
  }
  return next ? *next : memory_hook();
}

std::int64_t pool::used_bytes() { return std::lock_guard(mutex_), used_; }
std::int64_t pool::total_bytes() {
  return std::lock_guard(mutex_), total_ + source_->cached_bytes();
}
std::int64_t pool::free_bytes() {
  return std::lock_guard(mutex_), total_ - used_ + source_->cached_bytes();
}
std::int64_t pool::peak_bytes() { return std::lock_guard(mutex_), peak_; }
std::int64_t pool::n_free_blocks() { return std::lock_guard(mutex_), settle_recent(), free_count_; }
std::int64_t pool::get_limit() { return std::lock_guard(mutex_), limit_; }

void pool::reset_peak() {
  std::lock_guard lock(mutex_);
  peak_ = used_;
}

void pool::set_limit(std::int64_t bytes) {
  if (bytes < 0)
    throw value_error("set_limit: size must not be negative, got " + std::to_string(bytes));
  std::lock_guard lock(mutex_);
  limit_ = bytes;
}

void pool::set_limit_fraction(double fraction) {
  if (!(fraction >= 0 && fraction <= 1)) {
    throw value_error("set_limit: fraction must be between 0 and 1, got " +
                      std::to_string(fraction));
  }
  const std::int64_t all = source_->total_bytes();
  if (all < 0) throw value_error("set_limit: the size of the memory is not known; give bytes");
  set_limit(std::int64_t(double(all) * fraction));
}

}  // namespace numwarp::runtime
