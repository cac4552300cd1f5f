// Views through strides of the caller's choice.
#include <numwarp/error.hpp>
#include <numwarp/stride_tricks.hpp>

#include "plan/layout.hpp"
#include "runtime/output.hpp"
#include "runtime/storage.hpp"

namespace numwarp::detail {

namespace {

// Bytes from the first to behind the last that the elements touch; nothing where int64 cannot hold
// them.
std::optional<plan::byte_range> reach(const layout& l) {
  plan::byte_range r{l.offset, l.offset};
  if (plan::size(l.shape) == 0) return r;
  r.high += itemsize(l.type);
  for (int i = 0; i < l.shape.size(); ++i) {
    std::int64_t span;
    std::int64_t& end = l.strides[i] < 0 ? r.low : r.high;
    if (__builtin_mul_overflow(l.shape[i] - 1, l.strides[i], &span) ||
        __builtin_add_overflow(end, span, &end)) {
      return std::nullopt;
    }
  }
  return r;
}

void check_reach(const layout& l, std::int64_t bytes) {
  const auto r = reach(l);
  if (r && r->low >= 0 && r->high <= bytes) return;
  std::string text = "as_strided: shape " + to_string(l.shape) + " with strides " +
                     to_string(l.strides) + " reaches beyond the buffer of " +
                     std::to_string(bytes) + " bytes";
  if (r) text += ", to bytes [" + std::to_string(r->low) + ", " + std::to_string(r->high) + ")";
  throw value_error(text);
}

void check_strides(const layout& l) {
  if (l.strides.size() != l.shape.size()) {
    throw value_error("as_strided: shape " + to_string(l.shape) + " and strides " +
                      to_string(l.strides) + " must have the same length");
  }
  for (std::int64_t stride : l.strides) {
    if (stride % itemsize(l.type) == 0) continue;
    throw value_error("as_strided: strides must be multiples of the element's size, " +
                      std::to_string(itemsize(l.type)) + " bytes, got " + to_string(l.strides));
  }
}

}  // namespace

any_array as_strided(const any_array& a, const shape& s, const dims& strides, bool writeable) {
  const any_array& r = resolved(a, "as_strided").compute();
  check_rank(s, "as_strided");
  plan::checked_size(s, "as_strided");
  layout l = access::lay(r, "as_strided");
  l.shape = s;
  l.strides = strides;
  l.writeable = l.writeable && writeable;
  l.view = true;
  check_strides(l);
  check_reach(l, access::store(r)->bytes);
  return access::make(access::store(r), std::move(l));
}

namespace {

// The axes of a that the window's extents lie along.
dims window_axes(const layout& l, const shape& window, const axes& along) {
  const int n = l.shape.size();
  if (!along.given()) {
    if (window.size() != n) {
      throw value_error(
          "sliding_window_view: Since axis is `None`, must provide window_shape for all "
          "dimensions of `x`; got " +
          std::to_string(window.size()) + " window_shape elements and `x.ndim` is " +
          std::to_string(n) + ".");
    }
    dims all;
    for (int i = 0; i < n; ++i) all.push_back(i);
    return all;
  }
  dims list;  // an axis may be named twice
  for (std::int64_t axis : along.list())
    list.push_back(plan::normalize_axis(axis, n, "sliding_window_view"));
  if (window.size() != list.size()) {
    throw value_error(
        "sliding_window_view: Must provide matching length window_shape and axis; got " +
        std::to_string(window.size()) + " window_shape elements and " +
        std::to_string(list.size()) + " axes elements.");
  }
  return list;
}

}  // namespace

any_array sliding_window_view(const any_array& a, const shape& window, const axes& along,
                              bool writeable) {
  const any_array& r = resolved(a, "sliding_window_view").compute();
  layout l = access::lay(r, "sliding_window_view");
  for (std::int64_t n : window) {
    if (n >= 0) continue;
    throw value_error("sliding_window_view: `window_shape` cannot contain negative values, got " +
                      to_string(window));
  }
  const dims list = window_axes(l, window, along);
  for (int k = 0; k < list.size(); ++k) {
    const int axis = int(list[k]);
    if (l.shape[axis] < window[k]) {
      throw value_error(
          "sliding_window_view: window shape cannot be larger than input array shape, got " +
          to_string(window) + " and " + to_string(r.shape()));
    }
    l.shape[axis] -= window[k] - 1;
    l.strides.push_back(l.strides[axis]);
  }
  for (std::int64_t n : window) l.shape.push_back(n);
  check_rank(l.shape, "sliding_window_view");
  plan::checked_size(l.shape, "sliding_window_view");
  l.writeable = l.writeable && writeable;
  l.view = true;
  return access::make(access::store(r), std::move(l));
}

}  // namespace numwarp::detail
