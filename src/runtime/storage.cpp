#include "runtime/storage.hpp"

#include <algorithm>
#include <numwarp/error.hpp>
#include <utility>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/capture.hpp"
#include "runtime/memory.hpp"
#include "runtime/node.hpp"

namespace numwarp::detail {

storage::~storage() {
  if (memory) memory->owner->release(memory, used);
  if (!release_foreign) return;
  const runtime::waiting_allowed here;
  try {
    used.before_write(nullptr);
  } catch (...) {  // a device that failed does not use it any more
  }
  release_foreign();
}

void storage::launch_source() {
  if (auto p = source()) p->launch();
}

std::vector<std::shared_ptr<pending>> storage::live_readers(
    std::span<const pending* const> except) {
  std::vector<std::shared_ptr<pending>> live;
  std::lock_guard lock(mutex_);
  live.reserve(readers_.size());  // a throw below could free a reader while the lock is held
  for (pending* r : readers_) {
    if (std::find(except.begin(), except.end(), r) != except.end()) continue;
    // One that is being destroyed waits for the lock to remove itself, and has no owner any more.
    if (auto p = r->weak_from_this().lock()) live.push_back(std::move(p));
  }
  return live;
}

void storage::launch_readers(std::span<const pending* const> except) {
  // Again until there are none: while one was waited for, another thread may have absorbed it into
  // a node that reads these elements in its place.
  for (auto live = live_readers(except); !live.empty(); live = live_readers(except)) {
    for (const auto& p : live) p->launch();
  }
}

void storage::add_reader(pending* p) {
  std::lock_guard lock(mutex_);
  if (std::find(readers_.begin(), readers_.end(), p) == readers_.end()) readers_.push_back(p);
}

void storage::remove_reader(const pending* p) {
  std::lock_guard lock(mutex_);
  const auto at = std::find(readers_.begin(), readers_.end(), p);
  if (at == readers_.end()) return;
  *at = readers_.back();
  readers_.pop_back();
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
  std::shared_ptr<runtime::pool> kept;
  auto& pool = runtime::allocator_of(where, false, kept);
  try {
    memory = runtime::allocate_block(pool, bytes, q);
  } catch (const out_of_memory&) {
    if (!launch_pending_to_free()) throw;
    memory = runtime::allocate_block(pool, bytes, q);
  }
  data = memory->data;
  runtime::count_allocation();
  // From then on the memory is ours; that of a graph waits for nobody.
  if (q && !runtime::capture::on(q)) used.start({q, q->now()});
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
  s->ready.store(true, std::memory_order_release);  // nobody made it, and nobody knows it yet
  return s;
}

std::shared_ptr<storage> allocate_storage(device d, const layout& l, const char* function) {
  try {
    return allocate_storage(d, plan::checked_bytes(l.shape, itemsize(l.type), function));
  } catch (const out_of_memory& e) {
    throw_out_of_memory(function, l.shape, l.type, e.what());
  }
}

void throw_out_of_memory(const char* function, const numwarp::shape& s, dtype t,
                         const char* reason) {
  throw out_of_memory(std::string(function) + ": Unable to allocate an array with shape " +
                      to_string(s) + " and data type " + std::string(name(t)) + ": " + reason);
}

}  // namespace numwarp::detail
