// From keyword arguments to the one entry of all reductions; shared by functions and methods.
#pragma once

#include <optional>

#include <numwarp/detail/traits.hpp>

namespace numwarp {

// Keyword arguments of the reductions, in NumPy's order. axis: one, several, or none for all.
// out: an array of the result's type and shape. initial: where the reduction starts.
// where: a bool array; the others take no part.
template <class R>
struct sum_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
  std::optional<detail::scalar> initial = {};
  detail::mask_beside<R> where = {};
};
template <class R>
struct any_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
  detail::mask_beside<R> where = {};
};
template <class R>
struct arg_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
};
template <class R>
struct mean_options {
  axes axis = {};
  ndarray<R> out = {};
  bool keepdims = false;
};
// ddof: the divisor is count - ddof.
template <class R>
struct var_options {
  axes axis = {};
  ndarray<R> out = {};
  double ddof = 0;
  bool keepdims = false;
};

namespace detail {

// The element type of a reduction of T; D is the requested dtype, or void.
template <reduce_code Code, class T, class D>
consteval dtype reduced_dtype() {
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

template <reduce_code Code, class D, template <class> class Options, class A>
auto call_reduction_over(A&& a, axes axis) {
  return call_reduction<Code, D>(std::forward<A>(a),
                                 Options<reduced<Code, A, D>>{.axis = std::move(axis)});
}

}  // namespace detail
}  // namespace numwarp

// The list of axes is a template so that g++ 12 does not take {.axis = 0, .keepdims = true} for it.
// Methods of ndarray for every reduction: (options), (axis), ({axes}), of a name and of a temporary.
#define NW_REDUCTION_METHOD(name, options, qualifier, self)                                        \
  template <class D = void>                                                                        \
  auto name(options<detail::reduced<reduce_code::name, ndarray, D>> o = {}) qualifier {            \
    return detail::call_reduction<reduce_code::name, D>(self, o);                                  \
  }                                                                                                \
  template <class D = void>                                                                        \
  auto name(int axis) qualifier {                                                                  \
    return detail::call_reduction_over<reduce_code::name, D, options>(self, axis);                 \
  }                                                                                                \
  template <class D = void, std::same_as<int> I>                                                   \
  auto name(std::initializer_list<I> axis) qualifier {                                           \
    return detail::call_reduction_over<reduce_code::name, D, options>(self, axis);                 \
  }
