// Sums, extrema and other reductions. Each can be called as
//   nw::sum(a)                                     over all axes: a 0-d array; .item() waits for it
//   nw::sum(a, 1), nw::sum(a, {0, 1})              over one axis, over several
//   nw::sum(a, {.axis = {0, 1}, .keepdims = true}) with keywords; see detail/reduction_calls.hpp
//   nw::sum<double>(a)                             dtype=
// and as a method. A temporary is not stored: nw::sum(a * b) is one pass.
//
// Result types are NumPy's: bool and small integers sum to int64 or uint64, means of integers are
// float64; the halves are accumulated in wider types, float32 in float64. Same bits for any number
// of threads. Throws axis_error for an axis that is not there, value_error for an empty array in
// min, max, argmin and argmax, for a wrong out= and for null arrays. Never waits.
#pragma once

#include <numwarp/ndarray.hpp>

namespace numwarp {

// Braces deduce nothing, so O is then its default: one signature for {.keywords}, {axes} and an
// axis.
#define NW_REDUCE(name, rule, options)                                                        \
  template <class D = void, typed_array A,                                                    \
            class O = options<detail::reduced<reduce_code::name, A, D>>>                      \
  auto name(A&& a, O o = {}) {                                                                \
    using options_type = options<detail::reduced<reduce_code::name, A, D>>;                   \
    return detail::call_reduction<reduce_code::name, D, options_type>(std::forward<A>(a), o); \
  }
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE

}  // namespace numwarp
