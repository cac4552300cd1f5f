// Hooks for memory_pool::set_hook: one that prints, one that counts by place in the program.
#pragma once

#include <iosfwd>
#include <memory>
#include <numwarp/memory.hpp>
#include <string>
#include <vector>

namespace numwarp {

// Prints each event as one line to `out`, which must outlive the hook.
memory_hook debug_print_hook(std::ostream& out);

// Counts what is allocated where. A place in the program is the chain of profiler::time_range
// scopes of the allocating thread, outermost first. A handle: copies count into the same table,
// which any number of pools and threads may do.
class line_profile_hook {
 public:
  struct entry {
    std::string place;  // "step > solve"; "(outside of ranges)"
    std::int64_t allocations = 0;
    std::int64_t used = 0;      // bytes allocated, freed or not
    std::int64_t acquired = 0;  // bytes that the pool took from the device for them
  };

  line_profile_hook();
  void operator()(const memory_event& e) const;

  std::vector<entry> entries() const;  // the largest `used` first
  std::string report() const;          // the same as a table

 private:
  struct table;
  std::shared_ptr<table> table_;
};

// A hook of a pool for a scope, for all threads; the one before comes back at its end.
class memory_hook_scope {
 public:
  memory_hook_scope(const memory_pool& p, memory_hook hook)
      : pool_(p), before_(pool_.set_hook(std::move(hook))) {}
  ~memory_hook_scope();
  memory_hook_scope(const memory_hook_scope&) = delete;
  memory_hook_scope& operator=(const memory_hook_scope&) = delete;

 private:
  memory_pool pool_;
  memory_hook before_;
};

}  // namespace numwarp
