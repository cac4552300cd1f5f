// Places in arrays: diagonals and triangles, flat numbers and indices of several axes, choices by
// masks. NumPy's page "indexing routines" but for what takes and puts elements.
//
// New arrays are made on the default device, or on that of the operands; index arrays are of int64.
// Results are computed at the call. All throw value_error for null arrays. What waits says so.
#pragma once

#include <array>
#include <numwarp/ranges.hpp>
#include <optional>
#include <tuple>
#include <vector>

namespace numwarp {

namespace detail {

void fill_diagonal(const any_array& a, operand value, bool wrap);
std::array<any_array, 2> triangle_indices(std::int64_t n, std::int64_t m, std::int64_t k,
                                          bool lower, device d, const char* function);
std::array<any_array, 2> triangle_indices_from(const any_array& a, std::int64_t k, bool lower,
                                               const char* function);
ndarray<std::int64_t> diagonal_index(std::int64_t n, device d);
ndarray<std::int64_t> diagonal_index_from(const any_array& a);
ndarray<std::int64_t> square_of_ones(std::int64_t n);
std::array<any_array, 2> places_in_square(const any_array& mask);
// The places of an array of integers, or of the true elements of a mask, along axis k of n.
any_array cross_index(const any_array& a, int k, int n);
any_array indices(const shape& s, dtype t, device d);
any_array sparse_index(const shape& s, int axis, dtype t, device d);
any_array ravel_multi_index(std::span<const any_array> index, const shape& extents,
                            std::span<const index_mode> modes, order o);
std::vector<any_array> unravel_index(const any_array& index, const shape& extents, order o);
std::vector<std::int64_t> unravel_number(std::int64_t index, const shape& extents, order o);
any_array select_from(std::span<const any_array> conditions, std::span<const any_array> choices,
                      operand otherwise, dtype t);
[[noreturn]] void throw_rank(int wanted, int given, const char* function);

// An array of integers, or one integer.
any_array index_number(std::int64_t i);
struct index_entry {
  any_array array;
  template <element T> index_entry(const ndarray<T>& a) : array(a.untyped()) {
    static_assert(std::is_integral_v<T>, "numwarp: only int indices permitted");
  }
  template <std::integral I> index_entry(I i) : array(index_number(std::int64_t(i))) {}
};

// An index of several axes: {i, j}, a vector or std::array of arrays, or an array whose rows they
// are.
class index_list {
 public:
  index_list(std::initializer_list<index_entry> list);
  template <element T> index_list(const std::vector<ndarray<T>>& list) { append(list); }
  template <element T, std::size_t N> index_list(const std::array<ndarray<T>, N>& list) {
    append(list);
  }
  template <element T> index_list(const ndarray<T>& rows) { append(rows.rows()); }
  std::span<const any_array> arrays() const { return list_; }

 private:
  template <class List> void append(const List& list) {
    for (const auto& a : list) list_.push_back(index_entry(a).array);
  }
  std::vector<any_array> list_;
};

// What ix_ makes of an array of T: a bool array gives places.
template <class T> using place_of = std::conditional_t<std::is_same_v<T, bool>, std::int64_t, T>;

// One mode for all axes, or one for each.
class index_modes {
 public:
  index_modes(index_mode m) : list_{m} {}
  index_modes(std::initializer_list<index_mode> list) : list_(list) {}
  std::span<const index_mode> list() const { return list_; }

 private:
  std::vector<index_mode> list_;
};

template <std::size_t N>
std::array<ndarray<std::int64_t>, N> typed_indices(std::array<any_array, N>&& list) {
  std::array<ndarray<std::int64_t>, N> out;
  for (std::size_t k = 0; k < N; ++k)
    out[k] = ndarray<std::int64_t>::from_any_unchecked(std::move(list[k]));
  return out;
}

}  // namespace detail

// The elements a[i, i + offset] of two axes, as a new last axis: a read-only view. value_error for
// fewer than two axes and for one axis named twice, axis_error for one that is not there.
template <element T>
ndarray<T> diagonal(const ndarray<T>& a, std::int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return ndarray<T>::from_any_unchecked(detail::diagonal(a.untyped(), offset, axis1, axis2));
}

// Writes a scalar, or the elements of an array over and over, to a[i, i, ...]. wrap: in a matrix
// with more rows than columns the diagonal starts again below a row that is left out. value_error
// for fewer than two axes, for more than two of different extents, and for a read-only array.
struct fill_diagonal_options {
  bool wrap = false;
};
template <element T, operand_argument V>
void fill_diagonal(const ndarray<T>& a, V&& value, fill_diagonal_options o = {}) {
  detail::fill_diagonal(a.untyped(), detail::to_operand(std::forward<V>(value)), o.wrap);
}

// The indices {i, i, ...} of the diagonal of an array with N axes of n elements:
// auto [i, j] = diag_indices(4).
template <std::size_t N = 2>
std::array<ndarray<std::int64_t>, N> diag_indices(std::int64_t n, device d = default_device()) {
  std::array<ndarray<std::int64_t>, N> out;
  out.fill(detail::diagonal_index(n, d));
  return out;
}
// The same for an array; value_error for fewer than two axes and for axes of different extents.
template <element T> std::vector<ndarray<std::int64_t>> diag_indices_from(const ndarray<T>& a) {
  const auto i = detail::diagonal_index_from(a.untyped());
  return std::vector<ndarray<std::int64_t>>(std::size_t(a.ndim()), i);
}

// The indices {i, j} of the elements on and below (above) the k-th diagonal of an n x m matrix,
// m = n by default, in C order. By one launch.
std::array<ndarray<std::int64_t>, 2> tril_indices(std::int64_t n, std::int64_t k = 0,
                                                  std::optional<std::int64_t> m = std::nullopt,
                                                  device d = default_device());
std::array<ndarray<std::int64_t>, 2> triu_indices(std::int64_t n, std::int64_t k = 0,
                                                  std::optional<std::int64_t> m = std::nullopt,
                                                  device d = default_device());
// The same for a matrix, on its device; value_error for another rank.
template <element T> auto tril_indices_from(const ndarray<T>& a, std::int64_t k = 0) {
  return detail::typed_indices(
      detail::triangle_indices_from(a.untyped(), k, true, "tril_indices_from"));
}
template <element T> auto triu_indices_from(const ndarray<T>& a, std::int64_t k = 0) {
  return detail::typed_indices(
      detail::triangle_indices_from(a.untyped(), k, false, "triu_indices_from"));
}

// The indices {i, j} of what `mask_function` leaves other than zero of an n x n matrix of ones:
// mask_indices(3, [](auto m, int k) { return nw::triu(m, k); }). Waits for their number.
template <class F, class K = int> auto mask_indices(std::int64_t n, F&& mask_function, K k = 0) {
  const auto kept = mask_function(detail::square_of_ones(n), k);
  return detail::typed_indices(detail::places_in_square((kept != 0).untyped()));
}

// Index arrays that take the cross of their places: auto [i, j] = ix_(rows, columns) have the
// shapes (n, 1) and (1, m). Of a bool array, the places of its true elements; that waits.
// value_error for arrays that are not one-dimensional.
template <typed_array... A> auto ix_(const A&... a) {
  static_assert((std::is_integral_v<typename A::value_type> && ...),
                "numwarp: ix_ takes arrays of integers and of bool");
  int k = 0;
  const auto cross = [&](const any_array& index) {
    return detail::cross_index(index, k++, int(sizeof...(A)));
  };
  return std::tuple{
      ndarray<detail::place_of<typename A::value_type>>::from_any_unchecked(cross(a.untyped()))...};
}

// The place of each element along each axis: an array of shape (axes, s...), by one launch.
template <element T = std::int64_t>
ndarray<T> indices(const shape& s, device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::indices(s, dtype_of<T>, d));
}
// sparse=True: for each axis an array that broadcasts to s.
template <element T = std::int64_t>
std::vector<ndarray<T>> sparse_indices(const shape& s, device d = default_device()) {
  std::vector<ndarray<T>> out;
  for (int k = 0; k < s.size(); ++k)
    out.push_back(ndarray<T>::from_any_unchecked(detail::sparse_index(s, k, dtype_of<T>, d)));
  return out;
}

// The numbers, in C or F order, of places in an array of these extents: ravel_multi_index({i, j},
// {3, 4}). One index array for each axis; they broadcast. mode: one for all axes, or {one for each
// axis}; raise, the default, checks the values and waits for that. value_error for an index out of
// bounds, for another number of arrays than axes, and for extents whose product int64 cannot hold.
struct ravel_multi_index_options {
  detail::index_modes mode = index_mode::raise;
  numwarp::order order = numwarp::order::c;
};
ndarray<std::int64_t> ravel_multi_index(const detail::index_list& index, const shape& extents,
                                        const ravel_multi_index_options& o = {});

// The reverse: the place along each axis of the elements of these numbers. Waits, to check the
// values: value_error for a number out of bounds.
template <element T>
std::vector<ndarray<std::int64_t>> unravel_index(const ndarray<T>& index, const shape& extents,
                                                 order o = order::c) {
  std::vector<ndarray<std::int64_t>> out;
  for (any_array& a : detail::unravel_index(detail::index_entry(index).array, extents, o))
    out.push_back(ndarray<std::int64_t>::from_any_unchecked(std::move(a)));
  return out;
}
// auto [i, j] = unravel_index<2>(index, {3, 4}). value_error for another number of extents.
template <std::size_t N, element T>
std::array<ndarray<std::int64_t>, N> unravel_index(const ndarray<T>& index, const shape& extents,
                                                   order o = order::c) {
  if (extents.size() != int(N)) detail::throw_rank(int(N), extents.size(), "unravel_index");
  std::array<any_array, N> out;
  auto list = detail::unravel_index(detail::index_entry(index).array, extents, o);
  std::move(list.begin(), list.end(), out.begin());
  return detail::typed_indices(std::move(out));
}
template <std::integral I>
std::vector<std::int64_t> unravel_index(I index, const shape& extents, order o = order::c) {
  return detail::unravel_number(std::int64_t(index), extents, o);
}

// Where the first of the conditions that is true says which choice to take, element by element; all
// broadcast together, and `otherwise` (an array or a scalar) stands where none is true:
//   select({x < 3, x > 5}, {x, x * x}, 42)
// In C order, by one launch for 16 conditions. value_error for no conditions, for another number
// of choices and for shapes that do not broadcast.
template <element T, operand_argument D = int>
auto select(const std::vector<ndarray<bool>>& conditions, const std::vector<ndarray<T>>& choices,
            D&& otherwise = 0) {
  constexpr int tag = detail::result_tag<core::op::where, ndarray<bool>, ndarray<T>, D>();
  const auto untyped = [](const auto& list) {
    std::vector<any_array> out;
    for (const auto& a : list) out.push_back(a.untyped());
    return out;
  };
  return detail::typed<tag>(detail::select_from(untyped(conditions), untyped(choices),
                                                detail::to_operand(std::forward<D>(otherwise)),
                                                dtype(tag)));
}
template <element T, operand_argument D = int>
auto select(std::initializer_list<ndarray<bool>> conditions,
            std::initializer_list<ndarray<T>> choices, D&& otherwise = 0) {
  return select(std::vector<ndarray<bool>>(conditions), std::vector<ndarray<T>>(choices),
                std::forward<D>(otherwise));
}

}  // namespace numwarp
