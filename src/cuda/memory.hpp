// Where the pools get their segments.
#pragma once

#include <memory>

#include "runtime/pool.hpp"

namespace numwarp::cuda_backend {

std::unique_ptr<runtime::pool> make_device_pool(int index);

}  // namespace numwarp::cuda_backend
