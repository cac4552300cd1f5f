// Which devices there are, and why not.
#pragma once

#include <string>

namespace numwarp::cuda_backend {

// The devices that the driver shows; 0 with a reason where there are none.
struct driver_state {
  int devices = 0;
  std::string problem;
};
const driver_state& driver();

// Asked once: queries cost microseconds to milliseconds.
struct device_facts {
  std::string name;
  int multiprocessors = 1;
  int major = 0, minor = 0;
};
// Throws cuda_error.
device_facts query_device(int index);

}  // namespace numwarp::cuda_backend
