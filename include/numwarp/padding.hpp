// pad: an array with a margin.
#pragma once

#include <numwarp/detail/array_lists.hpp>
#include <numwarp/slice.hpp>
#include <string_view>
#include <utility>

namespace numwarp {

// A value for the two ends of every axis: one for all, {before, after} for every axis, or a pair
// for each axis, {{b0, a0}, {b1, a1}}.
template <class V> class for_ends {
 public:
  template <std::convertible_to<V> S>
  requires(std::same_as<V, detail::scalar> || !std::is_floating_point_v<S>) for_ends(S v)
      : pairs_{{V(v), V(v)}} {}
  for_ends(V before, V after) : pairs_{{before, after}} {}
  for_ends(std::initializer_list<std::pair<V, V>> pairs) : pairs_(pairs) {}
  const std::vector<std::pair<V, V>>& pairs() const { return pairs_; }

 private:
  std::vector<std::pair<V, V>> pairs_;
};

// Keyword arguments of pad; each is read by the modes that it belongs to. reflect_type "odd": the
// mirrored values are subtracted from twice the edge's.
struct pad_options {
  for_ends<slice_bound> stat_length = none;  // none: the whole vector
  for_ends<detail::scalar> constant_values = 0;
  for_ends<detail::scalar> end_values = 0;
  std::string_view reflect_type = "even";
};

namespace detail {

any_array pad(const any_array& a, const for_ends<std::int64_t>& width, std::string_view mode,
              const pad_options& o);

// What a callable fills: zeros around the array, and the vectors of the result along each axis.
struct pad_vector {
  any_array vector;
  std::pair<std::int64_t, std::int64_t> width;
  int axis;
};
any_array pad_by(const any_array& a, const for_ends<std::int64_t>& width,
                 void (*fill)(const void* f, const pad_vector& v), const void* f);

}  // namespace detail

// a with `width` elements before and after it along every axis, in F order where a is in F order
// only. What fills them is called by the names of NumPy's modes:
//   constant     constant_values                   reflect    mirrored at the edge elements
//   edge         the nearest element               symmetric  mirrored, edges repeated
//   linear_ramp  from the edge to end_values       wrap       from the other end
//   maximum, mean, median, minimum                 empty      nothing
//                of stat_length elements at that end
// Modes that move elements take one launch, constant too; the others a few an axis. median compares
// all pairs of the elements: it is meant for short axes. value_error for another mode, negative
// widths, a wrong number of pairs, an empty axis that the mode cannot extend, a stat_length of 0
// for maximum and minimum; overflow_error for a constant that the type cannot hold. Never waits.
template <array_argument A>
A pad(const A& a, const for_ends<std::int64_t>& width, std::string_view mode = "constant",
      const pad_options& o = {}) {
  return detail::like<A>(detail::pad(detail::as_untyped(a), width, mode, o));
}

// By a function f(vector, width, axis), called for every vector along every axis of the result, in
// NumPy's order; it writes to the ends of the vector, a view: vector(slice(0, width.first)) = 1.
template <array_argument A, std::invocable<A, std::pair<std::int64_t, std::int64_t>, int> F>
A pad(const A& a, const for_ends<std::int64_t>& width, const F& f) {
  const auto fill = [&f](const detail::pad_vector& v) {
    f(detail::like<A>(any_array(v.vector)), v.width, v.axis);
  };
  const auto call = [](const void* g, const detail::pad_vector& v) {
    (*static_cast<decltype(&fill)>(g))(v);
  };
  return detail::like<A>(detail::pad_by(detail::as_untyped(a), width, call, &fill));
}

}  // namespace numwarp
