// Subscripts: slice(start, stop, step), newaxis, ellipsis, integers, and arrays of integers or
// bools.
#pragma once

#include <cstdint>
#include <numwarp/detail/index_mode.hpp>
#include <numwarp/shape.hpp>
#include <optional>

namespace numwarp {

class any_array;

// An open end of a slice: slice(none, 3) is Python's [:3].
struct none_t {
  explicit constexpr none_t(int) {}
};
inline constexpr none_t none{0};

// A new axis of length one: Python's None or np.newaxis.
struct newaxis_t {
  explicit constexpr newaxis_t(int) {}
};
inline constexpr newaxis_t newaxis{0};

// As many whole axes as are left: Python's "...". At most one in a subscript (index_error).
struct ellipsis_t {
  explicit constexpr ellipsis_t(int) {}
};
inline constexpr ellipsis_t ellipsis{0};

// One bound of a slice: an integer or none.
class slice_bound {
 public:
  constexpr slice_bound(none_t) {}
  template <detail::extent_type T> constexpr slice_bound(T v) : value_(detail::checked_extent(v)) {}
  constexpr const std::optional<std::int64_t>& value() const { return value_; }

 private:
  std::optional<std::int64_t> value_;
};

// Python's slice with its signature: slice() is ":", slice(n) is ":n", slice(a, b) is "a:b".
// Bounds may be negative or beyond the end, as in Python. A step of zero throws value_error where
// it is used.
class slice {
 public:
  constexpr slice() = default;
  constexpr explicit slice(slice_bound stop) : stop_(stop) {}
  constexpr slice(slice_bound start, slice_bound stop, slice_bound step = none)
      : start_(start), stop_(stop), step_(step) {}
  constexpr const std::optional<std::int64_t>& start() const { return start_.value(); }
  constexpr const std::optional<std::int64_t>& stop() const { return stop_.value(); }
  constexpr const std::optional<std::int64_t>& step() const { return step_.value(); }

 private:
  slice_bound start_ = none, stop_ = none, step_ = none;
};

namespace detail {

// One entry of a subscript tuple.
struct subscript {
  enum kind_t : unsigned char { integer, range, new_axis, rest, array } kind;
  std::int64_t index = 0;
  slice bounds;
  const any_array* values = nullptr;  // an array's; outlives the subscript
  bool temporary = false;             // the array's elements may be taken over

  template <extent_type T> subscript(T i) : kind(integer), index(checked_extent(i)) {}
  subscript(const slice& s) : kind(range), bounds(s) {}
  subscript(newaxis_t) : kind(new_axis) {}
  subscript(ellipsis_t) : kind(rest) {}
  // Integers choose along one axis, bools along as many as they have.
  subscript(const any_array& a, bool owned = false) : kind(array), values(&a), temporary(owned) {}
};

}  // namespace detail
}  // namespace numwarp
