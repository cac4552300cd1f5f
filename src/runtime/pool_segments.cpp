// Segments of a pool: getting, splitting, joining and giving back.
#include <algorithm>
#include <numwarp/error.hpp>
#include <sstream>
#include <utility>

#include "runtime/pool.hpp"

namespace numwarp::runtime {

block* pool::new_block() {
  if (spare_.empty()) {
    // So that giving one back cannot throw.
    spare_.reserve(spare_.size() + (chunks_.size() + 1) * chunk_size);
    chunks_.push_back(std::make_unique<block[]>(chunk_size));
    for (std::size_t i = 0; i < chunk_size; ++i) spare_.push_back(&chunks_.back()[i]);
  }
  block* b = spare_.back();
  spare_.pop_back();
  b->owner = this;
  b->before = b->after = nullptr;
  b->home = nullptr;
  b->others.clear();
  return b;
}

void pool::drop_block(block* b) {
  b->data = nullptr;  // see snapshot
  b->others.clear();
  spare_.push_back(b);
}

block* pool::new_segment(std::int64_t bytes, block::kind_t kind, queue* q) {
  if (limit_ > 0 && bytes > limit_ - total_) return nullptr;
  char* const data = static_cast<char*>(source_->allocate(bytes, q));
  if (!data) return nullptr;
  block* b = new_block();
  b->data = data;
  b->bytes = bytes;
  b->kind = kind;
  b->free = false;
  b->home = q;
  // Work that is to follow the allocation finds it counted.
  b->at = q && source_->ordered() ? q->advance() : 0;
  total_ += bytes;
  traffic_.acquired += bytes;
  return b;
}

// A new segment; of the request's own size where the usual one finds no room.
block* pool::grow(std::int64_t size, queue* q) {
  const pool_options& o = options_;
  const bool small = size <= o.small_request;
  const std::int64_t usual = small ? o.small_segment
                             : size <= o.medium_request
                                 ? o.medium_segment
                                 : (size + o.large_step - 1) / o.large_step * o.large_step;
  auto kind = small ? block::kind_t::small : block::kind_t::large;
  if (usual >= o.oversize) kind = block::kind_t::oversize;
  block* b = new_segment(usual, kind, q);
  if (!b && usual > size) b = new_segment(size, kind, q);
  if (!b) return nullptr;
  insert_free(b);
  return carve(b, size);
}

// With nothing else left, an oversize segment is split after all.
block* pool::find_oversize(std::int64_t size) {
  for (auto& entry : arenas_) {
    block* b = entry.second->large.best(size, [](const block&) { return true; });
    if (b) return carve(b, size, true);
  }
  return nullptr;
}

bool pool::worth_splitting(const block& b, std::int64_t size) const {
  const std::int64_t rest = b.bytes - size;
  if (b.kind == block::kind_t::small) return rest >= options_.granularity;
  return b.kind == block::kind_t::large && rest >= options_.small_request;
}

// Takes a free block off its list and keeps its first `size` bytes; the rest stays free.
block* pool::carve(block* b, std::int64_t size, bool split_oversize) {
  const bool split =
      worth_splitting(*b, size) || (split_oversize && b->bytes - size >= options_.small_request);
  block* rest = split ? new_block() : nullptr;
  if (rest) rest->others = b->others;  // may throw: nothing has been changed yet
  remove_free(b);
  if (!rest) return b;
  if (b->kind == block::kind_t::oversize) b->kind = block::kind_t::large;
  rest->data = b->data + size;
  rest->bytes = b->bytes - size;
  rest->kind = b->kind;
  rest->home = b->home;
  rest->at = b->at;
  rest->before = b;
  rest->after = b->after;
  if (b->after) b->after->before = rest;
  b->after = rest;
  b->bytes = size;
  insert_free(rest);
  return b;
}

void pool::insert_free(block* b) {
  b->free = true;
  arena_of(b->home).of(b->kind).insert(b);
  ++free_count_;
}

void pool::remove_free(block* b) {
  b->free = false;
  arena_of(b->home).of(b->kind).remove(b);
  --free_count_;
}

// Two neighbours become one; the second one's record is spare. Neither is on a list.
block* pool::join(block* first, block* second) {
  for (const use& u : second->others) note_use(first, u);
  if (second->home == first->home) {
    first->at = std::max(first->at, second->at);
  } else if (second->home) {
    note_use(first, {second->home, second->at});
  }
  first->bytes += second->bytes;
  first->after = second->after;
  if (first->after) first->after->before = first;
  drop_block(second);
  return first;
}

// Joins b, on no list, with its free neighbours: those of its queue, or of any.
block* pool::coalesce(block* b, bool any_home) {
  if (block* n = b->after; n && n->free && (any_home || n->home == b->home)) {
    remove_free(n);
    b = join(b, n);
  }
  if (block* n = b->before; n && n->free && (any_home || n->home == b->home)) {
    remove_free(n);
    b = join(n, b);
  }
  // A segment that was split in need is kept whole again.
  if (b->is_whole_segment() && b->kind == block::kind_t::large && b->bytes >= options_.oversize) {
    b->kind = block::kind_t::oversize;
  }
  return b;
}

void pool::coalesce_all() {
  std::vector<block*> firsts;  // of runs of free blocks
  for (auto& entry : arenas_) {
    const auto collect = [&](block* b) {
      if (b->after && b->after->free && !(b->before && b->before->free)) firsts.push_back(b);
    };
    entry.second->small.for_each(collect);
    entry.second->large.for_each(collect);
  }
  for (block* b : firsts) {
    remove_free(b);
    while (b->after && b->after->free) b = coalesce(b, true);
    insert_free(b);
  }
}

namespace {

// A queue that fails has no use of the memory any more.
void settle(queue* q, const use& u) noexcept {
  try {
    order_after(q, u);
  } catch (...) {
    if (q) settle(nullptr, u);
  }
}

}  // namespace

// b is a whole segment and on no list. Work that still uses it is waited for, by the host or, where
// the upstream takes it back in order, by the block's queue.
void pool::give_back(block* b) noexcept {
  const waiting_allowed here;
  queue* const q = source_->ordered() ? b->home : nullptr;
  if (!q) settle(nullptr, {b->home, b->at});
  for (const use& u : b->others) settle(q, u);
  source_->release(b->data, b->bytes, q);
  total_ -= b->bytes;
  traffic_.given_back += b->bytes;
  drop_block(b);
}

void pool::give_back_free_segments() {
  settle_recent();
  coalesce_all();
  std::vector<block*> whole;
  for (auto& entry : arenas_) {
    const auto collect = [&](block* b) {
      if (b->is_whole_segment()) whole.push_back(b);
    };
    entry.second->small.for_each(collect);
    entry.second->large.for_each(collect);
  }
  for (block* b : whole) {
    remove_free(b);
    give_back(b);
  }
}

void pool::free_all_blocks() {
  check_wait(options_.where, "free_all_blocks");
  const auto told = hook();
  std::int64_t given_back;
  {
    std::lock_guard lock(mutex_);
    given_back = -traffic_.given_back;
    give_back_free_segments();
    given_back += traffic_.given_back;
    source_->trim();
  }
  if (told) tell_given_back(*told, given_back);
}

// Gives whole segments back, the largest first, until no more than max_cached bytes are free.
void pool::trim() {
  settle_recent();
  std::vector<block*> whole;
  for (auto& entry : arenas_) {
    entry.second->large.for_each([&](block* b) {
      if (b->is_whole_segment()) whole.push_back(b);
    });
  }
  std::sort(whole.begin(), whole.end(), [](auto* a, auto* b) { return a->bytes > b->bytes; });
  for (block* b : whole) {
    if (total_ - used_ <= options_.max_cached) return;
    remove_free(b);
    give_back(b);
  }
}

namespace {

std::string bytes_text(std::int64_t n) {
  if (n < 0) return "unknown";
  std::string text = std::to_string(n);
  if (n >= (1 << 20)) text += " (" + std::to_string(n >> 20) + " MiB)";
  return text;
}

}  // namespace

void pool::fail(std::int64_t requested) {
  settle_recent();
  std::int64_t largest = 0;
  for (auto& entry : arenas_) {
    const auto look = [&](block* b) { largest = std::max(largest, b->bytes); };
    entry.second->small.for_each(look);
    entry.second->large.for_each(look);
  }
  std::string text = "out of memory on " + options_.name + ": requested " + bytes_text(requested) +
                     " bytes, used " + bytes_text(used_) + ", free in the pool " +
                     bytes_text(total_ - used_) + ", largest free block " + bytes_text(largest) +
                     ", reserved by the pool " + bytes_text(total_) + ", free on the device " +
                     bytes_text(source_->free_bytes());
  if (limit_ > 0) text += ", limit of the pool " + bytes_text(limit_);
  throw out_of_memory(text);
}

namespace {

std::string address_text(const void* p) {
  std::ostringstream text;
  text << p;
  return text.str();
}

const char* name_of(block::kind_t k) {
  return k == block::kind_t::small ? "small" : k == block::kind_t::large ? "large" : "oversize";
}

std::string segment_text(const block& first) {
  std::int64_t bytes = 0;
  std::string blocks;
  for (const block* b = &first; b; b = b->after) {
    bytes += b->bytes;
    const queue* const q = b->free ? b->home : b->taken_for;
    blocks += "  " + address_text(b->data) + (b->free ? " free " : " used ") +
              std::to_string(b->bytes) + ", " +
              (q ? "stream " + address_text(q->handle()) : "host") + '\n';
  }
  return "segment " + address_text(first.data) + ": " + std::to_string(bytes) + " bytes, " +
         name_of(first.kind) + '\n' + blocks;
}

}  // namespace

std::string pool::snapshot() {
  std::lock_guard lock(mutex_);
  settle_recent();
  std::vector<const block*> firsts;
  for (const auto& chunk : chunks_) {
    for (std::size_t i = 0; i < chunk_size; ++i) {
      if (chunk[i].data && !chunk[i].before) firsts.push_back(&chunk[i]);
    }
  }
  std::sort(firsts.begin(), firsts.end(), [](auto* a, auto* b) { return a->data < b->data; });
  std::string text = options_.name + ": " + std::to_string(firsts.size()) + " segments, " +
                     bytes_text(total_) + " bytes, used " + bytes_text(used_) + ", peak " +
                     bytes_text(peak_) + (limit_ > 0 ? ", limit " + bytes_text(limit_) : "") + '\n';
  for (const block* b : firsts) text += segment_text(*b);
  return text;
}

}  // namespace numwarp::runtime
