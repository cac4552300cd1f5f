#include <numwarp/device_buffer.hpp>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/output.hpp"
#include "runtime/transfer.hpp"

namespace numwarp {

using detail::access;

device_buffer::device_buffer(std::int64_t bytes, numwarp::device d)
    : bytes_(detail::empty(shape(bytes), dtype::uint8, d, order::c, "device_buffer")) {}

any_array device_buffer::part(std::int64_t bytes, const buffer_options& o,
                              const char* function) const {
  if (o.offset < 0 || bytes < 0 || o.offset > size() || bytes > size() - o.offset) {
    throw index_error(std::string(function) + ": " + std::to_string(bytes) + " bytes at offset " +
                      std::to_string(o.offset) + " of a buffer of " + std::to_string(size()));
  }
  if (o.stream && !(o.stream->device() == device())) {
    throw device_error(std::string(function) + ": the stream is on " +
                       to_string(o.stream->device()) + ", the bytes go to " + to_string(device()));
  }
  const detail::subscript range[] = {slice(o.offset, o.offset + bytes)};
  return bytes_.untyped().subscript(range);
}

namespace {

// The elements' storage, on the stream of a call for as long as it lives.
class on_stream {
 public:
  on_stream(const any_array& a, const buffer_options& o)
      : store(*access::store(a)), offset(access::lay(a, "device_buffer").offset) {
    if (o.stream) guard_.emplace(*o.stream);
    store.compute();
  }
  detail::storage& store;
  const std::int64_t offset;

 private:
  std::optional<stream_guard> guard_;
};

void copy(const any_array& to, const any_array& from, const buffer_options& o) {
  const on_stream target(to, o);
  detail::storage& source = *access::store(from);
  if (&source == &target.store) {  // the ranges may overlap
    any_array moved = from;
    return detail::assign(to, {&moved, true, {}}, "copy");
  }
  source.compute();
  target.store.launch_readers();
  runtime::copy_bytes(target.store, target.offset, source, access::lay(from, "copy").offset,
                      to.nbytes(), o.blocking);
}

}  // namespace

void device_buffer::copy_from_host(const void* from, std::int64_t bytes,
                                   const buffer_options& o) const {
  const any_array to = part(bytes, o, "copy_from_host");
  const on_stream target(to, o);
  target.store.launch_readers();
  runtime::write_bytes(target.store, target.offset, from, bytes, o.blocking);
}

void device_buffer::copy_to_host(void* to, std::int64_t bytes, const buffer_options& o) const {
  const any_array from = part(bytes, o, "copy_to_host");
  if (o.blocking) runtime::check_wait(device(), "copy_to_host");
  const on_stream source(from, o);
  runtime::read_bytes(to, source.store, source.offset, bytes, o.blocking);
}

void device_buffer::copy_from(const device_buffer& from, std::int64_t bytes,
                              const buffer_options& o) const {
  const any_array to = part(bytes, o, "copy_from");
  copy(to, from.part(bytes, {}, "copy_from"), o);
}

void device_buffer::copy_to(const device_buffer& to, std::int64_t bytes,
                            const buffer_options& o) const {
  const any_array from = part(bytes, {o.offset}, "copy_to");
  copy(to.part(bytes, {0, o.stream}, "copy_to"), from, o);
}

void device_buffer::memset(std::uint8_t value, std::int64_t bytes, const buffer_options& o) const {
  const any_array to = part(bytes, o, "memset");
  const on_stream target(to, o);
  detail::assign(to, {nullptr, false, value}, "memset");
}

any_array device_buffer::as(const shape& s, dtype t, std::int64_t offset) const {
  const std::int64_t bytes = plan::checked_bytes(s, itemsize(t), "as");
  if (offset % itemsize(t) != 0) {
    throw value_error("as: offset " + std::to_string(offset) + " is no multiple of " +
                      std::string(name(t)) + "'s " + std::to_string(itemsize(t)) + " bytes");
  }
  return part(bytes, {offset}, "as").view(t).reshape(s);
}

}  // namespace numwarp
