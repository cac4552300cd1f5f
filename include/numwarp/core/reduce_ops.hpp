// The reductions' accumulators. For elements of type T a reducer gives
//   acc             what a thread carries
//   start()         the identity
//   add(acc, x, i)  takes in element x with index i along the reduced axes (C order)
//   merge(a, b)     joins two partial results
//   finish(a, n, ddof)  the result for n elements, before it is converted to the result's type
// Every path of every backend uses these, so that the paths can differ only in the order of merges.
#pragma once

#include <numwarp/core/cast.hpp>
#include <numwarp/core/math.hpp>
#include <numwarp/core/type_rules.hpp>

namespace numwarp {

enum class reduce_code : unsigned char {
#define NW_REDUCE(name, rule, options) name,
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE
};

constexpr const char* reduce_name(reduce_code c) {
  constexpr const char* table[] = {
#define NW_REDUCE(name, rule, options) #name,
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE
  };
  return table[int(c)];
}

// The types a reduction works with: elements are converted to `compute`, the result is `result`.
struct reduce_types {
  dtype compute, result;
};

namespace core {

constexpr dtype widen_half(dtype t) {
  return t == dtype::float16 || t == dtype::bfloat16 ? dtype::float32 : t;
}
constexpr bool is_exact(dtype t) { return kind(t) == 'b' || is_integer(t); }

struct sum_type {
  static constexpr reduce_types of(dtype t) {
    if (kind(t) == 'b' || kind(t) == 'i') return {dtype::int64, dtype::int64};
    if (kind(t) == 'u') return {dtype::uint64, dtype::uint64};
    return {widen_half(t), t};
  }
};
struct same_type {
  static constexpr reduce_types of(dtype t) { return {widen_half(t), t}; }
};
struct bool_type {
  static constexpr reduce_types of(dtype) { return {dtype::bool_, dtype::bool_}; }
};
struct int64_type {
  static constexpr reduce_types of(dtype t) { return {widen_half(t), dtype::int64}; }
};
struct mean_type {
  static constexpr reduce_types of(dtype t) {
    if (is_exact(t)) return {dtype::float64, dtype::float64};
    return {widen_half(t), t};
  }
};
struct var_type {
  static constexpr reduce_types of(dtype t) {
    if (is_exact(t)) return {dtype::float64, dtype::float64};
    return {widen_half(t), real_dtype(t)};
  }
};

}  // namespace core

// NumPy's types for a reduction of elements of type t. With dtype=d (an explicit request) the
// elements are converted to d first and d is the result type, where the reduction has that option.
constexpr reduce_types resolve(reduce_code c, dtype t) {
  switch (c) {
#define NW_REDUCE(name, rule, options) \
  case reduce_code::name:              \
    return core::rule::of(t);
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE
  }
  return {t, t};
}

namespace core {

// Sums and products of float32 are carried in float64: better than pairwise at no cost where the
// limit is memory.
template <class T> struct carried { using type = T; };
template <> struct carried<float> { using type = double; };
template <> struct carried<complex<float>> { using type = complex<double>; };

template <class T> NW_HD T lowest();
template <class T> NW_HD T highest();
#define NW_LIMITS(T, low, high)                   \
  template <> NW_HD T lowest<T>() { return low; } \
  template <> NW_HD T highest<T>() { return high; }
NW_LIMITS(bool, false, true)
NW_LIMITS(i8, i8(-128), i8(127))
NW_LIMITS(i16, i16(-32768), i16(32767))
NW_LIMITS(i32, -2147483647 - 1, 2147483647)
NW_LIMITS(i64, -9223372036854775807L - 1, 9223372036854775807L)
NW_LIMITS(u8, 0, 255)
NW_LIMITS(u16, 0, 65535)
NW_LIMITS(u32, 0, 4294967295u)
NW_LIMITS(u64, 0, 18446744073709551615ul)
NW_LIMITS(float, -limits<float>::infinity, limits<float>::infinity)
NW_LIMITS(double, -limits<double>::infinity, limits<double>::infinity)
NW_LIMITS(complex<float>, (complex<float>{lowest<float>(), lowest<float>()}),
          (complex<float>{highest<float>(), highest<float>()}))
NW_LIMITS(complex<double>, (complex<double>{lowest<double>(), lowest<double>()}),
          (complex<double>{highest<double>(), highest<double>()}))
#undef NW_LIMITS

namespace reduce {

template <class T> struct sum {
  using acc = typename carried<T>::type;
  static NW_HD acc start() { return acc{}; }
  static NW_HD acc add(acc a, T x, i64) { return math::add(a, cast<acc>(x)); }
  static NW_HD acc merge(acc a, acc b) { return math::add(a, b); }
  static NW_HD acc finish(acc a, i64, double) { return a; }
};

template <class T> struct prod {
  using acc = typename carried<T>::type;
  static NW_HD acc start() { return cast<acc>(1); }
  static NW_HD acc add(acc a, T x, i64) { return math::multiply(a, cast<acc>(x)); }
  static NW_HD acc merge(acc a, acc b) { return math::multiply(a, b); }
  static NW_HD acc finish(acc a, i64, double) { return a; }
};

template <class T> struct max {
  using acc = T;
  static NW_HD acc start() { return lowest<T>(); }
  static NW_HD acc add(acc a, T x, i64) { return math::maximum(a, x); }
  static NW_HD acc merge(acc a, acc b) { return math::maximum(a, b); }
  static NW_HD acc finish(acc a, i64, double) { return a; }
};

template <class T> struct min {
  using acc = T;
  static NW_HD acc start() { return highest<T>(); }
  static NW_HD acc add(acc a, T x, i64) { return math::minimum(a, x); }
  static NW_HD acc merge(acc a, acc b) { return math::minimum(a, b); }
  static NW_HD acc finish(acc a, i64, double) { return a; }
};

template <class T> struct any {
  using acc = bool;
  static NW_HD acc start() { return false; }
  static NW_HD acc add(acc a, T x, i64) { return a | cast<bool>(x); }
  static NW_HD acc merge(acc a, acc b) { return a | b; }
  static NW_HD acc finish(acc a, i64, double) { return a; }
};

template <class T> struct all {
  using acc = bool;
  static NW_HD acc start() { return true; }
  static NW_HD acc add(acc a, T x, i64) { return a & cast<bool>(x); }
  static NW_HD acc merge(acc a, acc b) { return a & b; }
  static NW_HD acc finish(acc a, i64, double) { return a; }
};

template <class T> struct count_nonzero {
  using acc = i64;
  static NW_HD acc start() { return 0; }
  static NW_HD acc add(acc a, T x, i64) { return a + i64(cast<bool>(x)); }
  static NW_HD acc merge(acc a, acc b) { return a + b; }
  static NW_HD acc finish(acc a, i64, double) { return a; }
};

// The best element so far and its index; index -1 is "none yet". The first NaN wins, then the
// first of equal elements.
template <class T> struct best_of {
  T value;
  i64 index;
};

template <class T, bool Max> struct arg_extremum {
  using acc = best_of<T>;
  // The reducer that finds the value, and whether an element is that value.
  template <class U> using extremum = conditional_t<Max, max<U>, min<U>>;
  static NW_HD bool same(T a, T b) {
    const bool equal = math::equal(a, b), a_nan = math::isnan(a), b_nan = math::isnan(b);
    return equal | (a_nan & b_nan);
  }
  static NW_HD acc start() { return {T{}, -1}; }
  static NW_HD bool replaces(acc a, acc b) {
    if (b.index < 0) return false;
    if (a.index < 0) return true;
    const bool a_nan = math::isnan(a.value), b_nan = math::isnan(b.value);
    if (a_nan | b_nan) return b_nan & (!a_nan | (b.index < a.index));
    const bool better = Max ? math::less(a.value, b.value) : math::less(b.value, a.value);
    const bool worse = Max ? math::less(b.value, a.value) : math::less(a.value, b.value);
    return better | (!worse & (b.index < a.index));
  }
  static NW_HD acc merge(acc a, acc b) { return replaces(a, b) ? b : a; }
  static NW_HD acc add(acc a, T x, i64 i) { return merge(a, acc{x, i}); }
  static NW_HD i64 finish(acc a, i64, double) { return a.index; }
};
template <class T> struct argmax : arg_extremum<T, true> {};
template <class T> struct argmin : arg_extremum<T, false> {};

template <class T> struct mean : sum<T> {
  using acc = typename sum<T>::acc;
  static NW_HD acc finish(acc a, i64 n, double) { return math::divide(a, cast<acc>(double(n))); }
};

// Count, mean and sum of squared distances from the mean, in float64.
// Joining two of them: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for
// computing sample variances" (1979).
template <class M> struct moments {
  double n;
  M mean;
  double m2;
};

NW_HD double norm2(double x) { return x * x; }
NW_HD double norm2(complex<double> x) { return x.re * x.re + x.im * x.im; }

template <class T> struct var {
  using mean_type = typename carried<T>::type;
  using acc = moments<mean_type>;
  static NW_HD acc start() { return {0, mean_type{}, 0}; }
  static NW_HD mean_type scaled(mean_type m, double f) {
    return math::multiply(m, cast<mean_type>(f));
  }
  static NW_HD acc merge(acc a, acc b) {
    if (a.n == 0) return b;
    if (b.n == 0) return a;
    const double n = a.n + b.n;
    const mean_type d = math::subtract(b.mean, a.mean);
    return {n, math::add(a.mean, scaled(d, b.n / n)), a.m2 + b.m2 + norm2(d) * (a.n * b.n / n)};
  }
  static NW_HD acc add(acc a, T x, i64) { return merge(a, {1, cast<mean_type>(x), 0}); }
  static NW_HD double finish(acc a, i64 n, double ddof) {
    const double d = double(n) - ddof;
    return a.m2 / (d > 0 ? d : 0);
  }
};

template <class T> struct std : var<T> {
  static NW_HD double finish(typename var<T>::acc a, i64 n, double ddof) {
    return math::sqrt(var<T>::finish(a, n, ddof));
  }
};

}  // namespace reduce
}  // namespace core
}  // namespace numwarp
