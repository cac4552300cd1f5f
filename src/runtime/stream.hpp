// The queue behind a stream of the user's.
#pragma once

#include <numwarp/stream.hpp>

#include "runtime/queue.hpp"

namespace numwarp::runtime {

struct stream_access {
  // Null on the CPU. Throws value_error for a stream that is closed or has been moved from.
  static const std::shared_ptr<queue>& queue_of(const stream& s, const char* function);
};

}  // namespace numwarp::runtime
