// Matrices: from a diagonal, triangles, powers. NumPy's page "building matrices".
//
// k counts diagonals: 0 is the main one, those above it are positive. Results are computed at the
// call, each by one launch (diag and diagflat: two); a temporary joins it. None waits. All throw
// value_error for null arrays and for shapes that are too large.
#pragma once

#include <numwarp/creation.hpp>
#include <numwarp/ndarray.hpp>
#include <optional>

namespace numwarp {

namespace detail {

any_array diag(const any_array& a, std::int64_t k);
any_array diagflat(const any_array& a, std::int64_t k);
any_array tri(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype t, device d);
any_array tril(operand a, std::int64_t k);
any_array triu(operand a, std::int64_t k);
any_array vander(const any_array& x, std::int64_t columns, bool increasing);

}  // namespace detail

// Of a one-dimensional array of n elements, the (n + |k|) x (n + |k|) matrix with them on the k-th
// diagonal; of a matrix, its k-th diagonal as a read-only view. value_error for other ranks.
template <element T> ndarray<T> diag(const ndarray<T>& a, std::int64_t k = 0) {
  return ndarray<T>::from_any_unchecked(detail::diag(a.untyped(), k));
}
// The matrix with all elements of a, in C order, on its k-th diagonal.
template <element T> ndarray<T> diagflat(const ndarray<T>& a, std::int64_t k = 0) {
  return ndarray<T>::from_any_unchecked(detail::diagflat(a.untyped(), k));
}

// Ones on and below the k-th diagonal of an n x m matrix (m = n by default), zeros above.
template <element T = double>
ndarray<T> tri(std::int64_t n, std::optional<std::int64_t> m = std::nullopt, std::int64_t k = 0,
               device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::tri(n, m.value_or(n), k, dtype_of<T>, d));
}

// Copies of a's matrices (its last two axes) with zeros above, or below, the k-th diagonal. A
// one-dimensional array counts as one row, repeated to a square. type_error for a 0-d array.
template <typed_array A> auto tril(A&& a, std::int64_t k = 0) {
  return std::remove_cvref_t<A>::from_any_unchecked(
      detail::tril(detail::to_operand(std::forward<A>(a)), k));
}
template <typed_array A> auto triu(A&& a, std::int64_t k = 0) {
  return std::remove_cvref_t<A>::from_any_unchecked(
      detail::triu(detail::to_operand(std::forward<A>(a)), k));
}

// The powers of x (one-dimensional, of n elements) as columns: an n x N matrix, N = n by default,
// of the common type of T and int64. Each power is the one before times x. value_error for another
// rank and for negative N.
struct vander_options {
  std::optional<std::int64_t> N = std::nullopt;
  bool increasing = false;
};
template <element T> auto vander(const ndarray<T>& x, vander_options o = {}) {
  using R = type_of<promote(dtype_of<T>, dtype::int64)>;
  return ndarray<R>::from_any_unchecked(
      detail::vander(x.untyped(), o.N.value_or(x.size()), o.increasing));
}

}  // namespace numwarp
