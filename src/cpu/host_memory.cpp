#include "cpu/host_memory.hpp"

#include <cstdlib>

#if defined(__linux__)
#  include <sys/mman.h>
#  include <unistd.h>
#endif

namespace numwarp::cpu_backend {

namespace {

constexpr std::size_t small_alignment = 64;
constexpr std::size_t huge_page = std::size_t(1) << 21;

std::size_t physical_memory() {
#if defined(__linux__)
  static const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) return std::size_t(pages) * std::size_t(size);
#endif
  return SIZE_MAX - huge_page;
}

}  // namespace

void* host_allocate(std::int64_t bytes) {
  const std::size_t n = static_cast<std::size_t>(bytes);
  const bool large = n >= 2 * huge_page;
  const std::size_t alignment = large ? huge_page : small_alignment;
  // A system that overcommits would give it, and kill the process that touches it.
  if (n > physical_memory()) return nullptr;
  void* p = std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment);
#if defined(__linux__)
  if (p && large) madvise(p, n, MADV_HUGEPAGE);  // a wish; without it the pages are small
#endif
  return p;
}

void host_release(void* p) { std::free(p); }

}  // namespace numwarp::cpu_backend
