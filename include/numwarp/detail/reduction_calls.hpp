// From keyword arguments to the one entry of all reductions; shared by functions and methods.
#pragma once

#include <numwarp/detail/traits.hpp>
#include <optional>

namespace numwarp {

namespace detail {

// One of the axes in sum(a, {0, 1}).
class braced_axis {
 public:
  constexpr braced_axis() = default;
  constexpr braced_axis(int axis) : axis_(axis), given_(true) {}
  bool given() const { return given_; }
  int axis() const { return axis_; }

 private:
  int axis_ = 0;
  bool given_ = false;
};

}  // namespace detail

// Up to eight axes in braces, the first members of all options: an initializer_list beside the
// options would be taken by g++ 12 for {.axis = 0, .ddof = 1}, too.
#define NW_BRACED_AXES                                                                           \
  detail::braced_axis braced_0 = {}, braced_1 = {}, braced_2 = {}, braced_3 = {}, braced_4 = {}, \
                      braced_5 = {}, braced_6 = {}, braced_7 = {};

// Keyword arguments of the reductions, in NumPy's order. axis: one, several, or none for all.
// out: an array of the result's type and shape. initial: where the reduction starts.
// where: a bool array; the others take no part.
template <class R> struct sum_options {
  NW_BRACED_AXES
  axes axis = {};
  detail::out_argument<R> out = {};
  bool keepdims = false;
  std::optional<detail::scalar> initial = {};
  detail::where_argument<R> where = {};
};
template <class R> struct any_options {
  NW_BRACED_AXES
  axes axis = {};
  detail::out_argument<R> out = {};
  bool keepdims = false;
  detail::where_argument<R> where = {};
};
template <class R> struct arg_options {
  NW_BRACED_AXES
  axes axis = {};
  detail::out_argument<R> out = {};
  bool keepdims = false;
};
template <class R> struct mean_options {
  NW_BRACED_AXES
  axes axis = {};
  detail::out_argument<R> out = {};
  bool keepdims = false;
  detail::where_argument<R> where = {};
};
// ddof: the divisor is count - ddof.
template <class R> struct var_options {
  NW_BRACED_AXES
  axes axis = {};
  detail::out_argument<R> out = {};
  double ddof = 0;
  bool keepdims = false;
  detail::where_argument<R> where = {};
};

namespace detail {

// The element type of a reduction of T; D is the requested dtype, or void.
template <reduce_code Code, class T, class D> consteval dtype reduced_dtype() {
  if constexpr (std::is_void_v<D>) {
    return resolve(Code, dtype_of<T>).result;
  } else if constexpr (Code == reduce_code::var || Code == reduce_code::std) {
    return core::real_dtype(dtype_of<D>);
  } else {
    return dtype_of<D>;
  }
}
template <reduce_code Code, class A, class D>
using reduced = type_of<reduced_dtype<Code, typename std::remove_cvref_t<A>::value_type, D>()>;

// The axes that were given in braces, else those of .axis.
template <class Options> axes axes_of(const Options& o) {
  if (!o.braced_0.given()) return o.axis;
  dims list;
  for (const braced_axis* a : {&o.braced_0, &o.braced_1, &o.braced_2, &o.braced_3, &o.braced_4,
                               &o.braced_5, &o.braced_6, &o.braced_7}) {
    if (a->given()) list.push_back(a->axis());
  }
  return axes(std::span<const std::int64_t>(list));
}

template <class Options> void fill_options(reduce_options& r, const Options& o) {
  r.axis = axes_of(o);
  r.keepdims = o.keepdims;
  r.out = o.out.get();
  if constexpr (requires { o.ddof; }) r.ddof = o.ddof;
  if constexpr (requires { o.where; }) r.where = o.where.get();
  if constexpr (requires { o.initial; }) {
    if (o.initial) r.initial = &*o.initial;
  }
}

// `given` is the reduction's Options, or an axis.
template <reduce_code Code, class D, class Options, class A, class Given>
auto call_reduction(A&& a, const Given& given) {
  reduce_options r;
  if constexpr (!std::is_void_v<D>) r.as = int(dtype_of<D>);
  if constexpr (std::is_same_v<Given, Options>) {
    fill_options(r, given);
  } else {
    static_assert(std::is_convertible_v<Given, axes>,
                  "numwarp: behind the array stands an axis, {axes} or {.keyword = value}");
    if constexpr (std::is_convertible_v<Given, axes>) r.axis = given;
  }
  return ndarray<reduced<Code, A, D>>::from_any_unchecked(
      reduce(Code, to_operand(std::forward<A>(a)), r));
}

}  // namespace detail
}  // namespace numwarp
