// Elements between the host and devices, on the calling thread's current queue.
#pragma once

#include <numwarp/transfer.hpp>

#include "runtime/storage.hpp"

namespace numwarp::runtime {

// From memory of the host, which has been read when the call returns; without `blocking`, of
// page-locked memory, when the queue has got there.
void write_bytes(detail::storage& to, std::int64_t offset, const void* from, std::int64_t bytes,
                 bool blocking = true);
// To memory of the host. Waits; late errors of what made the elements are thrown. Without
// `blocking` neither, if the memory is page-locked.
void read_bytes(void* to, detail::storage& from, std::int64_t offset, std::int64_t bytes,
                bool blocking = true);
// Between any two devices. Blocking: has happened when the call returns, if the host takes part.
void copy_bytes(detail::storage& to, std::int64_t to_offset, detail::storage& from,
                std::int64_t offset, std::int64_t bytes, bool blocking = true);

}  // namespace numwarp::runtime
