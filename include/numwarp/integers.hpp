// One integer or a list of them, as a function's argument: roll(a, 2), roll(a, {1, 2}).
#pragma once

#include <initializer_list>
#include <numwarp/shape.hpp>

namespace numwarp {

namespace detail {
template <class T>
concept extent_value = extent_type<std::remove_cvref_t<T>>;
}

// Any integral type is taken; one that int64 cannot hold throws overflow_error. {3} is a list of
// one, which some functions tell from 3.
class integers {
 public:
  template <detail::extent_type T>
  integers(T n) : single_(true), list_(1, detail::checked_extent(n)) {}
  integers(std::initializer_list<std::int64_t> list) {
    for (std::int64_t n : list) list_.push_back(n);
  }
  template <class Range>
  requires requires(const Range& r) {
    { *std::begin(r) } -> detail::extent_value;
    std::end(r);
  }
  integers(const Range& r) {
    for (const auto& n : r) list_.push_back(detail::checked_extent(n));
  }
  bool single() const { return single_; }
  const dims& list() const { return list_; }
  int size() const { return list_.size(); }
  std::int64_t operator[](int i) const { return list_[i]; }

 private:
  bool single_ = false;
  dims list_;
};

}  // namespace numwarp
