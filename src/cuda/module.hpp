// Users' kernels on a CUDA device.
#pragma once

#include <memory>
#include <string>

#include "runtime/module.hpp"

namespace numwarp::cuda_backend {

// Both throw cuda_error where the driver does not take the code; what they return does as well,
// since the driver reads some code only when it is asked for something in it.
std::shared_ptr<runtime::device_module> compile_module(int device, int arch,
                                                       const std::string& source,
                                                       const module_options& o);
std::shared_ptr<runtime::device_module> load_module(int device, const std::string& binary,
                                                    const std::string& called);

}  // namespace numwarp::cuda_backend
