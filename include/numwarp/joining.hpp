// Arrays joined to one. The arrays stand in braces, `concatenate({a, b})`, in a std::vector or
// another range, or, where their element types differ, in a std::tuple. The result has their common
// type (numpy.result_type), or the one that is given: concatenate<double>({a, b}). Untyped arrays
// give an untyped one.
//
// All copy: arrays of the result's type by one launch, each of another type by one of its own. None
// waits. The order in memory is NumPy's: that of the arrays, C where they differ. All throw
// value_error for shapes that do not go together and for an empty list, axis_error, device_error
// for arrays on two devices, type_error for a conversion that `casting` does not allow.
#pragma once

#include <numwarp/detail/array_lists.hpp>
#include <optional>

namespace numwarp {

// An axis, or nw::none for the arrays flattened in C order.
class axis_or_none {
 public:
  constexpr axis_or_none(int axis) : axis_(axis) {}
  constexpr axis_or_none(none_t) {}
  constexpr const std::optional<int>& value() const { return axis_; }

 private:
  std::optional<int> axis_;
};

// out: the array that is written and returned; it may overlap the others. Its type may be any that
// the arrays cast to where it is untyped.
template <class R> struct concatenate_options {
  axis_or_none axis = 0;
  typename detail::out_of<R>::type out = {};
  numwarp::casting casting = casting::same_kind;
};
template <class R> struct stack_options {
  int axis = 0;
  typename detail::out_of<R>::type out = {};
  numwarp::casting casting = casting::same_kind;
};
struct cast_options {
  numwarp::casting casting = casting::same_kind;
};

namespace detail {

struct join_options {
  std::optional<int> axis = 0;
  const any_array* out = nullptr;
  int as = -1;
  numwarp::casting rule = casting::same_kind;
  const char* name = "concatenate";
};
using array_span = std::span<const any_array>;
any_array concatenate(array_span list, const join_options& o);
any_array stack(array_span list, const join_options& o);
any_array vstack(array_span list, const join_options& o);
any_array hstack(array_span list, const join_options& o);
any_array dstack(array_span list, const join_options& o);
any_array column_stack(array_span list, const join_options& o);

template <class D, class O> join_options to_join_options(const O& o) {
  join_options out;
  out.as = dtype_tag<D>();
  if constexpr (requires { o.out; }) out.out = given(o.out);
  if constexpr (requires { o.axis.value(); }) {
    out.axis = o.axis.value();
  } else if constexpr (requires { o.axis; }) {
    out.axis = o.axis;
  }
  if constexpr (requires { o.casting; }) out.rule = o.casting;
  return out;
}
template <class D, class A> using joined_item = typename joined_type<D, A>::type;

template <class R, class D, class F, class S, class O>
R join(const F& function, const S& arrays, const O& o) {
  return like<R>(function(handles(arrays), to_join_options<D>(o)));
}

}  // namespace detail

// Along an axis that they have. All functions of this kind are written out: through a macro, a
// compiler's message about a wrong call would be half as long again.
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R concatenate(std::initializer_list<A> arrays, concatenate_options<R> o = {}) {
  return detail::join<R, D>(detail::concatenate, arrays, o);
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R concatenate(const S& arrays, concatenate_options<R> o = {}) {
  return detail::join<R, D>(detail::concatenate, arrays, o);
}
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R concat(std::initializer_list<A> arrays, concatenate_options<R> o = {}) {
  return detail::join<R, D>(detail::concatenate, arrays, o);
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R concat(const S& arrays, concatenate_options<R> o = {}) {
  return detail::join<R, D>(detail::concatenate, arrays, o);
}

// Along a new axis: all have one shape.
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R stack(std::initializer_list<A> arrays, stack_options<R> o = {}) {
  return detail::join<R, D>(detail::stack, arrays, o);
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R stack(const S& arrays, stack_options<R> o = {}) {
  return detail::join<R, D>(detail::stack, arrays, o);
}

// On top of each other: one-dimensional arrays are rows.
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R vstack(std::initializer_list<A> arrays, cast_options o = {}) {
  return detail::join<R, D>(detail::vstack, arrays, o);
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R vstack(const S& arrays, cast_options o = {}) {
  return detail::join<R, D>(detail::vstack, arrays, o);
}
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R row_stack(std::initializer_list<A> arrays, cast_options o = {}) {
  return detail::join<R, D>(detail::vstack, arrays, o);
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R row_stack(const S& arrays, cast_options o = {}) {
  return detail::join<R, D>(detail::vstack, arrays, o);
}

// Side by side: along axis 1, one-dimensional arrays along axis 0.
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R hstack(std::initializer_list<A> arrays, cast_options o = {}) {
  return detail::join<R, D>(detail::hstack, arrays, o);
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R hstack(const S& arrays, cast_options o = {}) {
  return detail::join<R, D>(detail::hstack, arrays, o);
}

// Along the third axis, at which one- and two-dimensional arrays get one of length one.
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R dstack(std::initializer_list<A> arrays) {
  return detail::join<R, D>(detail::dstack, arrays, cast_options());
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R dstack(const S& arrays) {
  return detail::join<R, D>(detail::dstack, arrays, cast_options());
}

// Side by side: one-dimensional arrays are columns.
template <class D = void, array_argument A, class R = detail::joined_item<D, A>>
R column_stack(std::initializer_list<A> arrays) {
  return detail::join<R, D>(detail::column_stack, arrays, cast_options());
}
template <class D = void, detail::array_sequence S, class R = detail::joined<D, S>>
R column_stack(const S& arrays) {
  return detail::join<R, D>(detail::column_stack, arrays, cast_options());
}

namespace detail {

// Arrays and nested lists of them.
class array_tree {
 public:
  array_tree(const any_array& a) : array_(a) {}
  template <element T> array_tree(const ndarray<T>& a) : array_(a.untyped()) {}
  array_tree(std::initializer_list<array_tree> list);
  template <class S>
  requires(!array_argument<S> &&
           requires(const S& s) { std::begin(s); }) explicit array_tree(const S& list)
      : is_list_(true) {
    for (const auto& a : list) list_.emplace_back(a);
  }
  bool is_list() const { return is_list_; }
  const any_array& array() const { return array_; }
  const std::vector<array_tree>& list() const { return list_; }

 private:
  any_array array_;
  std::vector<array_tree> list_;
  bool is_list_ = false;
};
any_array block(const array_tree& arrays, int as);

}  // namespace detail

// An array of blocks: block({{a, b}, {c, d}}). The innermost lists are joined along the last axis,
// those outside them along the last but one, and so on; arrays of fewer axes get leading ones. With
// an element type, lists of any depth and of arrays of any types: block<float>({{a, b}, {{c}}}).
template <array_argument A, class R = detail::joined_item<void, A>>
R block(std::initializer_list<A> list) {
  return detail::like<R>(detail::block(detail::array_tree(list), -1));
}
template <array_argument A, class R = detail::joined_item<void, A>>
R block(std::initializer_list<std::initializer_list<A>> list) {
  return detail::like<R>(detail::block(detail::array_tree(list), -1));
}
template <array_argument A, class R = detail::joined_item<void, A>>
R block(std::initializer_list<std::initializer_list<std::initializer_list<A>>> list) {
  return detail::like<R>(detail::block(detail::array_tree(list), -1));
}
template <element T> ndarray<T> block(const detail::array_tree& list) {
  return ndarray<T>::from_any_unchecked(detail::block(list, int(dtype_of<T>)));
}

}  // namespace numwarp
