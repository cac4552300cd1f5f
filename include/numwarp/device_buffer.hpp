// Device memory as bytes, for programs that manage it themselves.
#pragma once

#include <numwarp/ndarray.hpp>

namespace numwarp {

// Bytes on one device, from its pool. A handle: copies mean the same memory. Copies run on the
// current stream, after what the library has put on the buffer, and have happened when they return;
// between two devices' memory the host does not wait. All throw index_error for a range that does
// not lie in the buffer, before anything is copied.
class device_buffer {
 public:
  // Unset bytes. Throws value_error for a negative size, out_of_memory.
  explicit device_buffer(std::int64_t bytes, numwarp::device d = default_device());

  std::int64_t size() const { return bytes_.size(); }
  numwarp::device device() const { return bytes_.device(); }
  // The address on the device. Later operations of the library on the buffer are launched at their
  // call.
  void* data() const { return bytes_.mutable_data(); }

  void copy_from_host(const void* from, std::int64_t bytes, std::int64_t offset = 0) const;
  void copy_to_host(void* to, std::int64_t bytes, std::int64_t offset = 0) const;
  // From the first `bytes` of `from` on, which may be on another device.
  void copy_from(const device_buffer& from, std::int64_t bytes, std::int64_t offset = 0) const;
  void fill(std::uint8_t value) const { bytes_.fill(value); }

  // Elements that begin `offset` bytes into the buffer, as an array that shares them.
  template <element T> ndarray<T> as(const shape& s, std::int64_t offset = 0) const {
    return ndarray<T>::from_any_unchecked(as(s, dtype_of<T>, offset));
  }
  // All bytes as an array.
  const ndarray<std::uint8_t>& bytes() const { return bytes_; }

 private:
  any_array as(const shape& s, dtype t, std::int64_t offset) const;
  any_array part(std::int64_t offset, std::int64_t bytes, const char* function) const;
  ndarray<std::uint8_t> bytes_;
};

}  // namespace numwarp
