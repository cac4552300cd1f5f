// Comparisons of whole arrays and questions about their elements, but for those that are ufuncs
// (ufuncs.hpp) and reductions. NumPy's page "logic functions".
//
// What gives an array is pending, and one statement with what it is used in; what gives a bool
// waits. All throw value_error for null arrays, device_error for operands on two devices.
#pragma once

#include <numwarp/ndarray.hpp>

namespace numwarp {

// equal_nan: NaNs are equal to each other.
struct isclose_options {
  double rtol = 1e-5, atol = 1e-8;
  bool equal_nan = false;
};
struct array_equal_options {
  bool equal_nan = false;
};

namespace detail {

any_array isclose(operand a, operand b, const isclose_options& o, const char* function = "isclose");
bool allclose(operand a, operand b, const isclose_options& o);
bool array_equal(const any_array& a, const any_array& b, bool equal_nan);
bool array_equiv(const any_array& a, const any_array& b);
any_array is_infinite(const any_array& a, bool negative, const char* function);
any_array has_imaginary(const any_array& a, bool wanted, const char* function);

inline ndarray<bool> mask(any_array&& a) { return ndarray<bool>::from_any_unchecked(std::move(a)); }

}  // namespace detail

// |a - b| <= atol + rtol |b|, element by element; infinities of one sign are close. b, which the
// tolerance is relative to, counts as floating. value_error for shapes that do not broadcast.
template <operand_argument A, operand_argument B>
requires(typed_array<A> || typed_array<B>) ndarray<bool> isclose(A&& a, B&& b,
                                                                 const isclose_options& o = {}) {
  return detail::mask(detail::isclose(detail::to_operand(std::forward<A>(a)),
                                      detail::to_operand(std::forward<B>(b)), o));
}
// Whether all elements are close.
template <operand_argument A, operand_argument B>
requires(typed_array<A> || typed_array<B>) bool allclose(A&& a, B&& b,
                                                         const isclose_options& o = {}) {
  return detail::allclose(detail::to_operand(std::forward<A>(a)),
                          detail::to_operand(std::forward<B>(b)), o);
}

// Whether both have one shape and equal elements; array_equiv: whether they broadcast to one shape.
template <element A, element B>
bool array_equal(const ndarray<A>& a, const ndarray<B>& b, array_equal_options o = {}) {
  return detail::array_equal(a.untyped(), b.untyped(), o.equal_nan);
}
template <element A, element B> bool array_equiv(const ndarray<A>& a, const ndarray<B>& b) {
  return detail::array_equiv(a.untyped(), b.untyped());
}

// Where the elements are the infinity of that sign. type_error (a compile error) for complex ones.
template <element T>
requires(!detail::is_complex_scalar<T>) ndarray<bool> isposinf(const ndarray<T>& a) {
  return detail::mask(detail::is_infinite(a.untyped(), false, "isposinf"));
}
template <element T>
requires(!detail::is_complex_scalar<T>) ndarray<bool> isneginf(const ndarray<T>& a) {
  return detail::mask(detail::is_infinite(a.untyped(), true, "isneginf"));
}
// Where the imaginary part is zero, or is not; real types have none.
template <element T> ndarray<bool> isreal(const ndarray<T>& a) {
  return detail::mask(detail::has_imaginary(a.untyped(), false, "isreal"));
}
template <element T> ndarray<bool> iscomplex(const ndarray<T>& a) {
  return detail::mask(detail::has_imaginary(a.untyped(), true, "iscomplex"));
}

}  // namespace numwarp
