// Untyped arrays against golden ones: moving them in, comparing them, and seeing them through other
// strides. Everything works on bytes with the dtype known at run time, so that one test covers a
// table.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <golden_file.hpp>
#include <limits>
#include <numwarp/numwarp.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace numwarp::testing {

// f(std::type_identity<T>()) for the element type T of t.
template <class F> auto visit_type(dtype t, F f) {
  switch (t) {
#define NW_DTYPE(tag, type, name, kind, npy) \
  case dtype::tag:                           \
    return f(std::type_identity<type_of<dtype::tag>>());
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
  throw std::runtime_error("no such dtype");
}

inline any_array to_array(const golden_array& g, device d = default_device()) {
  return detail::from_host(g.bytes.data(), numwarp::shape(g.shape), g.type, d);
}

// The elements of a in C order, as a golden array; computes it.
inline golden_array to_golden(const any_array& a) {
  golden_array out;
  out.type = a.type();
  out.shape.assign(a.shape().begin(), a.shape().end());
  out.bytes.resize(std::size_t(a.nbytes()));
  detail::to_host(a, out.bytes.data());
  return out;
}

// How near two values must be. Floating values may differ by `ulp` units in the last place of the
// wanted one, complex ones by that much of their absolute value.
struct tolerance {
  double ulp = 0;
  bool zero_signs = true;  // 0.0 and -0.0 are different
  bool any_nan = false;    // complex numbers with a NaN part are all alike
};

namespace detail_compare {

template <class T> inline constexpr bool is_complex_type = false;
template <class T> inline constexpr bool is_complex_type<std::complex<T>> = true;

template <class T> double unit(double x) {  // the distance of floats of type T at x
  constexpr int digits = std::is_same_v<T, float16>    ? 11
                         : std::is_same_v<T, bfloat16> ? 8
                         : std::is_same_v<T, float>    ? 24
                                                       : 53;
  constexpr int least = std::is_same_v<T, float16>    ? -24
                        : std::is_same_v<T, bfloat16> ? -133
                        : std::is_same_v<T, float>    ? -149
                                                      : -1074;
  if (x == 0 || !std::isfinite(x)) return std::ldexp(1.0, least);
  return std::ldexp(1.0, std::max(std::ilogb(x) + 1 - digits, least));
}

template <class T> bool near(double got, double want, double scale, tolerance t) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  if (got == want) return !t.zero_signs || std::signbit(got) == std::signbit(want);
  if (t.ulp == 0) return false;
  // One is infinite where the other is the largest finite number: a rounding apart.
  const double most = double(float(std::numeric_limits<float>::max()));
  if (std::isinf(got) || std::isinf(want)) {
    const double other = std::isinf(got) ? want : got;
    const double top = std::is_same_v<T, float16>    ? 65504.0
                       : std::is_same_v<T, bfloat16> ? 3.3895e38
                       : std::is_same_v<T, float>    ? most
                                                     : std::numeric_limits<double>::max();
    return std::signbit(got) == std::signbit(want) && std::abs(other) >= top * 0.99;
  }
  return std::abs(got - want) <= t.ulp * unit<T>(scale);
}

template <class T> bool same(T got, T want, tolerance t) {
  if constexpr (is_complex_type<T>) {
    using R = typename T::value_type;
    const double re = double(want.real()), im = double(want.imag());
    const bool finite = std::isfinite(re) && std::isfinite(im);
    const bool nan = std::isnan(re) || std::isnan(im);
    if (t.any_nan && nan) return std::isnan(got.real()) || std::isnan(got.imag());
    // C99 leaves the sign of a zero or an infinity beside a NaN open.
    if (t.ulp > 0 && (std::isnan(re) || std::isnan(im))) {
      return near<R>(std::abs(double(got.real())), std::abs(re), re, t) &&
             near<R>(std::abs(double(got.imag())), std::abs(im), im, t);
    }
    const double scale = finite && t.ulp > 0 ? std::max(std::abs(re), std::abs(im)) : 0;
    return near<R>(double(got.real()), re, scale != 0 ? scale : re, t) &&
           near<R>(double(got.imag()), im, scale != 0 ? scale : im, t);
  } else if constexpr (std::is_integral_v<T>) {
    return got == want;
  } else {
    return near<T>(double(got), double(want), double(want), t);
  }
}

template <class T> std::string text(T x) {
  std::ostringstream out;
  out.precision(17);
  if constexpr (is_complex_type<T>) {
    out << x.real() << (std::signbit(x.imag()) ? "" : "+") << x.imag() << 'j';
  } else if constexpr (std::is_integral_v<T>) {
    out << +x;
  } else {
    out << double(x);
  }
  return out.str();
}

}  // namespace detail_compare

// Type, shape and elements.
inline ::testing::AssertionResult equal(const golden_array& got, const golden_array& want,
                                        tolerance t = {}) {
  if (got.type != want.type) {
    return ::testing::AssertionFailure()
           << "type " << name(got.type) << ", not " << name(want.type);
  }
  if (got.shape != want.shape) {
    return ::testing::AssertionFailure() << "shape " << to_string(numwarp::shape(got.shape))
                                         << ", not " << to_string(numwarp::shape(want.shape));
  }
  if (t.zero_signs && got.bytes == want.bytes) return ::testing::AssertionSuccess();
  return visit_type(want.type, [&]<class T>(std::type_identity<T>) {
    const auto g = got.values<T>(), w = want.values<T>();
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = g.size(); i-- > 0;) {
      if (detail_compare::same<T>(g[i], w[i], t)) continue;
      ++wrong;
      first = i;
    }
    if (wrong == 0) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << wrong << " of " << g.size() << " differ, first at " << first << ": "
           << detail_compare::text<T>(g[first]) << ", not " << detail_compare::text<T>(w[first]);
  });
}
inline ::testing::AssertionResult equal(const any_array& got, const golden_array& want,
                                        tolerance t = {}) {
  return equal(to_golden(got), want, t);
}
inline ::testing::AssertionResult equal(const any_array& got, const any_array& want,
                                        tolerance t = {}) {
  return equal(to_golden(got), to_golden(want), t);
}

// a itself, marked as a name or a temporary, for the entries of detail/call.hpp.
inline detail::operand named(const any_array& a) { return {const_cast<any_array*>(&a), false, {}}; }
inline detail::operand temporary(any_array& a) { return {&a, true, {}}; }
inline detail::operand number(detail::scalar s) { return {nullptr, false, s}; }

inline any_array call(core::op_code op, std::vector<any_array> arrays,
                      const detail::call_options& options = {}) {
  std::vector<detail::operand> operands;
  for (const any_array& a : arrays) operands.push_back(named(a));
  return detail::elementwise(op, operands, options);
}

inline any_array subscript(const any_array& a, std::vector<detail::subscript> items) {
  return a.subscript(items);
}

// The same elements of a one-dimensional array, `step` elements apart in a larger one (step may be
// negative); what lies between is poisoned by other values.
inline any_array spread(const any_array& a, std::int64_t step) {
  const std::int64_t n = a.size();
  const std::int64_t wide = std::abs(step) * n + 1;
  any_array base = detail::full(wide, a.type(), detail::scalar(true), a.device());
  any_array view = subscript(base, {step > 0 ? slice(1, none, step) : slice(none, 0, step)});
  detail::assign(view, named(a), "spread");
  return view;
}

// The C++ exception class for a class of Python.
template <class F>
::testing::AssertionResult throws(F f, const std::string& error_class, const std::string& text) {
  const auto judge = [&](const char* thrown, bool right, const std::string& what) {
    if (!right) {
      return ::testing::AssertionFailure()
             << thrown << " (" << what << ") instead of " << error_class << " (" << text << ")";
    }
    if (what.find(text) == std::string::npos) {
      return ::testing::AssertionFailure() << "message \"" << what << "\" lacks \"" << text << '"';
    }
    return ::testing::AssertionSuccess();
  };
  try {
    f();
  } catch (const axis_error& e) {
    return judge("axis_error", error_class == "AxisError", e.what());
  } catch (const value_error& e) {
    return judge("value_error", error_class == "ValueError", e.what());
  } catch (const type_error& e) {
    return judge("type_error", error_class == "TypeError", e.what());
  } catch (const index_error& e) {
    return judge("index_error", error_class == "IndexError", e.what());
  } catch (const overflow_error& e) {
    return judge("overflow_error", error_class == "OverflowError", e.what());
  } catch (const std::exception& e) {
    return judge("another exception", false, e.what());
  }
  return ::testing::AssertionFailure()
         << "nothing thrown instead of " << error_class << ": " << text;
}

}  // namespace numwarp::testing
