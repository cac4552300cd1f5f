// ndarray<T>: NumPy's array with its element type known at compile time.
//
// A handle: copying it shares elements, as `b = a` does in NumPy; a.copy() copies them. Assigning
// to a name rebinds it; assigning to a view expression writes elements: a(nw::slice(0, 2)) = 0.
// Results of elementwise functions are pending until their elements are needed.
#pragma once

#include <cstdint>
#include <numwarp/detail/indexing_calls.hpp>
#include <numwarp/detail/reduction_calls.hpp>
#include <numwarp/operators.hpp>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace numwarp {

// Elements of a CPU array for writing: while it lives, operations that read the array are launched
// at their call. Made by ndarray::write().
template <class T> class write_scope {
 public:
  write_scope(const any_array& a, T* p) : array_(a), data_(p) {}
  write_scope(write_scope&& o) noexcept : array_(std::move(o.array_)), data_(o.data_) {}
  write_scope& operator=(write_scope&&) = delete;
  ~write_scope() {
    if (array_.valid()) detail::end_write(array_);
  }
  T* data() const { return data_; }

 private:
  any_array array_;
  T* data_;
};

namespace arrays {

template <class E> class ndarray {
  static_assert(
      !detail::is_character<E>,
      "numwarp: ndarray<char> does not exist; use ndarray<nw::int8> or ndarray<nw::uint8>");
  static_assert(element<E> || !std::is_integral_v<E>,
                "numwarp: this integer type is spelled nw::int64 or nw::uint64 as an element type");
  static_assert(element<E> || std::is_integral_v<E>,
                "numwarp: not an element type; see numwarp/dtype.hpp for the list");

 public:
  using value_type = E;

  ndarray() = default;
  ndarray(const ndarray&) = default;
  ndarray(ndarray&&) noexcept = default;
  // The untyped array must hold E (type_error otherwise).
  explicit ndarray(const any_array& a) : a_(detail::expect_type(a, dtype_of<E>)) {}

  // A name gets a new array; what it held stays with its other owners. A pending value is launched.
  ndarray& operator=(const ndarray& o) & {
    detail::rebind(a_, any_array(o.a_));
    return *this;
  }
  ndarray& operator=(ndarray&& o) & {
    detail::rebind(a_, std::move(o.a_));
    return *this;
  }
  template <scalar_argument S> ndarray& operator=(S) & = delete;  // write a(nw::ellipsis) = value

  // An expression gets new elements, converted as NumPy's setitem does. Throws value_error for a
  // read-only array, shapes that do not broadcast, and a temporary that nobody else shares.
  void operator=(const ndarray& o) && { assign_elements(o); }
  void operator=(ndarray&& o) && { assign_elements(std::move(o)); }
  template <operand_argument V>
  requires(!std::same_as<std::remove_cvref_t<V>, ndarray>) void operator=(V&& v) && {
    assign_elements(std::forward<V>(v));
  }

  // Facts.
  bool valid() const { return a_.valid(); }
  const numwarp::shape& shape() const { return a_.shape(); }
  const dims& strides() const { return a_.strides(); }  // bytes
  int ndim() const { return a_.ndim(); }
  std::int64_t size() const { return a_.size(); }
  static constexpr int itemsize() { return int(sizeof(E)); }
  std::int64_t nbytes() const { return a_.nbytes(); }
  numwarp::device device() const { return a_.device(); }
  bool writeable() const { return a_.writeable(); }
  bool is_c_contiguous() const { return a_.is_c_contiguous(); }
  bool is_f_contiguous() const { return a_.is_f_contiguous(); }
  array_flags flags() const { return a_.flags(); }
  // The whole buffer behind a view, one-dimensional; null (valid() is false) where owndata is set.
  ndarray base() const { return wrap(a_.base()); }
  bool is_pending() const { return a_.is_pending(); }

  // Launches the pending operation, if any, without waiting for it, and returns the array.
  const ndarray& compute() const {
    a_.compute();
    return *this;
  }

  // Subscripts: integers, slices, newaxis and ellipsis give a view. Where an array of integers or
  // bools is among them the result is a copy, made when it is read: assigning to the expression
  // writes to the chosen elements instead, and of equal indices the last one wins. The shape of a
  // copy that a bool array chose depends on its values: the host waits for them. Throws
  // index_error, for a value of an index array on a GPU at the next wait.
  template <class... I>
  requires(sizeof...(I) > 0 && (detail::subscript_argument<I> && ...)) ndarray operator()(
      I&&... i) const {
    const detail::subscript items[] = {detail::to_subscript(std::forward<I>(i))...};
    return from_any_unchecked(a_.subscript(items));
  }
  // Whatever else stands there, so that it gets one sentence.
  template <class... I>
  requires(sizeof...(I) > 0 && !(detail::subscript_argument<I> && ...)) ndarray operator()(
      const I&...) const {
    static_assert(sizeof...(I) == 0,
                  "numwarp: a subscript is an integer, nw::slice, nw::newaxis, nw::ellipsis, or an "
                  "array of integers or bools; a bool or a floating value is not an index, nor is "
                  "an array of floating values");
    return {};
  }
#ifdef __cpp_multidimensional_subscript
  template <class... I> auto operator[](I&&... i) const { return (*this)(std::forward<I>(i)...); }
#endif

  // The only element, or the one at an index; the host waits for it here. Throws value_error for an
  // array of another size, index_error for a bad index.
  E item() const {
    E v;
    detail::item(a_, dtype_of<E>, &v);
    return v;
  }
  template <detail::extent_type... I>
  requires(sizeof...(I) > 0) E item(I... i)
  const {
    const std::int64_t index[] = {detail::checked_extent(i)...};
    E v;
    detail::item_at(a_, index, dtype_of<E>, &v);
    return v;
  }

  // The first element's address, on the array's device; computed and waited for. Null for an empty
  // array. strides() says where the others are.
  const E* data() const { return static_cast<const E*>(a_.data()); }
  // For writing, for good: later operations on the buffer are launched at their call. Waits; throws
  // value_error for a read-only array.
  E* mutable_data() const { return static_cast<E*>(a_.mutable_data()); }
  // The same for a scope.
  write_scope<E> write() const { return {a_, static_cast<E*>(detail::begin_write(a_))}; }
  // All elements in C order; waits.
  std::vector<E> to_vector() const {
    const auto n = static_cast<std::size_t>(detail::size_for(a_, "to_vector"));
    std::vector<E> v(n);
    if constexpr (std::same_as<E, bool>) {
      const auto bytes = std::make_unique<bool[]>(n);
      detail::to_host(a_, bytes.get());
      v.assign(bytes.get(), bytes.get() + n);
    } else {
      detail::to_host(a_, v.data());
    }
    return v;
  }

  // Views, as NumPy's methods of the same names; flatten() always copies. Errors are those of the
  // functions of manipulation.hpp.
  ndarray reshape(const numwarp::shape& s, order o = order::c) const {
    return wrap(a_.reshape(s, o));
  }
  ndarray transpose(const axes& permutation = {}) const { return wrap(a_.transpose(permutation)); }
  ndarray T() const { return transpose(); }
  ndarray squeeze(const axes& a = {}) const { return wrap(a_.squeeze(a)); }
  ndarray swapaxes(int a, int b) const { return wrap(detail::swapaxes(a_, a, b)); }
  ndarray ravel(order o = order::c) const { return wrap(detail::ravel(a_, o)); }
  ndarray flatten(order o = order::c) const { return wrap(detail::flatten(a_, o)); }
  ndarray readonly() const { return wrap(a_.readonly()); }
  auto real() const { return ndarray<real_type>::from_any_unchecked(a_.real()); }
  auto imag() const { return ndarray<real_type>::from_any_unchecked(a_.imag()); }
  // The same bytes as elements of another type; as NumPy's view(dtype). Throws value_error where
  // the sizes do not divide.
  template <element U> ndarray<U> view() const {
    return ndarray<U>::from_any_unchecked(a_.view(dtype_of<U>));
  }
  // As the functions of the same names, index_tricks.hpp and linalg.hpp.
  ndarray diagonal(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const {
    return wrap(detail::diagonal(a_, offset, axis1, axis2));
  }
  template <class D = void>
  auto trace(std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) const {
    using R = detail::reduced<reduce_code::sum, ndarray, D>;
    return ndarray<R>::from_any_unchecked(
        detail::trace(a_, offset, axis1, axis2, std::is_void_v<D> ? -1 : int(dtype_of<R>)));
  }
  // Views of the sub-arrays along the first axis: for (auto row : a.rows()) row(nw::ellipsis) = 0.
  // Throws type_error for a 0-d array.
  std::vector<ndarray> rows() const {
    std::vector<ndarray> list;
    for (std::int64_t i = 0; i < detail::rows_of(a_); ++i) list.push_back((*this)(i));
    return list;
  }

  // New elements on the same device, in that order in memory; launched at the call.
  ndarray copy(order o = order::c) const { return wrap(a_.copy(o)); }
  // The elements converted: a copy, also where the type is the same, and pending. Integers wrap,
  // floats to integers saturate (NaN gives 0), complex to real drops the imaginary part.
  template <element U> ndarray<U> astype(order o = order::k) const& {
    return ndarray<U>::from_any_unchecked(a_.astype(dtype_of<U>, o));
  }
  template <element U> ndarray<U> astype(order o = order::k) && {  // joins its statement
    return ndarray<U>::from_any_unchecked(detail::cast({&a_, true, {}}, dtype_of<U>, o));
  }
  // The array itself where it is on d, else a copy there; a copy to the CPU is made when it
  // returns. Throws device_error where d cannot be used.
  ndarray to(numwarp::device d) const { return wrap(a_.to(d)); }
  // a(nw::ellipsis) = value.
  template <scalar_argument S> void fill(S value) const {
    detail::assign(a_, detail::to_operand(value), "fill");
  }

  // Elements by indices; see indexing.hpp.
  template <detail::index_array I>
  ndarray take(const I& indices, const take_options<E>& o = {}) const {
    return wrap(detail::take(a_, detail::as_any(indices), {o.axis, o.out.get(), o.mode}));
  }
  template <array_argument C>
  ndarray compress(const C& condition, const compress_options<E>& o = {}) const {
    return wrap(detail::compress(detail::as_any(condition), a_, {o.axis, o.out.get()}));
  }
  template <detail::index_array I, operand_argument V>
  void put(const I& indices, V&& values, put_options o = {}) const {
    detail::put(a_, detail::as_any(indices), detail::to_operand(std::forward<V>(values)), o.mode);
  }
  std::vector<ndarray<std::int64_t>> nonzero() const {
    std::vector<ndarray<std::int64_t>> list;
    for (any_array& a : detail::nonzero(a_))
      list.push_back(ndarray<std::int64_t>::from_any_unchecked(std::move(a)));
    return list;
  }
  // choices[a[i]][i]: this array holds the indices.
  template <element T>
  ndarray<T> choose(const ndarray<T>& choices, const choose_options<T>& o = {}) const {
    static_assert(std::integral<E>, "numwarp: only an array of integers can choose");
    return ndarray<T>::from_any_unchecked(
        detail::choose(a_, choices.untyped(), {{}, o.out.get(), o.mode}));
  }

  // Reductions, one for each row of core/reduce_ops.def; see reductions.hpp.
#define NW_REDUCE(name, rule, options)                                                            \
  template <class D = void, class O = options<detail::reduced<reduce_code::name, ndarray, D>>>    \
  auto name(O o = {}) const& {                                                                    \
    return detail::call_reduction<reduce_code::name, D,                                           \
                                  options<detail::reduced<reduce_code::name, ndarray, D>>>(*this, \
                                                                                           o);    \
  }                                                                                               \
  template <class D = void, class O = options<detail::reduced<reduce_code::name, ndarray, D>>>    \
  auto name(O o = {})&& {                                                                         \
    return detail::call_reduction<reduce_code::name, D,                                           \
                                  options<detail::reduced<reduce_code::name, ndarray, D>>>(       \
        std::move(*this), o);                                                                     \
  }
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE

  // The untyped handle.
  const any_array& untyped() const { return a_; }
  any_array& untyped_mutable() { return a_; }
  static ndarray from_any_unchecked(any_array&& a) {
    ndarray out;
    out.a_ = std::move(a);
    return out;
  }

 private:
  using real_type = type_of<core::real_dtype(dtype_of<E>)>;

  static ndarray wrap(any_array&& a) { return from_any_unchecked(std::move(a)); }
  template <class V> void assign_elements(V&& v) {
    detail::assign_to_temporary(a_, detail::to_operand(std::forward<V>(v)));
  }

  any_array a_;
};

}  // namespace arrays
}  // namespace numwarp
