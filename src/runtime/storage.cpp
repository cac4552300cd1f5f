#include "runtime/storage.hpp"

#include <algorithm>
#include <utility>

#include "runtime/backend.hpp"

namespace numwarp::detail {

storage::~storage() {
  if (memory) memory->owner->release(memory, used);
  if (!release_foreign) return;
  try {
    used.before_write(nullptr);
  } catch (...) {  // a device that failed does not use it any more
  }
  release_foreign();
}

void storage::compute() {
  if (ready.load(std::memory_order_acquire)) return;
  if (auto p = source()) p->launch();
}

void storage::launch_readers(const pending* except) {
  std::vector<std::shared_ptr<pending>> live;
  {
    std::lock_guard lock(mutex_);
    for (const reader& r : readers_) {
      if (r.key == except) continue;
      if (auto p = r.ref.lock()) live.push_back(std::move(p));
    }
  }
  for (const auto& p : live) p->launch();
}

void storage::add_reader(const std::shared_ptr<pending>& p) {
  std::lock_guard lock(mutex_);
  for (const reader& r : readers_) {
    if (r.key == p.get()) return;
  }
  readers_.push_back({p.get(), p});
}

void storage::remove_reader(const pending* p) {
  std::lock_guard lock(mutex_);
  const auto at = std::find_if(readers_.begin(), readers_.end(),
                               [&](const reader& r) { return r.key == p; });
  if (at == readers_.end()) return;
  *at = std::move(readers_.back());
  readers_.pop_back();
}

void storage::set_source(std::shared_ptr<pending> p) {
  std::lock_guard lock(mutex_);
  source_ = std::move(p);
}

std::shared_ptr<pending> storage::source() {
  std::lock_guard lock(mutex_);
  return source_;
}

std::shared_ptr<pending> storage::take_source() {
  std::lock_guard lock(mutex_);
  return std::move(source_);
}

void storage::allocate(runtime::queue* q) {
  if (data || bytes == 0) return;
  memory = runtime::backend_for(where).memory().allocate(bytes, q);
  data = memory->data;
  if (q) used.wrote({q, q->now()});  // from then on the memory is ours
}

void storage::adopt(storage& other) {
  data = std::exchange(other.data, nullptr);
  memory = std::exchange(other.memory, nullptr);
  used.take(other.used);
}

void storage::publish() {
  ready.store(true, std::memory_order_release);
  take_source();
}

std::shared_ptr<storage> allocate_storage(device d, std::int64_t bytes) {
  auto s = std::make_shared<storage>(d, bytes);
  s->allocate(runtime::current_queue(d));
  s->publish();
  return s;
}

}  // namespace numwarp::detail
