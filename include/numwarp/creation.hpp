// New arrays. They are made on the default device unless `device` says otherwise.
//
// All throw value_error for negative or overflowing shapes, out_of_memory where there is no room,
// device_error for a device that is not there. None waits for a GPU, except that copies from the
// host's memory have read it when they return.
#pragma once

#include <cstring>
#include <initializer_list>
#include <memory>
#include <numwarp/ndarray.hpp>
#include <optional>
#include <span>
#include <vector>

namespace numwarp {

namespace detail {

// What a scalar or a braced list holds as an array: Python's int64, float64, bool, complex128;
// float and the sized complex types stay what they are.
template <class S> constexpr auto literal_element() {
  if constexpr (std::is_same_v<S, bool> || std::is_floating_point_v<S> ||
                !std::is_arithmetic_v<S>) {
    return element_for<S>{};
  } else {
    return std::conditional_t < sizeof(S) == 8 && std::is_unsigned_v<S>, std::uint64_t,
           std::int64_t > {};
  }
}
template <class S> using literal = decltype(literal_element<S>());

// Unnamed on purpose: a call with an explicit element type must not reach the deducing overloads.
struct deduced {};

}  // namespace detail

// Uninitialised elements, in C or F order.
template <element T = double>
ndarray<T> empty(const shape& s, order o = order::c, device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::empty(s, dtype_of<T>, d, o));
}

// Every element is `value` as a T. Throws overflow_error for an integer that T cannot hold.
template <element T, scalar_argument S>
ndarray<T> full(const shape& s, S value, order o = order::c, device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::full(s, dtype_of<T>, value, d, o));
}

// Without a type, as Python: full({2}, 7) is int64, full({2}, 0.5) float64.
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto full(const shape& s, S value, order o = order::c, device d = default_device()) {
  return full<detail::literal<S>>(s, value, o, d);
}

// Zeros (false), ones (true): zeros<float>({3, 4}), zeros(5) of float64.
template <element T = double>
ndarray<T> zeros(const shape& s, order o = order::c, device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::full(s, dtype_of<T>, false, d, o, "zeros"));
}

template <element T = double>
ndarray<T> ones(const shape& s, order o = order::c, device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::full(s, dtype_of<T>, true, d, o, "ones"));
}

namespace detail {

// An array like another in shape, layout and device.
any_array empty_like(const any_array& a, dtype t, order o = order::k, const shape* s = nullptr,
                     const char* function = "empty_like");
any_array full_like(const any_array& a, dtype t, const scalar& value, order o, const shape* s,
                    const char* function);
any_array wrap_foreign(void* data, const shape& s, dtype t, device d, bool writeable, bool stable,
                       callback<> release);

[[noreturn]] void throw_ragged();
void check_length(std::int64_t given, const shape& s, const char* function);

// What can be iterated and holds scalars; <ranges> would cost every program half a second.
template <class R>
using range_value = std::remove_cvref_t<decltype(*std::begin(std::declval<const R&>()))>;
template <class R>
concept scalar_range = requires(const R& r) {
  *std::begin(r);
  std::end(r);
}
&&scalar_argument<range_value<R>> && !array_argument<R>;

// Nested braces of elements of type T, checked to be a full box.
template <class T> class nested {
 public:
  template <scalar_argument S> nested(S value) : flat_{static_cast<T>(value)} {}
  nested(std::initializer_list<nested> list) {
    shape_.push_back(std::int64_t(list.size()));
    bool first = true;
    for (const nested& n : list) {
      if (first) {
        for (std::int64_t d : n.shape_) shape_.push_back(d);
      }
      check_same(n, first);
      first = false;
      flat_.insert(flat_.end(), n.flat_.begin(), n.flat_.end());
    }
  }
  const std::vector<T>& flat() const { return flat_; }
  const numwarp::shape& shape() const { return shape_; }

 private:
  void check_same(const nested& n, bool first) const {
    if (first) return;
    const std::span<const std::int64_t> mine = std::span<const std::int64_t>(shape_).subspan(1);
    const std::span<const std::int64_t> other = n.shape_;
    if (!std::equal(mine.begin(), mine.end(), other.begin(), other.end())) throw_ragged();
  }
  std::vector<T> flat_;
  numwarp::shape shape_;
};
template <element T>
ndarray<T> from_elements(const T* p, const shape& s, device d, const char* function = "array") {
  return ndarray<T>::from_any_unchecked(from_host(p, s, dtype_of<T>, d, function));
}

template <element T>
ndarray<T> from_vector(const std::vector<T>& v, const shape& s, device d,
                       const char* function = "array") {
  if constexpr (std::same_as<T, bool>) {
    const auto bytes = std::make_unique<bool[]>(v.size());
    std::copy(v.begin(), v.end(), bytes.get());
    return from_elements<bool>(bytes.get(), s, d, function);
  } else {
    return from_elements<T>(v.data(), s, d, function);
  }
}

// A range's elements in their own type.
template <scalar_range R>
auto from_range(const R& range, const std::optional<shape>& s, device d, const char* function) {
  using S = range_value<R>;
  using T = element_for<S>;
  if constexpr (requires { std::data(range); } && std::same_as<S, T>) {
    const std::int64_t n = std::int64_t(std::size(range));
    if (s) check_length(n, *s, function);
    return from_elements<T>(std::data(range), s ? *s : shape(n), d, function);
  } else {
    std::vector<T> v;
    for (auto&& x : range) v.push_back(static_cast<T>(x));
    if (s) check_length(std::int64_t(v.size()), *s, function);
    return from_vector<T>(v, s ? *s : shape(v.size()), d, function);
  }
}
// The same converted to T.
template <element T, scalar_range R>
ndarray<T> from_range_as(const R& range, const std::optional<shape>& s, device d,
                         const char* function) {
  if constexpr (std::same_as<element_for<range_value<R>>, T>) {
    return from_range(range, s, d, function);
  } else {
    ndarray<T> a = from_range(range, s, d, function).template astype<T>();
    a.compute();
    return a;
  }
}

// Collects nested lists of one scalar type.
template <class T> struct collected {
  std::vector<T> flat;
  numwarp::shape extents;

  template <class L> void add(std::initializer_list<L> list, int depth = 0) {
    if (extents.size() == depth) extents.push_back(std::int64_t(list.size()));
    if (extents[depth] != std::int64_t(list.size())) throw_ragged();
    for (const L& x : list) {
      if constexpr (scalar_argument<L>) {
        flat.push_back(static_cast<T>(x));
      } else {
        add(x, depth + 1);
      }
    }
  }
};

template <class S, class L>
ndarray<literal<S>> from_lists(std::initializer_list<L> list, device d) {
  collected<literal<S>> c;
  c.add(list);
  return from_vector<literal<S>>(c.flat, c.extents, d);
}

}  // namespace detail

// From nested braces: array<float>({{1, 2}, {3, 4}}), whose values are converted to float. Throws
// value_error for a ragged list.
template <element T> ndarray<T> array(const detail::nested<T>& list, device d = default_device()) {
  return detail::from_vector<T>(list.flat(), list.shape(), d);
}

// Without a type, as Python: array({1, 2}) is int64, array({1.5}) float64; up to four levels. The
// values must be of one C++ type: array({1, 2.5}) needs array<double>. value_error for a ragged
// list.
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto array(std::initializer_list<S> list, device d = default_device()) {
  return detail::from_lists<S>(list, d);
}
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto array(std::initializer_list<std::initializer_list<S>> list, device d = default_device()) {
  return detail::from_lists<S>(list, d);
}
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto array(std::initializer_list<std::initializer_list<std::initializer_list<S>>> list,
           device d = default_device()) {
  return detail::from_lists<S>(list, d);
}
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto array(
    std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<S>>>>
        list,
    device d = default_device()) {
  return detail::from_lists<S>(list, d);
}

// A 0-d array, of the types above. Deduced only, so that array<float>({1}) is a list of one.
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto array(S value, device d = default_device()) {
  using T = detail::literal<S>;
  const T v = static_cast<T>(value);
  return detail::from_elements<T>(&v, shape(), d);
}

// A copy of the host's elements: a pointer with a shape, a span or vector (with a shape, or
// one-dimensional), any other range of scalars. Ranges keep their element type (long long as
// int64). The host's memory may be reused when the call returns. Throws value_error where the
// number of elements is not the shape's.
template <element T> ndarray<T> array(const T* data, const shape& s, device d = default_device()) {
  return detail::from_elements<T>(data, s, d);
}
template <detail::scalar_range R>
auto array(const R& range, std::optional<shape> s = std::nullopt, device d = default_device()) {
  return detail::from_range(range, s, d, "array");
}
// dtype=: converted as astype converts, NumPy's rule for arrays: integers wrap, floats to integers
// saturate, complex to real drops the imaginary part.
template <element T, detail::scalar_range R>
ndarray<T> array(const R& range, std::optional<shape> s = std::nullopt,
                 device d = default_device()) {
  return detail::from_range_as<T>(range, s, d, "array");
}

// NumPy's asarray: an array is returned as it is (sharing its elements), host data is copied to the
// default device, or to the device given; see array() for what host data may be.
template <typed_array A> auto asarray(A&& a) { return std::remove_cvref_t<A>(std::forward<A>(a)); }
template <detail::scalar_range R>
auto asarray(const R& range, std::optional<shape> s = std::nullopt, device d = default_device()) {
  return detail::from_range(range, s, d, "asarray");
}
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto asarray(S value, device d = default_device()) {
  return array(value, d);
}
template <element T>
ndarray<T> asarray(const T* data, const shape& s, device d = default_device()) {
  return detail::from_elements<T>(data, s, d, "asarray");
}
// With a type: the array itself where it has that type, else a converted copy, as by astype.
template <element T, element U> ndarray<T> asarray(const ndarray<U>& a) {
  if constexpr (std::same_as<T, U>) {
    return a;
  } else {
    return a.template astype<T>();
  }
}
template <element T, detail::scalar_range R>
ndarray<T> asarray(const R& range, std::optional<shape> s = std::nullopt,
                   device d = default_device()) {
  return detail::from_range_as<T>(range, s, d, "asarray");
}

// From nested braces, as array.
template <element T>
ndarray<T> asarray(const detail::nested<T>& list, device d = default_device()) {
  return array<T>(list, d);
}
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto asarray(std::initializer_list<S> list, device d = default_device()) {
  return detail::from_lists<S>(list, d);
}
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto asarray(std::initializer_list<std::initializer_list<S>> list, device d = default_device()) {
  return detail::from_lists<S>(list, d);
}
template <detail::deduced = detail::deduced{}, scalar_argument S>
auto asarray(std::initializer_list<std::initializer_list<std::initializer_list<S>>> list,
             device d = default_device()) {
  return detail::from_lists<S>(list, d);
}

// The same elements on the CPU (the array itself if it is there); waits for the device.
template <element T> ndarray<T> asnumpy(const ndarray<T>& a) {
  detail::size_for(a.untyped(), "asnumpy");
  auto h = a.to(cpu);
  h.data();
  return h;
}

// An array over memory that numwarp did not allocate, in C order, read-only for a pointer to const.
// Operations that read it run at their call, since others may write to it at any time; with
// {.stable = true} the caller promises that nobody does, and they may be pending.
//
// The memory is on `device`, and the caller keeps it alive and unmoved; or numwarp calls `release`,
// once, when the last array over it is gone and all work on it has finished: by any thread, and it
// must not throw. Throws, without calling `release`, value_error for a null or misaligned pointer
// and for an address that work of the device cannot use, device_error where the device is not
// there.
struct wrap_options {
  bool stable = false;
  numwarp::device device = cpu;
  detail::callback<> release = {};
};
template <class T>
requires element<std::remove_const_t<T>> ndarray<std::remove_const_t<T>> wrap(T* data,
                                                                              const shape& s,
                                                                              wrap_options o = {}) {
  using E = std::remove_const_t<T>;
  return ndarray<E>::from_any_unchecked(detail::wrap_foreign(const_cast<E*>(data), s, dtype_of<E>,
                                                             o.device, !std::is_const_v<T>,
                                                             o.stable, std::move(o.release)));
}

// Arrays of a's shape, element type, device and order in memory, unless the keywords say otherwise;
// empty_like<float>(a): dtype=. Throws as full() does.
struct like_options {
  numwarp::order order = numwarp::order::k;
  std::optional<numwarp::shape> shape = std::nullopt;
};
namespace detail {
template <class D, class T> using type_or = std::conditional_t<std::is_void_v<D>, T, D>;
inline const shape* given(const like_options& o) { return o.shape ? &*o.shape : nullptr; }
template <class E>
ndarray<E> filled_like(const any_array& a, const scalar& value, const like_options& o,
                       const char* function) {
  return ndarray<E>::from_any_unchecked(
      full_like(a, dtype_of<E>, value, o.order, given(o), function));
}
}  // namespace detail
template <class D = void, element T>
auto empty_like(const ndarray<T>& a, const like_options& o = {}) {
  using E = detail::type_or<D, T>;
  return ndarray<E>::from_any_unchecked(
      detail::empty_like(a.untyped(), dtype_of<E>, o.order, detail::given(o)));
}
template <class D = void, element T, scalar_argument S>
auto full_like(const ndarray<T>& a, S value, const like_options& o = {}) {
  return detail::filled_like<detail::type_or<D, T>>(a.untyped(), value, o, "full_like");
}
template <class D = void, element T>
auto zeros_like(const ndarray<T>& a, const like_options& o = {}) {
  return detail::filled_like<detail::type_or<D, T>>(a.untyped(), false, o, "zeros_like");
}
template <class D = void, element T>
auto ones_like(const ndarray<T>& a, const like_options& o = {}) {
  return detail::filled_like<detail::type_or<D, T>>(a.untyped(), true, o, "ones_like");
}

// Ones on the k-th diagonal of an n x m matrix (m = n by default); above the main one for k > 0.
template <element T = double>
ndarray<T> eye(std::int64_t n, std::optional<std::int64_t> m = std::nullopt, std::int64_t k = 0,
               device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::eye(n, m.value_or(n), k, dtype_of<T>, d));
}
template <element T = double> ndarray<T> identity(std::int64_t n, device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::eye(n, n, 0, dtype_of<T>, d, "identity"));
}

// New elements in that order in memory; the method copy() takes C order by default, as NumPy's.
template <element T> ndarray<T> copy(const ndarray<T>& a, order o = order::k) { return a.copy(o); }

}  // namespace numwarp
