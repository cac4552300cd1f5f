// Device memory as bytes, for programs that manage it themselves.
#pragma once

#include <numwarp/ndarray.hpp>
#include <numwarp/stream.hpp>
#include <optional>

namespace numwarp {

// offset: where in the buffer a copy begins, in bytes. stream: the one that it runs on, instead of
// the device's current one. blocking: without it, the copy may be under way when the call returns,
// if the host's memory is page-locked; it must then stay until the stream has got there.
struct buffer_options {
  std::int64_t offset = 0;
  std::optional<numwarp::stream> stream = {};
  bool blocking = true;
};

// Bytes on one device, from its pool. A handle: copies mean the same memory. Work runs after what
// the library has put on the buffer before. Copies to and from the host have happened when they
// return, unless they are not blocking; copies between buffers and fills are never waited for. All
// throw index_error for a range that does not lie in the buffer and device_error for a stream of
// another device, before anything is done.
class device_buffer {
 public:
  // Unset bytes. Throws value_error for a negative size, out_of_memory.
  explicit device_buffer(std::int64_t bytes, numwarp::device d = default_device());

  std::int64_t size() const { return bytes_.size(); }
  numwarp::device device() const { return bytes_.device(); }
  // The address on the device. Later operations of the library on the buffer are launched at their
  // call.
  void* data() const { return bytes_.mutable_data(); }

  void copy_from_host(const void* from, std::int64_t bytes, const buffer_options& o = {}) const;
  void copy_to_host(void* to, std::int64_t bytes, const buffer_options& o = {}) const;
  // The first `bytes` of `from`, which may be on another device, or to `to`: the offset is in this
  // buffer. The stream is one of the device that is copied to.
  void copy_from(const device_buffer& from, std::int64_t bytes, const buffer_options& o = {}) const;
  void copy_to(const device_buffer& to, std::int64_t bytes, const buffer_options& o = {}) const;
  void memset(std::uint8_t value, std::int64_t bytes, const buffer_options& o = {}) const;
  void fill(std::uint8_t value) const { memset(value, size()); }

  // Elements that begin `offset` bytes into the buffer, as an array that shares them.
  template <element T> ndarray<T> as(const shape& s, std::int64_t offset = 0) const {
    return ndarray<T>::from_any_unchecked(as(s, dtype_of<T>, offset));
  }
  // All bytes as an array.
  const ndarray<std::uint8_t>& bytes() const { return bytes_; }

 private:
  any_array as(const shape& s, dtype t, std::int64_t offset) const;
  // The part that a call is about; throws where it is not there, or its stream is another device's.
  any_array part(std::int64_t bytes, const buffer_options& o, const char* function) const;
  ndarray<std::uint8_t> bytes_;
};

}  // namespace numwarp
