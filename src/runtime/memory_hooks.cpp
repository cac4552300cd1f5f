#include <algorithm>
#include <map>
#include <mutex>
#include <numwarp/memory_hooks.hpp>
#include <ostream>
#include <sstream>

#include "runtime/trace.hpp"

namespace numwarp {

namespace {

std::string line_of(const memory_event& e) {
  std::ostringstream text;
  switch (e.what) {
    case memory_event::type::allocate:
      text << "allocate " << e.bytes << " bytes at " << e.address << " for " << e.requested;
      if (e.acquired > 0) text << ", " << e.acquired << " new from the device";
      break;
    case memory_event::type::free:
      text << "free " << e.bytes << " bytes at " << e.address;
      break;
    case memory_event::type::give_back:
      text << "give back " << e.bytes << " bytes to the device";
      break;
  }
  text << " (" << e.pool << ")\n";
  return text.str();
}

}  // namespace

memory_hook debug_print_hook(std::ostream& out) {
  // One hook may serve several pools and threads.
  return [&out, mutex = std::make_shared<std::mutex>()](const memory_event& e) {
    const std::string line = line_of(e);
    std::lock_guard lock(*mutex);
    out << line;
  };
}

struct line_profile_hook::table {
  std::mutex mutex;  // guards what follows
  std::map<std::string, entry> places;
};

line_profile_hook::line_profile_hook() : table_(std::make_shared<table>()) {}

void line_profile_hook::operator()(const memory_event& e) const {
  if (e.what != memory_event::type::allocate) return;
  std::string place = runtime::current_range();
  if (place.empty()) place = "(outside of ranges)";
  std::lock_guard lock(table_->mutex);
  entry& p = table_->places[place];
  ++p.allocations;
  p.used += e.bytes;
  p.acquired += e.acquired;
}

std::vector<line_profile_hook::entry> line_profile_hook::entries() const {
  std::vector<entry> all;
  {
    std::lock_guard lock(table_->mutex);
    for (const auto& [place, e] : table_->places) {
      all.push_back(e);
      all.back().place = place;
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const entry& a, const entry& b) { return a.used > b.used; });
  return all;
}

std::string line_profile_hook::report() const {
  std::ostringstream text;
  text << "  allocations    bytes used    bytes acquired  place\n";
  for (const entry& e : entries()) {
    text.width(13);
    text << e.allocations;
    text.width(14);
    text << e.used;
    text.width(18);
    text << e.acquired << "  " << e.place << '\n';
  }
  return text.str();
}

memory_hook_scope::~memory_hook_scope() {
  try {
    pool_.set_hook(std::move(before_));
  } catch (...) {  // no memory to put the one before back
    pool_.set_hook({});
  }
}

}  // namespace numwarp
