#include "cpu/loops.hpp"

namespace numwarp::cpu_backend {

namespace {

// Partial results side by side, so that additions overlap and vectorise; a power of two.
constexpr int lanes = 16;

template <class R, class T>
inline constexpr bool is_moments = false;
template <class T>
inline constexpr bool is_moments<core::reduce::var<T>, T> = true;
template <class T>
inline constexpr bool is_moments<core::reduce::std<T>, T> = true;

// Whether `a = add(a, x)` compiles to plain vector code; the others carry one accumulator.
template <class R, class T>
inline constexpr bool in_lanes = !is_moments<R, T> && sizeof(typename R::acc) <= 16 &&
                                 !requires(typename R::acc a) { a.index; };

}  // namespace

#define NW_DEFINE_REDUCERS(name, attribute)                                                       \
  namespace name {                                                                                \
  template <class R, class T>                                                                     \
  attribute void lanes_block(typename R::acc* acc, const T* x, std::int64_t n, std::int64_t at) { \
    typename R::acc part[lanes];                                                                  \
    for (auto& p : part) p = R::start();                                                          \
    std::int64_t i = 0;                                                                           \
    for (; i + lanes <= n; i += lanes) {                                                          \
      for (int k = 0; k < lanes; ++k) part[k] = R::add(part[k], x[i + k], at + i + k);            \
    }                                                                                             \
    for (int k = 0; i < n; ++i, ++k) part[k] = R::add(part[k], x[i], at + i);                     \
    for (int width = lanes / 2; width > 0; width /= 2) {                                          \
      for (int k = 0; k < width; ++k) part[k] = R::merge(part[k], part[k + width]);               \
    }                                                                                             \
    *acc = R::merge(*acc, part[0]);                                                               \
  }                                                                                               \
  template <class R, class T>                                                                     \
  attribute void moments_block(typename R::acc* acc, const T* x, std::int64_t n) {                \
    if (n == 0) return;                                                                           \
    using core::reduce::mean;                                                                     \
    typename R::mean_type total{};                                                                \
    lanes_block<core::reduce::sum<T>, T>(&total, x, n, 0);                                        \
    const auto centre = mean<T>::finish(total, n, 0);                                             \
    double m2[lanes] = {};                                                                        \
    std::int64_t i = 0;                                                                           \
    for (; i + lanes <= n; i += lanes) {                                                          \
      for (int k = 0; k < lanes; ++k) {                                                           \
        m2[k] += core::reduce::norm2(                                                             \
            core::math::subtract(core::cast<typename R::mean_type>(x[i + k]), centre));           \
      }                                                                                           \
    }                                                                                             \
    for (; i < n; ++i) {                                                                          \
      m2[0] += core::reduce::norm2(                                                               \
          core::math::subtract(core::cast<typename R::mean_type>(x[i]), centre));                 \
    }                                                                                             \
    for (int k = 1; k < lanes; ++k) m2[0] += m2[k];                                               \
    *acc = R::merge(*acc, {double(n), centre, m2[0]});                                            \
  }                                                                                               \
  template <class R, class T>                                                                     \
  attribute void serial_block(typename R::acc* acc, const T* x, std::int64_t n, std::int64_t at) {\
    typename R::acc a = *acc;                                                                     \
    for (std::int64_t i = 0; i < n; ++i) a = R::add(a, x[i], at + i);                             \
    *acc = a;                                                                                     \
  }                                                                                               \
  template <class R, class T>                                                                     \
  void block(void* acc, const void* x, std::int64_t n, std::int64_t at) {                         \
    auto* a = static_cast<typename R::acc*>(acc);                                                 \
    const auto* v = static_cast<const T*>(x);                                                     \
    if constexpr (is_moments<R, T>) {                                                             \
      moments_block<R, T>(a, v, n);                                                               \
    } else if constexpr (in_lanes<R, T>) {                                                        \
      lanes_block<R, T>(a, v, n, at);                                                             \
    } else {                                                                                      \
      serial_block<R, T>(a, v, n, at);                                                            \
    }                                                                                             \
  }                                                                                               \
  template <class R, class T>                                                                     \
  attribute void rows(void* acc, const void* x, std::int64_t n, std::int64_t columns,             \
                      std::int64_t at) {                                                          \
    auto* a = static_cast<typename R::acc*>(acc);                                                 \
    const auto* v = static_cast<const T*>(x);                                                     \
    for (std::int64_t r = 0; r < n; ++r, v += columns) {                                          \
      NW_INDEPENDENT for (std::int64_t j = 0; j < columns; ++j) a[j] = R::add(a[j], v[j], at + r); \
    }                                                                                             \
  }                                                                                               \
  template <class R, class T>                                                                     \
  reducer make() {                                                                                \
    using acc = typename R::acc;                                                                  \
    using result = decltype(R::finish(acc{}, 0, 0.0));                                            \
    reducer r;                                                                                    \
    r.acc_bytes = int(sizeof(acc));                                                               \
    r.finished = dtype(core::tag_of<result>);                                                     \
    r.start = [](void* a, std::int64_t n) {                                                       \
      for (std::int64_t j = 0; j < n; ++j) static_cast<acc*>(a)[j] = R::start();                  \
    };                                                                                            \
    r.block = &block<R, T>;                                                                       \
    r.rows = &rows<R, T>;                                                                         \
    r.merge = [](void* a, const void* b, std::int64_t n) {                                        \
      auto* to = static_cast<acc*>(a);                                                            \
      const auto* from = static_cast<const acc*>(b);                                              \
      for (std::int64_t j = 0; j < n; ++j) to[j] = R::merge(to[j], from[j]);                      \
    };                                                                                            \
    r.finish = [](const void* a, void* out, std::int64_t n, std::int64_t count, double ddof) {    \
      for (std::int64_t j = 0; j < n; ++j) {                                                      \
        static_cast<result*>(out)[j] = R::finish(static_cast<const acc*>(a)[j], count, ddof);     \
      }                                                                                           \
    };                                                                                            \
    return r;                                                                                     \
  }                                                                                               \
  }

NW_FOR_EACH_ISA(NW_DEFINE_REDUCERS)

namespace {

template <class R, class T>
const reducer& reducer_of() {
  static const reducer r = [] {
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
    if (best_isa() == isa::v3) return v3::make<R, T>();
#endif
    return base::make<R, T>();
  }();
  return r;
}

// The halves are widened before they get here; mean and var have no integers either.
template <class R, class Rule, class T>
const reducer& reducer_if() {
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
template <template <class> class R, class Rule>
const reducer& find(dtype t) {
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
  case reduce_code::name:     \
    return find<core::reduce::name, core::rule>(compute);
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE
  }
  static const reducer none;
  return none;
}

}  // namespace numwarp::cpu_backend
