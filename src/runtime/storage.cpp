#include "runtime/storage.hpp"

#include <algorithm>
#include <utility>

#include "runtime/backend.hpp"

namespace numwarp::detail {

storage::~storage() {
  if (release_foreign) {
    release_foreign();
  } else if (data && !foreign) {
    runtime::backend_for(where).release(data, bytes);
  }
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

void storage::allocate() {
  if (!data && bytes > 0) {
    data = static_cast<char*>(runtime::backend_for(where).allocate(bytes));
  }
}

void storage::adopt(storage& other) {
  data = std::exchange(other.data, nullptr);
}

void storage::publish() {
  ready.store(true, std::memory_order_release);
  take_source();
}

std::shared_ptr<storage> allocate_storage(device d, std::int64_t bytes) {
  auto s = std::make_shared<storage>(d, bytes);
  s->allocate();
  s->publish();
  return s;
}

}  // namespace numwarp::detail
