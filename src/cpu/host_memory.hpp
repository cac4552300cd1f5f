// Memory of the CPU backend, from the system.
#pragma once

#include <cstdint>

namespace numwarp::cpu_backend {

// Aligned to 64 bytes; large blocks are aligned to, and asked of the system in, huge pages, since
// faulting in a fresh array by small pages costs several times what writing it does.
// Null where the system has none.
void* host_allocate(std::int64_t bytes);
void host_release(void* p);

}  // namespace numwarp::cpu_backend
