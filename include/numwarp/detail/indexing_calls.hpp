// What subscripts and the functions of indexing.hpp call.
#pragma once

#include <array>
#include <numwarp/detail/index_mode.hpp>
#include <numwarp/detail/traits.hpp>
#include <optional>
#include <vector>

namespace numwarp {

// Keyword arguments of take, compress and choose, in NumPy's order. out: an array of the result's
// type and shape.
template <class T> struct take_options {
  std::optional<int> axis = {};  // none: of the flattened array
  detail::out_argument<T> out = {};
  index_mode mode = index_mode::raise;
};
template <class T> struct compress_options {
  std::optional<int> axis = {};
  detail::out_argument<T> out = {};
};
template <class T> struct choose_options {
  detail::out_argument<T> out = {};
  index_mode mode = index_mode::raise;
};
struct put_options {
  index_mode mode = index_mode::raise;
};

// atomic: repeated places in any order, which is faster on a GPU; floating sums then vary in their
// last places from run to run. Types that a GPU has no atomics for ignore it.
struct at_options {
  bool atomic = false;
};

namespace detail {

// Arrays of integers and bools; what an any_array holds is checked when it is used.
template <class I>
concept index_array = std::same_as<std::remove_cvref_t<I>, any_array> ||
    (is_ndarray<std::remove_cvref_t<I>>&& requires {
      requires std::integral<typename std::remove_cvref_t<I>::value_type>;
    });
// What may stand in a(...): see slice.hpp.
template <class I>
concept subscript_argument = index_array<I> || std::constructible_from<subscript, const I&>;

template <subscript_argument I> subscript to_subscript(I&& i) {
  if constexpr (index_array<I>) {
    const operand o = to_operand(std::forward<I>(i));
    return {*o.array, o.temporary};
  } else {
    return i;
  }
}

template <array_argument A> const any_array& as_any(const A& a) {
  if constexpr (is_ndarray<A>) {
    return a.untyped();
  } else {
    return a;
  }
}

// Several subscripts as one argument; see nw::index.
template <std::size_t N> struct index_tuple { std::array<subscript, N> items; };
template <class I> inline constexpr bool is_index_tuple = false;
template <std::size_t N> inline constexpr bool is_index_tuple<index_tuple<N>> = true;

template <class I>
concept index_argument = subscript_argument<I> || is_index_tuple<std::remove_cvref_t<I>>;
template <index_argument I> auto to_index_tuple(I&& i) {
  if constexpr (subscript_argument<I>) {
    return index_tuple<1>{{to_subscript(std::forward<I>(i))}};
  } else {
    return i;
  }
}

// values: 0 for an op of one operand.
void ufunc_at(op_code op, const any_array& a, std::span<const subscript> items, operand values,
              bool atomic);

struct index_options {
  std::optional<int> axis;
  const any_array* out = nullptr;
  index_mode mode = index_mode::raise;
};

any_array take(const any_array& a, const any_array& indices, const index_options& o);
any_array take_along_axis(const any_array& a, const any_array& indices, std::optional<int> axis);
any_array compress(const any_array& condition, const any_array& a, const index_options& o);
any_array extract(const any_array& condition, const any_array& a);
// choices: the arrays along the first axis of one.
any_array choose(const any_array& a, const any_array& choices, const index_options& o);
any_array choose(const any_array& a, std::span<const any_array> choices, const index_options& o);

void put(const any_array& a, const any_array& indices, operand values, index_mode mode);
void put_along_axis(const any_array& a, const any_array& indices, operand values,
                    std::optional<int> axis);
void putmask(const any_array& a, const any_array& mask, operand values);
void place(const any_array& a, const any_array& mask, operand values);

std::vector<any_array> nonzero(const any_array& a);
any_array flatnonzero(const any_array& a);
any_array argwhere(const any_array& a);
[[noreturn]] void throw_count_of_axes(int asked, int ndim, const char* function);

}  // namespace detail

// The subscripts of a(i, j, ...) as one argument: add.at(a, index(rows, slice(), columns), 1). It
// refers to its arrays: for use within the statement.
template <class... I>
requires(sizeof...(I) > 0 && (detail::subscript_argument<I> && ...)) auto index(I&&... i) {
  return detail::index_tuple<sizeof...(I)>{{detail::to_subscript(std::forward<I>(i))...}};
}
}  // namespace numwarp
