// Moving arrays between devices, with options.
#pragma once

#include <numwarp/creation.hpp>
#include <numwarp/stream.hpp>
#include <optional>
#include <type_traits>

namespace numwarp {

// out: an array of the same type and shape on the target device, which is returned. stream: the one
// that copies, instead of the current one. blocking: without it, a copy from or to pinned memory
// may be under way when the call returns; numwarp's own functions wait for it where they must, raw
// pointers need a synchronize(). Copies from and to ordinary host memory always block.
template <element T> struct transfer_options {
  ndarray<T> out = {};
  std::optional<numwarp::stream> stream = {};
  bool blocking = true;
};

namespace detail {
struct transfer_request {
  const any_array* out;
  const numwarp::stream* stream;
  bool blocking;
};
any_array transfer(const any_array& a, device d, const transfer_request& r, const char* function);

template <element T>
ndarray<T> transfer(const ndarray<T>& a, device d, const transfer_options<T>& o,
                    const char* function) {
  const any_array out(o.out.valid() ? o.out.untyped() : any_array());
  return ndarray<T>::from_any_unchecked(transfer(
      a.untyped(), d, {out.valid() ? &out : nullptr, o.stream ? &*o.stream : nullptr, o.blocking},
      function));
}
}  // namespace detail

// The elements of a on device d: a itself where it is there and no `out` is given. Throws
// value_error for an `out` of another shape, device_error for one on another device.
template <element T>
ndarray<T> to(const ndarray<T>& a, device d, const std::type_identity_t<transfer_options<T>>& o) {
  return detail::transfer(a, d, o, "to");
}
template <element T>
ndarray<T> asnumpy(const ndarray<T>& a, const std::type_identity_t<transfer_options<T>>& o) {
  return detail::transfer(a, cpu, o, "asnumpy");
}
// To the device of `out`, else to the default device.
template <element T>
ndarray<T> asarray(const ndarray<T>& a, const std::type_identity_t<transfer_options<T>>& o) {
  return detail::transfer(a, o.out.valid() ? o.out.device() : default_device(), o, "asarray");
}

}  // namespace numwarp
