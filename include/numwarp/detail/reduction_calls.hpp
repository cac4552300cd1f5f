// From keyword arguments to the one entry of all reductions; shared by functions and methods.
#pragma once

#include <numwarp/detail/traits.hpp>
#include <optional>

namespace numwarp {

// Keyword arguments of the reductions, in NumPy's order. axis: one, several, or none for all.
// out: an array of the result's type and shape. initial: where the reduction starts.
// where: a bool array; the others take no part.
template <class R> struct sum_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
  std::optional<detail::scalar> initial = {};
  detail::mask_beside<R> where = {};
};
template <class R> struct any_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
  detail::mask_beside<R> where = {};
};
template <class R> struct arg_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
};
template <class R> struct mean_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
  detail::mask_beside<R> where = {};
};
// ddof: the divisor is count - ddof.
template <class R> struct var_options {
  axes axis = {};
  ndarray<R> out = {};
  double ddof = 0;
  bool keepdims = false;
  detail::mask_beside<R> where = {};
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

template <reduce_code Code, class D, class A, class Options>
auto call_reduction(A&& a, const Options& o) {
  reduce_options r;
  r.axis = o.axis;
  r.keepdims = o.keepdims;
  if constexpr (!std::is_void_v<D>) r.as = int(dtype_of<D>);
  if (o.out.valid()) r.out = &o.out.untyped();
  if constexpr (requires { o.ddof; }) r.ddof = o.ddof;
  if constexpr (requires { o.where; }) {
    if (o.where.valid()) r.where = &o.where.untyped();
  }
  if constexpr (requires { o.initial; }) {
    if (o.initial) r.initial = &*o.initial;
  }
  return ndarray<reduced<Code, A, D>>::from_any_unchecked(
      reduce(Code, to_operand(std::forward<A>(a)), r));
}

// Two to eight axes in braces: sum(a, {0, 1}). An aggregate, since its members' names tell it from
// options, {.axis = 0, .ddof = 1}: for an initializer_list g++ 12 looks at the values alone.
class axis_slot {
 public:
  constexpr axis_slot() = default;
  constexpr axis_slot(int axis) : axis_(axis), given_(true) {}
  void append_to(dims& list) const {
    if (given_) list.push_back(axis_);
  }

 private:
  int axis_ = 0;
  bool given_ = false;
};
struct axis_list {
  int axis_0, axis_1;
  axis_slot axis_2 = {}, axis_3 = {}, axis_4 = {}, axis_5 = {}, axis_6 = {}, axis_7 = {};

  operator axes() const {
    dims list;
    list.push_back(axis_0);
    list.push_back(axis_1);
    for (const axis_slot& a : {axis_2, axis_3, axis_4, axis_5, axis_6, axis_7}) a.append_to(list);
    return axes(list);
  }
};

template <reduce_code Code, class D, template <class> class Options, class A>
auto call_reduction_over(A&& a, axes axis) {
  return call_reduction<Code, D>(std::forward<A>(a),
                                 Options<reduced<Code, A, D>>{.axis = std::move(axis)});
}

}  // namespace detail
}  // namespace numwarp

// Methods of ndarray for every reduction: (options), (axis), ({axes}), of a name and of a
// temporary.
#define NW_REDUCTION_METHOD(name, options, qualifier, self)                             \
  template <class D = void>                                                             \
  auto name(options<detail::reduced<reduce_code::name, ndarray, D>> o = {}) qualifier { \
    return detail::call_reduction<reduce_code::name, D>(self, o);                       \
  }                                                                                     \
  template <class D = void> auto name(int axis) qualifier {                             \
    return detail::call_reduction_over<reduce_code::name, D, options>(self, axis);      \
  }                                                                                     \
  template <class D = void> auto name(detail::axis_list axis) qualifier {               \
    return detail::call_reduction_over<reduce_code::name, D, options>(self, axis);      \
  }
