// Lists of arrays as arguments and results: braces, ranges and tuples of ndarrays or of untyped
// arrays.
#pragma once

#include <initializer_list>
#include <iterator>
#include <numwarp/ndarray.hpp>
#include <tuple>
#include <vector>

namespace numwarp::detail {

inline const any_array& as_untyped(const any_array& a) { return a; }
template <class T> const any_array& as_untyped(const ndarray<T>& a) { return a.untyped(); }

inline const any_array* given(const any_array& out) { return out.valid() ? &out : nullptr; }
template <class R> const any_array* given(const out_argument<R>& out) { return out.get(); }

// A result as the kind of handle that the argument was.
template <array_argument A> A like(any_array&& r) {
  if constexpr (std::same_as<A, any_array>) {
    return std::move(r);
  } else {
    return A::from_any_unchecked(std::move(r));
  }
}
template <array_argument A> std::vector<A> like(std::vector<any_array>&& list) {
  std::vector<A> out;
  out.reserve(list.size());
  for (any_array& a : list) out.push_back(like<A>(std::move(a)));
  return out;
}

// A range of arrays of one kind, or a tuple of ndarrays of any types.
template <class S>
concept array_range = !array_argument<S> && requires(const S& s) {
  { *std::begin(s) } -> array_argument;
  std::end(s);
};
template <class S> inline constexpr bool is_array_tuple = false;
template <array_argument... A> inline constexpr bool is_array_tuple<std::tuple<A...>> = true;
template <class S>
concept array_sequence = array_range<S> || is_array_tuple<S>;

// numpy.result_type of element types: the higher kinds first, so that it does not depend on the
// order of the arrays. Not promotable: -1.
constexpr int common_type(const dtype* types, int n) {
  dtype t = types[0];
  for (int k = 1; k < n; ++k) {
    if (casting_rank(types[k]) > casting_rank(t)) t = types[k];
  }
  for (int k = 0; k < n; ++k) {
    if (!promotable(t, types[k])) return -1;
    t = promote(t, types[k]);
  }
  return int(t);
}

// The handle that a function of these arrays returns: of type D where it is given, else of their
// common type; an untyped one where an array is untyped.
template <class D, class... A> struct joined_type { using type = ndarray<D>; };
template <class... A>
requires(std::same_as<A, any_array> || ...) struct joined_type<void, A...> {
  using type = any_array;
};
template <typed_array... A> struct joined_type<void, A...> {
  static constexpr dtype types[] = {dtype_of<typename A::value_type>...};
  static constexpr int tag = common_type(types, int(sizeof...(A)));
  static_assert(tag >= 0, "numwarp: these element types have no common type; give one: <float>");
  using type = ndarray<type_of<dtype(tag)>>;
};
template <class D, class S> struct joined_sequence {
  using item = std::remove_cvref_t<decltype(*std::begin(std::declval<const S&>()))>;
  using type = typename joined_type<D, item>::type;
};
template <class D, class... A> struct joined_sequence<D, std::tuple<A...>> {
  using type = typename joined_type<D, A...>::type;
};
template <class D, class S> using joined = typename joined_sequence<D, S>::type;

template <array_range S> std::vector<any_array> handles(const S& list) {
  std::vector<any_array> out;
  for (const auto& a : list) out.push_back(as_untyped(a));
  return out;
}
template <array_argument... A> std::vector<any_array> handles(const std::tuple<A...>& list) {
  return std::apply([](const A&... a) { return std::vector<any_array>{as_untyped(a)...}; }, list);
}

// The dtype= of a call, or -1.
template <class D> constexpr int dtype_tag() {
  if constexpr (std::is_void_v<D>) {
    return -1;
  } else {
    return int(dtype_of<D>);
  }
}
template <class D> constexpr dtype dtype_or(dtype otherwise) {
  return std::is_void_v<D> ? otherwise : dtype(dtype_tag<D>());
}
// The options' array for out=.
template <class R> struct out_of { using type = any_array; };
template <element T> struct out_of<ndarray<T>> { using type = out_argument<T>; };

}  // namespace numwarp::detail
