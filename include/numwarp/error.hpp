// The exceptions of numwarp. Every message starts with the public function's name and holds the
// values that were wrong, in NumPy's words where NumPy has them.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace numwarp {

class error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class value_error : public error {
 public:
  using error::error;
};
class type_error : public error {
 public:
  using error::error;
};
class index_error : public error {
 public:
  using error::error;
};
// An axis that the array does not have: both a value and an index error in NumPy; here a value error.
class axis_error : public value_error {
 public:
  using value_error::value_error;
};
class overflow_error : public error {
 public:
  using error::error;
};
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
class out_of_memory : public error {
 public:
  using error::error;
};
class cuda_error : public device_error {
 public:
  using device_error::device_error;
};

}  // namespace numwarp
