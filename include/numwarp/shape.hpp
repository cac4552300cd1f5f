// Shapes, strides and axes: short lists of int64 that live inside their owner up to rank six.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>

namespace numwarp {

// NumPy's limit. More axes throw value_error.
inline constexpr int max_ndim = 64;

namespace detail {

template <class T>
concept extent_type = std::integral<T> && !std::same_as<T, bool>;

[[noreturn]] void throw_extent(std::uint64_t value);

template <extent_type T> constexpr std::int64_t checked_extent(T n) {
  if constexpr (sizeof(T) == 8 && !std::signed_integral<T>) {
    if (n > T(INT64_MAX)) throw_extent(n);
  }
  return std::int64_t(n);
}

}  // namespace detail

// A list of int64 with room for six inside, more on the heap: the type of strides. Indices are not
// checked.
class dims {
 public:
  dims() = default;
  explicit dims(std::span<const std::int64_t> v) { assign(v.data(), v.size()); }
  dims(std::int64_t n, std::int64_t fill) {
    resize(n);
    for (std::int64_t& v : *this) v = fill;
  }
  dims(const dims& o) { copy(o); }
  dims(dims&& o) noexcept { steal(o); }
  dims& operator=(const dims& o) {
    if (this != &o) copy(o);
    return *this;
  }
  dims& operator=(dims&& o) noexcept {
    if (this != &o) steal(o);
    return *this;
  }

  std::int64_t* data() { return heap_ ? heap_.get() : inline_.data(); }
  const std::int64_t* data() const { return heap_ ? heap_.get() : inline_.data(); }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t* begin() { return data(); }
  std::int64_t* end() { return data() + size_; }
  const std::int64_t* begin() const { return data(); }
  const std::int64_t* end() const { return data() + size_; }
  std::int64_t& operator[](int i) { return data()[i]; }
  std::int64_t operator[](int i) const { return data()[i]; }
  std::int64_t back() const { return data()[size_ - 1]; }
  operator std::span<const std::int64_t>() const { return {data(), std::size_t(size_)}; }

  // Keeps the first min(size, n) values; new ones are unset.
  void resize(std::int64_t n) {
    if (n > capacity_) grow(n);
    size_ = int(n);
  }
  void push_back(std::int64_t v) {
    resize(size_ + 1);
    data()[size_ - 1] = v;
  }
  void insert(int at, std::int64_t v);
  void erase(int at);
  void clear() { size_ = 0; }

  friend bool operator==(const dims& a, const dims& b) {
    if (a.size_ != b.size_) return false;
    const std::int64_t *x = a.data(), *y = b.data();
    for (int i = 0; i < a.size_; ++i) {
      if (x[i] != y[i]) return false;
    }
    return true;
  }

 private:
  static constexpr int room = 6;
  void grow(std::int64_t n);
  void assign(const std::int64_t* p, std::size_t n) {
    size_ = 0;
    resize(std::int64_t(n));
    for (std::size_t i = 0; i < n; ++i) data()[i] = p[i];
  }
  void copy(const dims& o) {
    if (heap_ || o.heap_) return assign(o.data(), std::size_t(o.size_));
    size_ = o.size_;
    inline_ = o.inline_;  // a few moves, whatever the size
  }
  void steal(dims& o) noexcept {
    heap_ = std::move(o.heap_);
    capacity_ = o.capacity_;
    size_ = o.size_;
    inline_ = o.inline_;
    o.size_ = 0;
    o.capacity_ = room;
  }

  int size_ = 0;
  int capacity_ = room;
  std::array<std::int64_t, room> inline_{};
  std::unique_ptr<std::int64_t[]> heap_;
};

// The extents of an array: zeros<float>({3, 4}), zeros<float>(5), or any range of integers.
// Extents of any integral type are accepted; one that int64 cannot hold throws overflow_error.
class shape : public dims {
 public:
  shape() = default;
  shape(const dims& d) : dims(d) {}
  shape(dims&& d) noexcept : dims(std::move(d)) {}
  template <detail::extent_type... N>
  requires(sizeof...(N) > 0) shape(N... n) {
    resize(sizeof...(N));
    std::int64_t* p = data();
    ((*p++ = detail::checked_extent(n)), ...);
  }
  template <class Range>
  requires requires(const Range& r) {
    { *std::begin(r) } -> std::convertible_to<std::int64_t>;
    std::end(r);
  } &&(!std::derived_from<Range, dims>)shape(const Range& r) {
    for (const auto& n : r) push_back(detail::checked_extent(n));
  }
};

// The axes of a reduction or of a permutation: {0, 1}, or one integer; negative ones count from the
// end. Default-constructed it means "all axes" (None).
class axes {
 public:
  axes() = default;
  axes(int axis) : given_(true), list_(1, axis) {}
  axes(std::initializer_list<int> list) : given_(true) {
    for (int a : list) list_.push_back(a);
  }
  explicit axes(std::span<const std::int64_t> list) : given_(true), list_(list) {}
  bool given() const { return given_; }
  const dims& list() const { return list_; }

 private:
  bool given_ = false;
  dims list_;
};

// "(3, 4)", "(5,)", "()": as Python writes a tuple.
std::string to_string(const dims& d);

}  // namespace numwarp
