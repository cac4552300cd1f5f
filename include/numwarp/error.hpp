// The exceptions of numwarp. Every message starts with the public function's name and holds the
// values that were wrong, in NumPy's words where NumPy has them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace numwarp {

// The base of all.
class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A value that cannot be used: a shape, an option, a null or read-only array.
class value_error : public error {
 public:
  using error::error;
};
// An element type for which there is no such operation or conversion.
class type_error : public error {
 public:
  using error::error;
};
// A subscript out of bounds, or too many of them.
class index_error : public error {
 public:
  using error::error;
};
// An axis that the array does not have: both a value and an index error in NumPy; here a value
// error.
class axis_error : public value_error {
 public:
  using value_error::value_error;
};
// An integer that its type cannot hold.
class overflow_error : public error {
 public:
  using error::error;
};
// A matrix for which there is no result, such as a singular one.
class linalg_error : public error {
 public:
  using error::error;
};
// A file that cannot be opened, read, written or understood.
class io_error : public error {
 public:
  using error::error;
};
// A device that does not exist, cannot be used, or is not the one an operand lives on.
class device_error : public error {
 public:
  using error::error;
};
// Memory that the device does not have. What was asked for can be tried again.
class out_of_memory : public error {
 public:
  using error::error;
};
// Something that a graph cannot hold was called while one was captured.
class capture_error : public error {
 public:
  using error::error;
};
// A wait for a device inside profiler::allow_synchronize(false).
class synchronization_error : public error {
 public:
  using error::error;
};
// Source that does not compile. what() ends with the compiler's log.
class compile_error : public error {
 public:
  using error::error;
};
// What the CUDA runtime or driver reports.
class cuda_error : public device_error {
 public:
  using device_error::device_error;
};

}  // namespace numwarp
