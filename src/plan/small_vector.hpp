// A vector with room for N elements inside its owner: what one statement needs is made without an
// allocation. Only what the library uses of std::vector; elements must move without throwing.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <type_traits>
#include <utility>

namespace numwarp::plan {

template <class T, std::size_t N> class small_vector {
  static_assert(std::is_nothrow_move_constructible_v<T>);

 public:
  using value_type = T;

  small_vector() = default;
  small_vector(std::initializer_list<T> list) {
    reserve(list.size());
    for (const T& v : list) push_back(v);
  }
  small_vector(small_vector&& o) noexcept { steal(o); }
  small_vector(const small_vector& o) {
    reserve(o.size_);
    std::uninitialized_copy(o.begin(), o.end(), data_);
    size_ = o.size_;
  }
  small_vector& operator=(small_vector o) noexcept {
    release();
    steal(o);
    return *this;
  }
  ~small_vector() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }

  template <class... A> T& emplace_back(A&&... a) {
    if (size_ == capacity_) {
      T made(std::forward<A>(a)...);  // before what it may refer to moves
      reserve(2 * capacity_);
      return *std::construct_at(data_ + size_++, std::move(made));
    }
    T* const made = std::construct_at(data_ + size_, std::forward<A>(a)...);
    ++size_;  // only now: the constructor may have thrown
    return *made;
  }
  void push_back(const T& v) { emplace_back(v); }
  void push_back(T&& v) { emplace_back(std::move(v)); }
  void pop_back() { std::destroy_at(data_ + --size_); }
  void clear() {
    std::destroy_n(data_, size_);
    size_ = 0;
  }
  void resize(std::size_t n) {
    reserve(n);
    while (size_ < n) emplace_back();
    while (size_ > n) pop_back();
  }
  void reserve(std::size_t n) {
    if (n <= capacity_) return;
    T* const larger = std::allocator<T>().allocate(n);
    std::uninitialized_move(begin(), end(), larger);
    const std::size_t kept = size_;
    release();
    data_ = larger;
    size_ = kept;
    capacity_ = n;
  }

 private:
  T* inside() { return reinterpret_cast<T*>(room_); }
  void release() {
    clear();
    if (data_ != inside()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = inside();
    capacity_ = N;
  }
  // This one is empty and holds no memory.
  void steal(small_vector& o) noexcept {
    if (o.data_ != o.inside()) {
      data_ = std::exchange(o.data_, o.inside());
      capacity_ = std::exchange(o.capacity_, N);
      size_ = std::exchange(o.size_, 0);
    } else {
      std::uninitialized_move(o.begin(), o.end(), data_);
      size_ = o.size_;
      o.clear();
    }
  }

  T* data_ = inside();
  std::size_t size_ = 0, capacity_ = N;
  alignas(T) std::byte room_[N * sizeof(T)];
};

}  // namespace numwarp::plan
