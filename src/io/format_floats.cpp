// Floating and complex elements: one notation and one alignment for all that are printed.
#include <algorithm>
#include <cmath>
#include <limits>

#include "format_digits.hpp"
#include "format_elements.hpp"

namespace numwarp::detail {
namespace {

using each_value = std::function<void(const std::function<void(double)>&)>;

float_format format_of(dtype type) {
  if (type == dtype::float16) return float_format::binary16;
  const bool is_single = type == dtype::float32 || type == dtype::complex64;
  return is_single ? float_format::binary32 : float_format::binary64;
}

// What the choice of notation and the padding depend on.
struct summary {
  double smallest = std::numeric_limits<double>::infinity();  // magnitude of the non-zero ones
  double largest = 0;
  bool any_finite = false;
  bool any_special = false;  // NaN or infinite
  bool any_negative_infinity = false;
  bool any_sign_bit = false;  // of the finite ones

  void add(double x) {
    if (!std::isfinite(x)) {
      any_special = true;
      any_negative_infinity |= x < 0;
      return;
    }
    any_finite = true;
    any_sign_bit |= std::signbit(x);
    if (x == 0) return;
    smallest = std::min(smallest, std::fabs(x));
    largest = std::max(largest, std::fabs(x));
  }
};

// NumPy divides and compares in the type of the array.
bool ratio_exceeds_1000(float_format format, double large, double small) {
  if (format == float_format::binary64) return large / small > 1000;
  const float ratio = static_cast<float>(large) / static_cast<float>(small);
  return (format == float_format::binary32 ? ratio : float(float16(ratio))) > 1000;
}

bool needs_exponent(float_format format, const summary& all, bool suppress) {
  if (all.largest == 0) return false;
  const bool half = format == float_format::binary16;
  const bool wide = format == float_format::binary64;
  if (all.largest >= (half ? 1e3 : wide ? 1e8 : 1e6)) return true;
  if (suppress) return false;
  const double small = half || wide ? 1e-4 : double(1e-4F);
  return all.smallest < small || ratio_exceeds_1000(format, all.largest, all.smallest);
}

// The real parts of an array, or its imaginary parts.
class float_column {
 public:
  float_column(float_format format, const each_value& values, char sign,
               const printoptions& options);
  std::string text(double x) const;

 private:
  std::string sign_of(double x) const { return std::signbit(x) ? "-" : sign_ == '+' ? "+" : ""; }
  std::string special(double x) const;
  float_text digits(double x) const;
  void measure(const each_value& values);
  void pad_for_special(const summary& all);

  float_format format_;
  char sign_;
  bool exponents_ = false;
  int exponent_digits_ = -1;
  digit_rule rule_;
  std::size_t left_ = 0;   // characters before the point, sign included
  std::size_t right_ = 0;  // and after it
  std::string nan_;
  std::string infinity_;
};

float_column::float_column(float_format format, const each_value& values, char sign,
                           const printoptions& options)
    : format_(format), sign_(sign), nan_(options.nanstr), infinity_(options.infstr) {
  summary all;
  values([&](double x) { all.add(x); });
  const bool fixed = options.floatmode == "fixed";
  exponents_ = needs_exponent(format, all, options.suppress);
  rule_.precision = options.floatmode == "unique" ? -1 : options.precision;
  rule_.unique = !fixed;
  rule_.keep_zeros = fixed;
  measure(values);
  if (all.any_finite && (exponents_ || options.floatmode == "maxprec_equal")) {
    rule_.keep_zeros = true;
    rule_.precision = static_cast<int>(right_);
  }
  if (exponents_) right_ += static_cast<std::size_t>(exponent_digits_) + 2;  // "e+08"
  if (sign_ == ' ' && !all.any_sign_bit) ++left_;
  if (all.any_special) pad_for_special(all);
}

// A first pass over the finite elements finds the widest parts before and after the point.
void float_column::measure(const each_value& values) {
  values([&](double x) {
    if (!std::isfinite(x)) return;
    const float_text parts = digits(x);
    left_ = std::max(left_, sign_of(x).size() + parts.whole.size());
    right_ = std::max(right_, parts.fraction.size());
    const int exponent_digits = static_cast<int>(exponent_text(parts.exponent).size()) - 1;
    exponent_digits_ = std::max(exponent_digits_, exponent_digits);
  });
}

void float_column::pad_for_special(const summary& all) {
  const std::size_t offset = right_ + 1;  // the point
  const std::size_t sign = sign_ != '-' || all.any_negative_infinity ? 1 : 0;
  left_ = std::max(left_ + offset, std::max(columns(nan_), columns(infinity_) + sign)) - offset;
}

float_text float_column::digits(double x) const {
  return exponents_ ? scientific(format_, std::fabs(x), rule_)
                    : positional(format_, std::fabs(x), rule_);
}

std::string float_column::special(double x) const {
  const std::string plus = sign_ == '+' ? "+" : "";
  const std::string text = std::isnan(x) ? plus + nan_ : (x < 0 ? "-" : plus) + infinity_;
  return padded_left(text, left_ + right_ + 1);
}

std::string float_column::text(double x) const {
  if (!std::isfinite(x)) return special(x);
  const float_text parts = digits(x);
  std::string text = padded_left(sign_of(x) + parts.whole, left_) + "." + parts.fraction;
  if (exponents_) return text + "e" + exponent_text(parts.exponent, exponent_digits_);
  return text.append(right_ - parts.fraction.size(), ' ');
}

each_value parts_of(dtype type, const each_element& elements, bool imaginary) {
  return [&elements, type, imaginary](const std::function<void(double)>& visit) {
    elements([&](const void* element) { visit(load_part(type, element, imaginary)); });
  };
}

class real_text final : public element_text {
 public:
  real_text(dtype type, const each_element& elements, const printoptions& options)
      : type_(type),
        column_(format_of(type), parts_of(type, elements, false), options.sign, options) {}
  std::string operator()(const void* element) const override {
    return column_.text(load_part(type_, element, false));
  }

 private:
  dtype type_;
  float_column column_;
};

class complex_text final : public element_text {
 public:
  complex_text(dtype type, const each_element& elements, const printoptions& options)
      : type_(type),
        real_(format_of(type), parts_of(type, elements, false), options.sign, options),
        imaginary_(format_of(type), parts_of(type, elements, true), '+', options) {}
  std::string operator()(const void* element) const override {
    std::string imaginary = imaginary_.text(load_part(type_, element, true));
    imaginary.insert(imaginary.find_last_not_of(' ') + 1, "j");  // before the padding
    return real_.text(load_part(type_, element, false)) + imaginary;
  }

 private:
  dtype type_;
  float_column real_;
  float_column imaginary_;
};

}  // namespace

std::unique_ptr<element_text> make_float_text(dtype type, const each_element& elements,
                                              const printoptions& options) {
  if (kind(type) == 'c') return std::make_unique<complex_text>(type, elements, options);
  return std::make_unique<real_text>(type, elements, options);
}

}  // namespace numwarp::detail
