// Which devices there are, and why not.
#pragma once

#include <numwarp/device.hpp>
#include <string>

namespace numwarp::cuda_backend {

// The devices that the driver shows; 0 with a reason where there are none.
struct driver_state {
  int devices = 0;
  std::string problem;
};
const driver_state& driver();

// To be asked once: it takes microseconds to milliseconds. Throws cuda_error.
device_properties query_device(int index);

}  // namespace numwarp::cuda_backend
