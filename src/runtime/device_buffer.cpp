#include <numwarp/device_buffer.hpp>
#include <numwarp/error.hpp>
#include <numwarp/transfer.hpp>

#include "plan/layout.hpp"
#include "runtime/output.hpp"
#include "runtime/storage.hpp"

namespace numwarp {

using detail::access;

device_buffer::device_buffer(std::int64_t bytes, numwarp::device d)
    : bytes_(detail::empty(shape(bytes), dtype::uint8, d, order::c, "device_buffer")) {}

any_array device_buffer::part(std::int64_t offset, std::int64_t bytes, const char* function) const {
  if (offset < 0 || bytes < 0 || offset > size() || bytes > size() - offset) {
    throw index_error(std::string(function) + ": " + std::to_string(bytes) + " bytes at offset " +
                      std::to_string(offset) + " of a buffer of " + std::to_string(size()));
  }
  const detail::subscript range[] = {slice(offset, offset + bytes)};
  return bytes_.untyped().subscript(range);
}

namespace {

// Memory of the host for the length of one copy.
any_array host_bytes(const void* p, std::int64_t bytes) {
  return detail::wrap(const_cast<void*>(p), shape(bytes), dims(1, 1), dtype::uint8, cpu, true,
                      false, {});
}

void copy_all(const any_array& to, const any_array& from, bool blocking, const char* function) {
  detail::transfer(from, to.device(), {&to, nullptr, blocking}, function);
}

}  // namespace

void device_buffer::copy_from_host(const void* from, std::int64_t bytes,
                                   std::int64_t offset) const {
  const any_array to = part(offset, bytes, "copy_from_host");
  copy_all(to, host_bytes(from, bytes), true, "copy_from_host");
}

void device_buffer::copy_to_host(void* to, std::int64_t bytes, std::int64_t offset) const {
  const any_array from = part(offset, bytes, "copy_to_host");
  copy_all(host_bytes(to, bytes), from, true, "copy_to_host");
}

void device_buffer::copy_from(const device_buffer& from, std::int64_t bytes,
                              std::int64_t offset) const {
  const any_array to = part(offset, bytes, "copy_from");
  copy_all(to, from.part(0, bytes, "copy_from"), false, "copy_from");
}

any_array device_buffer::as(const shape& s, dtype t, std::int64_t offset) const {
  const std::int64_t bytes = plan::checked_bytes(s, itemsize(t), "as");
  if (offset % itemsize(t) != 0) {
    throw value_error("as: offset " + std::to_string(offset) + " is no multiple of " +
                      std::string(name(t)) + "'s " + std::to_string(itemsize(t)) + " bytes");
  }
  return part(offset, bytes, "as").view(t).reshape(s);
}

}  // namespace numwarp
