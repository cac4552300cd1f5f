// Complex functions: values at (+-0, +-1, +-inf, nan)^2 as NumPy gives them, and accuracy against
// NumPy's values in extended precision.
#include <map>

#include "core_test_support.hpp"

using namespace core_test;

namespace {

using pair = complex<double>;
using table = std::map<std::string, std::vector<pair>>;

table special() {
  table rows;
#define NW_SPECIAL(name, values) rows[#name] = parse_complex(values);
#define NW_SPECIAL_PAIR(name, values) rows["pair " #name] = parse_complex(values);
#include "complex_special_golden.inc"
  return rows;
}
table accurate() {
  table rows;
#define NW_ACCURATE(name, values) rows[#name] = parse_complex(values);
#define NW_ACCURATE_PAIR(name, values) rows["pair " #name] = parse_complex(values);
#include "complex_accurate_golden.inc"
  return rows;
}

// Of one part: NaN, infinities and zeros must agree, other numbers up to an absolute error.
bool same_class(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == 0 || b == 0 || std::isinf(a) || std::isinf(b)) return same_value(a, b);
  return std::fabs(a - b) <= tolerance;
}

// C99 leaves the sign open of the zero or infinite part beside a NaN in sinh, cosh, sin and cos,
// and libraries differ.
bool sign_is_open(op_code code, pair result) {
  const bool hyperbolic = code == op_code::sinh || code == op_code::cosh || code == op_code::sin ||
                          code == op_code::cos;
  return hyperbolic && (std::isnan(result.re) || std::isnan(result.im));
}

template <class T> complex<T> to(pair z) { return {T(z.re), T(z.im)}; }

void check_class(op_code code, pair r, pair wanted, double tolerance, const std::string& input) {
  if (sign_is_open(code, wanted)) {
    r = {std::fabs(r.re), std::fabs(r.im)};
    wanted = {std::fabs(wanted.re), std::fabs(wanted.im)};
  }
  const double size = std::hypot(wanted.re, wanted.im);
  const double error = std::isfinite(size) ? size * tolerance : tolerance * 10;
  EXPECT_TRUE(same_class(r.re, wanted.re, error) && same_class(r.im, wanted.im, error))
      << op_name(code) << input << " is " << r.re << ' ' << r.im << ", not " << wanted.re << ' '
      << wanted.im;
}

std::string shown(pair z) { return "(" + std::to_string(z.re) + ", " + std::to_string(z.im) + ")"; }

template <class Op, class T>
void check_special(const std::vector<pair>& inputs, const std::vector<pair>& wanted) {
  ASSERT_EQ(inputs.size(), wanted.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto r = Op::call(to<T>(inputs[i]));
    check_class(Op::code, {r.re, r.im}, wanted[i], sizeof(T) == 4 ? 1e-6 : 1e-15, shown(inputs[i]));
  }
}
template <class Op, class T>
void check_special_pairs(const std::vector<pair>& inputs, const std::vector<pair>& wanted) {
  ASSERT_EQ(inputs.size() * inputs.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const pair a = inputs[i / inputs.size()], b = inputs[i % inputs.size()];
    const auto r = Op::call(to<T>(a), to<T>(b));
    check_class(Op::code, {r.re, r.im}, wanted[i], sizeof(T) == 4 ? 1e-5 : 1e-14,
                shown(a) + shown(b));
  }
}

// Distance in units of the last place of the modulus.
template <class T> double ulps(complex<T> r, pair wanted) {
  const double size = std::hypot(wanted.re, wanted.im) * limits<T>::epsilon;
  return std::hypot(double(r.re) - wanted.re, double(r.im) - wanted.im) / size;
}

template <class Op, class T>
void check_accuracy(const std::vector<pair>& inputs, const std::vector<pair>& wanted) {
  ASSERT_EQ(inputs.size(), wanted.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_LE(ulps(Op::call(to<T>(inputs[i])), wanted[i]), 4)
        << op_name(Op::code) << shown(inputs[i]);
  }
}
template <class Op, class T>
void check_accuracy_pairs(const std::vector<pair>& inputs, const std::vector<pair>& wanted,
                          double bound) {
  const std::size_t n = inputs.size();
  ASSERT_EQ(n, wanted.size());
  for (std::size_t i = 0; i < n; ++i) {
    const pair a = inputs[i], b = inputs[(i + 7) % n];
    if (!std::isfinite(float(std::hypot(wanted[i].re, wanted[i].im)))) continue;
    EXPECT_LE(ulps(Op::call(to<T>(a), to<T>(b)), wanted[i]), bound)
        << op_name(Op::code) << shown(a) << shown(b);
  }
}

#define NW_COMPLEX_FUNCTIONS(apply)                                                           \
  apply(sign) apply(square) apply(sqrt) apply(reciprocal) apply(exp) apply(exp2) apply(expm1) \
      apply(log) apply(log2) apply(log10) apply(log1p) apply(sin) apply(cos) apply(tan)       \
          apply(arcsin) apply(arccos) apply(arctan) apply(sinh) apply(cosh) apply(tanh)       \
              apply(arcsinh) apply(arccosh) apply(arctanh)

TEST(complex_functions, have_numpys_values_at_special_points) {
  table rows = special();
#define NW_CHECK(name)                                          \
  check_special<op::name, double>(rows["inputs"], rows[#name]); \
  check_special<op::name, float>(rows["inputs"], rows[#name]);
  NW_COMPLEX_FUNCTIONS(NW_CHECK)
#undef NW_CHECK
}

TEST(complex_functions, are_accurate) {
  table rows = accurate();
#define NW_CHECK(name)                                           \
  check_accuracy<op::name, double>(rows["inputs"], rows[#name]); \
  check_accuracy<op::name, float>(rows["inputs"], rows[#name]);
  NW_COMPLEX_FUNCTIONS(NW_CHECK)
#undef NW_CHECK
}

TEST(complex_functions, of_two_operands) {
  table rows = special(), values = accurate();
#define NW_CHECK(name, bound)                                                             \
  check_special_pairs<op::name, double>(rows["pair inputs"], rows["pair " #name]);        \
  check_special_pairs<op::name, float>(rows["pair inputs"], rows["pair " #name]);         \
  check_accuracy_pairs<op::name, double>(values["inputs"], values["pair " #name], bound); \
  check_accuracy_pairs<op::name, float>(values["inputs"], values["pair " #name], bound);
  NW_CHECK(multiply, 2)
  NW_CHECK(divide, 3)
  NW_CHECK(power, 40)  // the angle's error is that of the exponent times the argument
#undef NW_CHECK
}

TEST(complex_functions, do_not_overflow_on_the_way) {
  const complex<float> root = op::sqrt::call(complex<float>(3e38f, 3e38f));
  EXPECT_NEAR(root.re / 1.9030e19f, 1, 1e-3);
  EXPECT_NEAR(op::log::call(complex<double>(1e308, 1e308)).re, 709.5427, 1e-3);
  EXPECT_NEAR(op::log::call(complex<double>(4e-320, 3e-320)).re, std::log(5e-320), 1e-3);
  EXPECT_EQ(op::exp::call(complex<double>(710, 1.5707963267948966)).im, HUGE_VAL);
  EXPECT_TRUE(std::isfinite(op::exp::call(complex<double>(710, 1.5707963267948966)).re));
  EXPECT_NEAR(op::tanh::call(complex<double>(1e4, 1)).re, 1, 1e-15);
  EXPECT_NEAR(op::arcsin::call(complex<float>(1e30f, 1e30f)).im, 70.117f, 1e-2);
  EXPECT_NEAR(op::arctanh::call(complex<double>(1e200, 1e200)).re * 1e200, 0.5, 1e-12);
  EXPECT_NEAR(op::arctanh::call(complex<double>(1, 1e-200)).re, 230.605082, 1e-5);
}

}  // namespace
