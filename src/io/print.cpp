// Printing of arrays: brings what is to be read to the host, and hands it to the formatter.
#include <numwarp/detail/call.hpp>
#include <numwarp/error.hpp>
#include <numwarp/printing.hpp>
#include <ostream>

namespace numwarp {
namespace {

any_array part(const any_array& a, int axis, slice range) {
  std::vector<detail::subscript> items;
  for (int i = 0; i < axis; ++i) items.emplace_back(slice());
  items.emplace_back(range);
  return a.subscript(items);
}

// dst[...] = the corners of a: halves of every axis from `axis` on that is shorter in dst.
void copy_corners(const any_array& a, const any_array& dst, int axis) {
  for (; axis < a.ndim(); ++axis) {
    const std::int64_t kept = dst.shape()[axis], edge = kept / 2;
    if (kept == a.shape()[axis]) continue;
    copy_corners(part(a, axis, slice(none, edge)), part(dst, axis, slice(none, edge)), axis + 1);
    copy_corners(part(a, axis, slice(-edge, none)), part(dst, axis, slice(edge, none)), axis + 1);
    return;
  }
  any_array source = a;
  detail::assign(dst, {&source, false, {}}, "to_string");
}

// What printing reads, in the host's memory. One way for all devices, so that tests without a GPU
// see it.
any_array corners_of(const any_array& a, const printoptions& options) {
  const dims kept(detail::corner_shape(a.shape(), options));
  if (kept == a.shape()) return a.to(cpu);
  const any_array corners = detail::empty(kept, a.type(), a.device());
  copy_corners(a, corners, 0);
  return corners.to(cpu);
}

using formatter = std::string(const detail::host_view&, std::span<const std::int64_t>,
                              const printoptions&);

std::string format(const any_array& a, const char* function, formatter* text_of) {
  if (!a.valid()) {
    throw value_error(std::string(function) +
                      ": the array is null (default-constructed or moved from)");
  }
  const printoptions options = get_printoptions();
  const any_array c = corners_of(a, options);
  return text_of({c.type(), c.data(), c.shape(), c.strides()}, a.shape(), options);
}

}  // namespace

std::string to_string(const any_array& a) { return format(a, "to_string", detail::format_str); }

std::string repr(const any_array& a) { return format(a, "repr", detail::format_repr); }

// By write(), so that a width meant for numbers changes nothing; it is used up as by any insertion.
std::ostream& operator<<(std::ostream& out, const any_array& a) {
  const std::string text = format(a, "operator<<", detail::format_str);
  out.width(0);
  return out.write(text.data(), std::streamsize(text.size()));
}

}  // namespace numwarp
