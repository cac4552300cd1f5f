#define NW_NO_FMA ",no-fma"
#include <algorithm>
#include <type_traits>

#include "cpu/loops.hpp"

namespace numwarp::cpu_backend {

namespace {

// Partial results side by side, so that additions overlap and vectorise; a power of two.
// With 64 of them g++ 12 vectorises the loop over the lanes also where a step is a comparison.
constexpr int lanes = 64;

// How far ahead of its use memory is asked for, in elements: the machine itself stops at the end of
// a page. Extrema are fastest with 256, sums that are carried in a wider type with 512 (2^24
// float32 on an EPYC: 2.9 and 3.0 ms, 3.9 and 3.4 with 1024).
template <class R, class T>
inline constexpr int ahead = std::is_same_v<typename R::acc, T> ? 256 : 512;

template <class T> inline __attribute__((always_inline)) void prefetch(const T* x, int n) {
  for (int k = 0; k < n; k += std::max(1, 64 / int(sizeof(T)))) __builtin_prefetch(x + k);
}

// The place of an element among the lanes, in an integer as wide as the element: else a search does
// not vectorise.
template <class T> struct place { using type = core::unsigned_of<T>; };
template <class T> struct place<core::complex<T>> { using type = unsigned; };
template <class T> using position = typename place<T>::type;

template <class R, class T> inline constexpr bool is_moments = false;
template <class T> inline constexpr bool is_moments<core::reduce::var<T>, T> = true;
template <class T> inline constexpr bool is_moments<core::reduce::std<T>, T> = true;

// Of values and places, as many as fit the registers.
constexpr int arg_lanes = 32;

// Rounds over the lanes that such an integer can count, and that is enough of them.
template <class T> inline constexpr int arg_rounds = sizeof(position<T>) == 1 ? 255 : 1024;

// Whether `a` stays the extremum where x comes behind it.
template <class E, class T> inline __attribute__((always_inline)) bool keeps(T a, T x) {
  constexpr bool is_max = std::is_same_v<E, core::reduce::max<T>>;
  const bool is_nan = core::math::isnan(a);
  const bool as_good = is_max ? core::math::less_equal(x, a) : core::math::less_equal(a, x);
  return is_nan | as_good;
}

template <class R> inline constexpr bool is_arg = requires(typename R::acc a) { a.index; };

// Of several NaN the first wins, which lanes would not know; only those of complex numbers differ.
template <class R, class T> inline constexpr bool finds_first_nan = false;
template <class T>
inline constexpr bool finds_first_nan<core::reduce::min<core::complex<T>>, core::complex<T>> = true;
template <class T>
inline constexpr bool finds_first_nan<core::reduce::max<core::complex<T>>, core::complex<T>> = true;

}  // namespace

#define NW_DEFINE_REDUCERS(name, attribute)                                                        \
  namespace name {                                                                                 \
  template <class R, int width> attribute void fold(typename R::acc* part) {                       \
    NW_INDEPENDENT for (int k = 0; k < width; ++k) {                                               \
      const auto before = part[k];                                                                 \
      part[k] = R::merge(before, part[k + width]);                                                 \
    }                                                                                              \
    if constexpr (width > 1) fold<R, width / 2>(part);                                             \
  }                                                                                                \
  template <class R, class T>                                                                      \
  attribute void lanes_block(typename R::acc* acc, const T* x, std::int64_t n, std::int64_t at) {  \
    typename R::acc part[lanes];                                                                   \
    if (n < lanes) {                                                                               \
      part[0] = R::start();                                                                        \
      for (std::int64_t i = 0; i < n; ++i) part[0] = R::add(part[0], x[i], at + i);                \
      *acc = R::merge(*acc, part[0]);                                                              \
      return;                                                                                      \
    }                                                                                              \
    for (auto& p : part) p = R::start();                                                           \
    std::int64_t i = 0;                                                                            \
    for (; i + lanes <= n; i += lanes) {                                                           \
      prefetch(x + i + ahead<R, T>, lanes);                                                        \
      NW_INDEPENDENT for (int k = 0; k < lanes; ++k) {                                             \
        const auto before = part[k];                                                               \
        part[k] = R::add(before, x[i + k], at + i + k);                                            \
      }                                                                                            \
    }                                                                                              \
    for (int k = 0; i < n; ++i, ++k) part[k] = R::add(part[k], x[i], at + i);                      \
    fold<R, lanes / 2>(part);                                                                      \
    *acc = R::merge(*acc, part[0]);                                                                \
  }                                                                                                \
  template <class R, class T>                                                                      \
  attribute void moments_block(typename R::acc* acc, const T* x, std::int64_t n) {                 \
    if (n == 0) return;                                                                            \
    using core::reduce::mean;                                                                      \
    typename R::mean_type total{};                                                                 \
    lanes_block<core::reduce::sum<T>, T>(&total, x, n, 0);                                         \
    const auto centre = mean<T>::finish(total, n, 0);                                              \
    double m2[lanes] = {};                                                                         \
    std::int64_t i = 0;                                                                            \
    for (; i + lanes <= n; i += lanes) {                                                           \
      for (int k = 0; k < lanes; ++k) {                                                            \
        m2[k] += core::reduce::norm2(                                                              \
            core::math::subtract(core::cast<typename R::mean_type>(x[i + k]), centre));            \
      }                                                                                            \
    }                                                                                              \
    for (; i < n; ++i) {                                                                           \
      m2[0] += core::reduce::norm2(                                                                \
          core::math::subtract(core::cast<typename R::mean_type>(x[i]), centre));                  \
    }                                                                                              \
    for (int k = 1; k < lanes; ++k) m2[0] += m2[k];                                                \
    *acc = R::merge(*acc, {double(n), centre, m2[0]});                                             \
  }                                                                                                \
  /* Each lane keeps the best of its elements and the round in which it came. */                   \
  template <class R, class T>                                                                      \
  attribute void arg_block(typename R::acc* acc, const T* x, std::int64_t n, std::int64_t at) {    \
    using extremum = typename R::template extremum<T>;                                             \
    constexpr std::int64_t most = arg_rounds<T> * arg_lanes;                                       \
    for (; n > most; n -= most, x += most, at += most) arg_block<R, T>(acc, x, most, at);          \
    if (n < arg_lanes) {                                                                           \
      for (std::int64_t i = 0; i < n; ++i) *acc = R::add(*acc, x[i], at + i);                      \
      return;                                                                                      \
    }                                                                                              \
    T best[arg_lanes];                                                                             \
    position<T> round[arg_lanes] = {};                                                             \
    for (int k = 0; k < arg_lanes; ++k) best[k] = x[k];                                            \
    const auto rounds = position<T>(n / arg_lanes);                                                \
    for (position<T> r = 1; r < rounds; ++r) {                                                     \
      const T* from = x + std::int64_t(r) * arg_lanes;                                             \
      prefetch(from + ahead<R, T>, arg_lanes);                                                     \
      NW_INDEPENDENT for (int k = 0; k < arg_lanes; ++k) {                                         \
        const T before = best[k];                                                                  \
        const bool kept = keeps<extremum>(before, from[k]);                                        \
        best[k] = kept ? before : from[k];                                                         \
        round[k] = kept ? round[k] : r;                                                            \
      }                                                                                            \
    }                                                                                              \
    for (std::int64_t i = std::int64_t(rounds) * arg_lanes; i < n; ++i)                            \
      *acc = R::add(*acc, x[i], at + i);                                                           \
    T all[arg_lanes];                                                                              \
    for (int k = 0; k < arg_lanes; ++k) all[k] = best[k];                                          \
    fold<extremum, arg_lanes / 2>(all);                                                            \
    position<T> in_round = rounds, lane = arg_lanes;                                               \
    for (int k = 0; k < arg_lanes; ++k) {                                                          \
      const auto here = R::same(best[k], all[0]) ? round[k] : rounds;                              \
      in_round = here < in_round ? here : in_round;                                                \
    }                                                                                              \
    for (int k = 0; k < arg_lanes; ++k) {                                                          \
      const bool is_first = R::same(best[k], all[0]) & (round[k] == in_round);                     \
      const auto here = is_first ? position<T>(k) : position<T>(arg_lanes);                        \
      lane = here < lane ? here : lane;                                                            \
    }                                                                                              \
    const std::int64_t first = std::int64_t(in_round) * arg_lanes + std::int64_t(lane);            \
    *acc = R::merge(*acc, {x[first], at + first});                                                 \
  }                                                                                                \
  template <class R, class T>                                                                      \
  void block(void* acc, const void* x, std::int64_t n, std::int64_t at) {                          \
    auto* a = static_cast<typename R::acc*>(acc);                                                  \
    const auto* v = static_cast<const T*>(x);                                                      \
    if constexpr (is_moments<R, T>) {                                                              \
      moments_block<R, T>(a, v, n);                                                                \
    } else if constexpr (is_arg<R>) {                                                              \
      arg_block<R, T>(a, v, n, at);                                                                \
    } else if constexpr (finds_first_nan<R, T>) {                                                  \
      for (std::int64_t i = 0; i < n; ++i) *a = R::add(*a, v[i], at + i);                          \
    } else {                                                                                       \
      lanes_block<R, T>(a, v, n, at);                                                              \
    }                                                                                              \
  }                                                                                                \
  template <class R, class T>                                                                      \
  attribute void rows(void* acc, const void* x, std::int64_t n, std::int64_t columns,              \
                      std::int64_t stride, std::int64_t at) {                                      \
    auto* a = static_cast<typename R::acc*>(acc);                                                  \
    const auto row = [&](std::int64_t r) {                                                         \
      return reinterpret_cast<const T*>(static_cast<const char*>(x) + r * stride);                 \
    };                                                                                             \
    std::int64_t r = 0;                                                                            \
    for (; r + 4 <= n; r += 4) {                                                                   \
      const T *p = row(r), *q = row(r + 1), *s = row(r + 2), *t = row(r + 3);                      \
      for (std::int64_t first = 0; first < columns; first += lanes) {                              \
        for (int next = 4; next < 8; ++next) prefetch(row(r + next) + first, lanes);               \
        const std::int64_t last = std::min(first + lanes, columns);                                \
        NW_INDEPENDENT for (std::int64_t j = first; j < last; ++j) {                               \
          const auto two = R::add(R::add(a[j], p[j], at + r), q[j], at + r + 1);                   \
          a[j] = R::add(R::add(two, s[j], at + r + 2), t[j], at + r + 3);                          \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
    for (; r < n; ++r) {                                                                           \
      const T* p = row(r);                                                                         \
      NW_INDEPENDENT for (std::int64_t j = 0; j < columns; ++j) a[j] = R::add(a[j], p[j], at + r); \
    }                                                                                              \
  }                                                                                                \
  template <class R, class T> reducer make() {                                                     \
    using acc = typename R::acc;                                                                   \
    using result = decltype(R::finish(acc{}, 0, 0.0));                                             \
    reducer r;                                                                                     \
    r.acc_bytes = int(sizeof(acc));                                                                \
    r.finished = dtype(core::tag_of<result>);                                                      \
    r.start = [](void* a, std::int64_t n) {                                                        \
      for (std::int64_t j = 0; j < n; ++j) static_cast<acc*>(a)[j] = R::start();                   \
    };                                                                                             \
    r.block = &block<R, T>;                                                                        \
    r.rows = &rows<R, T>;                                                                          \
    r.merge = [](void* a, const void* b, std::int64_t n) {                                         \
      auto* to = static_cast<acc*>(a);                                                             \
      const auto* from = static_cast<const acc*>(b);                                               \
      for (std::int64_t j = 0; j < n; ++j) to[j] = R::merge(to[j], from[j]);                       \
    };                                                                                             \
    r.finish = [](const void* a, void* out, std::int64_t n, std::int64_t count, double ddof) {     \
      for (std::int64_t j = 0; j < n; ++j) {                                                       \
        static_cast<result*>(out)[j] = R::finish(static_cast<const acc*>(a)[j], count, ddof);      \
      }                                                                                            \
    };                                                                                             \
    return r;                                                                                      \
  }                                                                                                \
  }

NW_FOR_EACH_ISA(NW_DEFINE_REDUCERS)

namespace {

template <class R, class T> const reducer& reducer_of() {
  static const reducer r = [] {
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
    if (best_isa() == isa::v3) return v3::make<R, T>();
#endif
    return base::make<R, T>();
  }();
  return r;
}

// The halves are widened before they get here; mean and var have no integers either.
template <class R, class Rule, class T> const reducer& reducer_if() {
  static const reducer none;
  if constexpr (int(Rule::of(dtype(core::tag_of<T>)).compute) == core::tag_of<T>) {
    return reducer_of<R, T>();
  } else {
    return none;
  }
}

}  // namespace

namespace {

// find<R, Rule>(t): the reducer R for elements of run-time type t.
template <template <class> class R, class Rule> const reducer& find(dtype t) {
  switch (t) {
#define NW_DTYPE(tag, type, name, kind, npy) \
  case dtype::tag:                           \
    return reducer_if<R<type>, Rule, type>();
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
  static const reducer none;
  return none;
}

}  // namespace

const reducer& find_reducer(reduce_code op, dtype compute) {
  switch (op) {
#define NW_REDUCE(name, rule, options) \
  case reduce_code::name:              \
    return find<core::reduce::name, core::rule>(compute);
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE
  }
  static const reducer none;
  return none;
}

}  // namespace numwarp::cpu_backend
