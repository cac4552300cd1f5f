// Numerical ranges, and grids of the coordinates of points. NumPy's page "numerical ranges".
//
// New arrays are made on the default device unless `device` says otherwise. None waits. All throw
// value_error for shapes that are too large.
#pragma once

#include <array>
#include <numwarp/creation.hpp>
#include <numwarp/manipulation.hpp>
#include <tuple>
#include <utility>
#include <vector>

namespace numwarp {

namespace detail {

// The element type of ranges given by scalars: int64 for integers, float64 as soon as one is
// floating.
template <class... S>
using range_element =
    std::conditional_t<(std::is_floating_point_v<S> || ...), double, std::int64_t>;

}  // namespace detail

// Ends of a range, computed on the host.
template <class S>
concept real_scalar_argument =
    scalar_argument<S> && !detail::is_complex_scalar<std::remove_cvref_t<S>>;

// [start, stop) in steps: start + i * step, NumPy's rounding included. arange(5) and arange(0, 5)
// are int64, arange(0, 1, 0.1) is float64, arange<float>(0, 1, 0.1) float32. Throws value_error for
// a step of zero.
template <class T = void, real_scalar_argument A, real_scalar_argument B = int,
          real_scalar_argument C = int>
auto arange(A start, B stop, C step = 1, device d = default_device()) {
  using E = std::conditional_t<std::is_void_v<T>, detail::range_element<A, B, C>, T>;
  return ndarray<E>::from_any_unchecked(detail::arange(detail::scalar(start), detail::scalar(stop),
                                                       detail::scalar(step), dtype_of<E>, d));
}
template <class T = void, real_scalar_argument A> auto arange(A stop) {
  return arange<T>(A(0), stop);
}

namespace detail {

// What the functions of ranges between arrays have in common.
struct space {
  std::int64_t n;
  bool endpoint;
  int axis;
  dtype compute, result;
  const char* function;
};

template <class E>
concept range_end = typed_array<E> || scalar_argument<E>;
// Ends for which the device computes: arrays and complex numbers.
template <class... E>
concept device_ends = (range_end<E> && ...) && !(real_scalar_argument<E> && ...);

// The floating type that ranges between these ends have.
template <class... E> consteval dtype ends_type() {
  const type_argument list[] = {
      {dtype::bool_, true, 0}, type_argument_of<E>()..., type_argument_of<double>()};
  return promote_arguments(op_code::where, list, 2 + int(sizeof...(E)));
}
template <class T, dtype Compute>
using space_element =
    typename std::conditional_t<std::is_void_v<T>, std::type_identity<type_of<Compute>>,
                                std::type_identity<T>>::type;

// An end as an array: a scalar as a 0-d one.
template <class E> any_array end_array(const E& end, device d, const char* function) {
  if constexpr (typed_array<E>) {
    return end.untyped();
  } else {
    constexpr dtype t = is_complex_scalar<E> ? dtype::complex128 : dtype::float64;
    return full(shape(), t, scalar(end), d, order::c, function);
  }
}
// The device of the first array, else d.
inline device device_of(device d) { return d; }
template <class E, class... Rest> device device_of(device d, const E& end, const Rest&... rest) {
  if constexpr (typed_array<E>) {
    return end.device();
  } else {
    return device_of(d, rest...);
  }
}

any_array linspace(const any_array& start, const any_array& stop, const space& s);
// Of a range between numbers, which has one axis. Throws axis_error.
void check_line_axis(int axis, const char* function);
any_array logspace(const any_array& start, const any_array& stop, const any_array& base,
                   const space& s);
any_array geomspace(const any_array& start, const any_array& stop, const space& s);

template <class R, class F, class A, class B>
ndarray<R> range_between(const F& f, const A& start, const B& stop, const space& s, device d) {
  d = device_of(d, start, stop);
  return ndarray<R>::from_any_unchecked(
      f(end_array(start, d, s.function), end_array(stop, d, s.function), s));
}

}  // namespace detail

// n values from start to stop, evenly spaced; without the endpoint, the first n of n + 1. Integer
// types round down. Throws value_error for n < 0.
struct linspace_options {
  bool endpoint = true;
  int axis = 0;  // of the values, where the ends are arrays
};
template <element T = double, real_scalar_argument A, real_scalar_argument B>
ndarray<T> linspace(A start, B stop, std::int64_t n = 50, linspace_options o = {},
                    device d = default_device()) {
  detail::check_line_axis(o.axis, "linspace");
  return ndarray<T>::from_any_unchecked(
      detail::linspace(detail::scalar(start), detail::scalar(stop), n, o.endpoint, dtype_of<T>, d));
}
// The same between arrays, which broadcast, and complex numbers: the values lie along a new axis,
// on the device of the arrays. Without a T, of the ends' floating type. Waits.
template <class T = void, class A, class B>
requires detail::device_ends<A, B>
auto linspace(const A& start, const B& stop, std::int64_t n = 50, linspace_options o = {},
              device d = default_device()) {
  constexpr dtype t = detail::ends_type<A, B>();
  using R = detail::space_element<T, t>;
  const auto f = [](const auto&... a) { return detail::linspace(a...); };
  return detail::range_between<R>(f, start, stop,
                                  {n, o.endpoint, o.axis, t, dtype_of<R>, "linspace"}, d);
}

// Axes of meshgrid's results: xy, the first array along the second axis (as in plots), or ij, each
// array along its own.
enum class indexing : unsigned char { xy, ij };

struct meshgrid_options {
  bool copy = true;
  bool sparse = false;
  numwarp::indexing indexing = numwarp::indexing::xy;
};

// The step of a range that is given by its number of points, of which the last one is its stop.
// NumPy spells points(5) as 5j.
struct points {
  std::int64_t count;
  constexpr explicit points(std::int64_t n) : count(n) {}
};

// One axis of mgrid, ogrid, r_ and c_, NumPy's start:stop:step: range(5), range(2, 5),
// range(0, 1, 0.1), range(0, 1, points(11)). int64 where start, stop and step are integers, else
// double.
template <class T> class range {
 public:
  template <real_scalar_argument A> constexpr explicit range(A stop) : stop_(T(stop)) {}
  template <real_scalar_argument A, real_scalar_argument B, real_scalar_argument C = int>
  constexpr range(A start, B stop, C step = 1) : start_(T(start)), stop_(T(stop)), step_(T(step)) {}
  template <real_scalar_argument A, real_scalar_argument B>
  constexpr range(A start, B stop, points n)
      : start_(T(start)), stop_(T(stop)), count_(n.count), by_count_(true) {}

  constexpr T start() const { return start_; }
  constexpr T stop() const { return stop_; }
  constexpr T step() const { return step_; }
  constexpr std::int64_t count() const { return count_; }
  constexpr bool by_count() const { return by_count_; }

 private:
  T start_ = 0, stop_ = 0, step_ = 1;
  std::int64_t count_ = 0;
  bool by_count_ = false;
};
template <class A> range(A) -> range<detail::range_element<A>>;
template <class A, class B> range(A, B) -> range<detail::range_element<A, B>>;
template <class A, class B, class C> range(A, B, C) -> range<detail::range_element<A, B, C>>;
template <class A, class B> range(A, B, points) -> range<double>;

namespace detail {

// One axis of a grid: start + i * step for i in [0, count).
struct grid_axis {
  scalar start, step;
  std::int64_t count;
};

// For each axis the place along it, of shape (axes, counts...): one launch for eight axes.
any_array grid(std::span<const grid_axis> axes, dtype t, device d, const char* function);
// The places along axis k alone, of a shape that broadcasts to the grid's.
any_array grid_along(std::span<const grid_axis> axes, int k, dtype t, device d,
                     const char* function);
std::vector<grid_axis> unit_axes(const shape& s, const char* function);
grid_axis make_axis(const scalar& start, const scalar& stop, const scalar& step,
                    const char* function);
grid_axis make_axis(double start, double stop, points n, const char* function);
void meshgrid(std::span<any_array> list, const meshgrid_options& o);
any_array logspace(const scalar& start, const scalar& stop, std::int64_t n, bool endpoint,
                   const scalar& base, dtype t, device d, const char* function = "logspace");
any_array geomspace(const scalar& start, const scalar& stop, std::int64_t n, bool endpoint, dtype t,
                    device d);

template <class T> grid_axis axis_of(const range<T>& r, const char* function) {
  if (r.by_count()) {
    return make_axis(double(r.start()), double(r.stop()), points(r.count()), function);
  }
  return make_axis(scalar(r.start()), scalar(r.stop()), scalar(r.step()), function);
}

template <element... T> auto meshgrid_tuple(const meshgrid_options& o, const ndarray<T>&... axes) {
  any_array list[] = {axes.untyped()...};
  meshgrid(list, o);
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::tuple{ndarray<T>::from_any_unchecked(std::move(list[K]))...};
  }
  (std::index_sequence_for<T...>());
}

}  // namespace detail

// base to the power of n evenly spaced exponents from start to stop; without the endpoint, the
// first n of n + 1. Computed as float64. value_error for n < 0.
struct logspace_options {
  bool endpoint = true;
  detail::scalar base = 10.0;
  int axis = 0;  // of the values, where the ends are arrays
};
template <element T = double, real_scalar_argument A, real_scalar_argument B>
ndarray<T> logspace(A start, B stop, std::int64_t n = 50, logspace_options o = {},
                    device d = default_device()) {
  detail::check_line_axis(o.axis, "logspace");
  return ndarray<T>::from_any_unchecked(detail::logspace(
      detail::scalar(start), detail::scalar(stop), n, o.endpoint, o.base, dtype_of<T>, d));
}
// The same between arrays and complex numbers, and for an array of bases; all of them broadcast.
// The n powers lie along a new axis, on the device of the arrays, of their floating type. Waits.
template <class T = void, class A, class B>
requires detail::device_ends<A, B>
auto logspace(const A& start, const B& stop, std::int64_t n = 50, logspace_options o = {},
              device d = default_device()) {
  constexpr dtype t = detail::ends_type<A, B>();
  using R = detail::space_element<T, t>;
  const auto f = [&](const any_array& a, const any_array& b, const detail::space& s) {
    return detail::logspace(a, b,
                            detail::full(shape(), t, o.base, a.device(), order::c, s.function), s);
  };
  return detail::range_between<R>(f, start, stop,
                                  {n, o.endpoint, o.axis, t, dtype_of<R>, "logspace"}, d);
}
template <class T = void, detail::range_end A, detail::range_end B, element U>
auto logspace(const A& start, const B& stop, std::int64_t n, const ndarray<U>& base,
              linspace_options o = {}) {
  constexpr dtype t = detail::ends_type<A, B>(), all = detail::ends_type<A, B, ndarray<U>>();
  using R = detail::space_element<T, all>;
  const auto f = [&](const any_array& a, const any_array& b, const detail::space& s) {
    return detail::logspace(a, b, base.untyped(), s);
  };
  return detail::range_between<R>(
      f, start, stop, {n, o.endpoint, o.axis, t, dtype_of<R>, "logspace"}, base.device());
}

// n values from start to stop, each the same multiple of the one before; the ends are exact.
// value_error for n < 0 and where an end is zero.
template <element T = double, real_scalar_argument A, real_scalar_argument B>
ndarray<T> geomspace(A start, B stop, std::int64_t n = 50, linspace_options o = {},
                     device d = default_device()) {
  detail::check_line_axis(o.axis, "geomspace");
  return ndarray<T>::from_any_unchecked(detail::geomspace(
      detail::scalar(start), detail::scalar(stop), n, o.endpoint, dtype_of<T>, d));
}
// The same between arrays and complex numbers, as linspace: between complex ones on a spiral.
// Waits.
template <class T = void, class A, class B>
requires detail::device_ends<A, B>
auto geomspace(const A& start, const B& stop, std::int64_t n = 50, linspace_options o = {},
               device d = default_device()) {
  using Least = detail::space_element<T, dtype::float64>;
  constexpr dtype t = detail::ends_type<A, B, ndarray<Least>>();
  using R = detail::space_element<T, t>;
  const auto f = [](const auto&... a) { return detail::geomspace(a...); };
  return detail::range_between<R>(f, start, stop,
                                  {n, o.endpoint, o.axis, t, dtype_of<R>, "geomspace"}, d);
}

// The coordinates of a grid's points: array k (flattened) repeated along the axes of the others. Of
// two or three arrays as a tuple, auto [x, y] = meshgrid(a, b), of a vector as a vector. sparse:
// one axis each, to be broadcast; copy = false: read-only views.
template <element A, element B>
auto meshgrid(const ndarray<A>& a, const ndarray<B>& b, meshgrid_options o = {}) {
  return detail::meshgrid_tuple(o, a, b);
}
template <element A, element B, element C>
auto meshgrid(const ndarray<A>& a, const ndarray<B>& b, const ndarray<C>& c,
              meshgrid_options o = {}) {
  return detail::meshgrid_tuple(o, a, b, c);
}
template <element T>
std::vector<ndarray<T>> meshgrid(const std::vector<ndarray<T>>& axes, meshgrid_options o = {}) {
  std::vector<any_array> list;
  for (const auto& a : axes) list.push_back(a.untyped());
  detail::meshgrid(list, o);
  std::vector<ndarray<T>> out;
  for (any_array& a : list) out.push_back(ndarray<T>::from_any_unchecked(std::move(a)));
  return out;
}

// The coordinates of the points of a grid, NumPy's mgrid[0:5, 0:1:11j]:
//   mgrid(range(0, 5), range(0, 1, points(11))) has the shape (2, 5, 11).
// All of the common type of the ranges, int64 or double. Of one range: its values.
template <class... T>
requires(sizeof...(T) > 1) auto mgrid(const range<T>&... axes) {
  using E = detail::range_element<T...>;
  const detail::grid_axis list[] = {detail::axis_of(axes, "mgrid")...};
  return ndarray<E>::from_any_unchecked(detail::grid(list, dtype_of<E>, default_device(), "mgrid"));
}
template <class T> ndarray<T> mgrid(const range<T>& r) {
  if (!r.by_count()) return arange<T>(r.start(), r.stop(), r.step());
  const detail::grid_axis axis = detail::axis_of(r, "mgrid");
  return ndarray<T>::from_any_unchecked(
      detail::grid_along({&axis, 1}, 0, dtype_of<T>, default_device(), "mgrid"));
}

// The same with one axis for each range, to be broadcast: auto [x, y] = ogrid(range(5), range(3))
// gives the shapes (5, 1) and (1, 3).
template <class... T>
requires(sizeof...(T) > 1) auto ogrid(const range<T>&... axes) {
  using E = detail::range_element<T...>;
  const detail::grid_axis list[] = {detail::axis_of(axes, "ogrid")...};
  std::array<ndarray<E>, sizeof...(T)> out;
  for (int k = 0; k < int(out.size()); ++k) {
    out[std::size_t(k)] = ndarray<E>::from_any_unchecked(
        detail::grid_along(list, k, dtype_of<E>, default_device(), "ogrid"));
  }
  return out;
}
template <class T> ndarray<T> ogrid(const range<T>& r) { return mgrid(r); }

// f called once with the coordinates of all places of a shape, which is given in braces:
//   fromfunction([](auto i, auto j) { return i + j; }, {3, 4})
// The coordinates are read-only views of the shape, of type T, on the default device; what f
// returns is the result. value_error for a negative extent.
template <element T = double, class F, std::size_t N>
auto fromfunction(F&& f, const std::int64_t (&extents)[N]) {
  const shape s(extents);
  const auto axes = detail::unit_axes(s, "fromfunction");
  const auto along = [&](std::size_t k) {
    return ndarray<T>::from_any_unchecked(
        detail::grid_along(axes, int(k), dtype_of<T>, default_device(), "fromfunction")
            .broadcast_to(s));
  };
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return std::forward<F>(f)(along(K)...);
  }
  (std::make_index_sequence<N>());
}

}  // namespace numwarp
