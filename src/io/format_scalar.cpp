// str() of scalars.
#include <charconv>
#include <cmath>

#include "format_digits.hpp"
#include "format_elements.hpp"

namespace numwarp::detail {
namespace {

std::string infinite_or_nan(double x) { return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf"; }

// NumPy leaves positional notation sooner for the types of fewer digits.
double exponent_from(float_format format) {
  if (format == float_format::binary16) return 1e3;
  return format == float_format::binary32 ? 1e6 : 1e16;
}

// `point_zero`: whole numbers end in ".0". The parts of complex numbers do not.
std::string float_scalar(float_format format, double x, bool point_zero) {
  if (!std::isfinite(x)) return infinite_or_nan(x);
  const double magnitude = std::fabs(x);
  const bool plain = x == 0 || (magnitude >= 1e-4 && magnitude < exponent_from(format));
  const float_text parts =
      plain ? positional(format, magnitude, {}) : scientific(format, magnitude, {});
  std::string text = (std::signbit(x) ? "-" : "") + parts.whole;
  if (!parts.fraction.empty()) text += "." + parts.fraction;
  if (!plain) return text + "e" + exponent_text(parts.exponent);
  return parts.fraction.empty() && point_zero ? text + ".0" : text;
}

// As the ml_dtypes package: the value as float, six significant digits.
std::string bfloat16_scalar(double x) {
  if (!std::isfinite(x)) return infinite_or_nan(x);
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::general, 6);
  return std::string(buffer, end.ptr);
}

std::string complex_scalar(float_format format, double real, double imaginary) {
  std::string text = float_scalar(format, imaginary, false) + "j";
  if (real == 0 && !std::signbit(real)) return text;
  if (text[0] != '-') text.insert(0, "+");
  return "(" + float_scalar(format, real, false) + text + ")";
}

}  // namespace

std::string format_scalar(dtype type, const void* value) {
  if (kind(type) == 'b') return load<unsigned char>(value) != 0 ? "True" : "False";
  if (kind(type) == 'i') return std::to_string(load_signed(type, value));
  if (kind(type) == 'u') return std::to_string(load_unsigned(type, value));
  const double real = load_part(type, value, false);
  switch (type) {
    case dtype::bfloat16:
      return bfloat16_scalar(real);
    case dtype::float16:
      return float_scalar(float_format::binary16, real, true);
    case dtype::float32:
      return float_scalar(float_format::binary32, real, true);
    case dtype::float64:
      return float_scalar(float_format::binary64, real, true);
    case dtype::complex64:
      return complex_scalar(float_format::binary32, real, load_part(type, value, true));
    default:
      return complex_scalar(float_format::binary64, real, load_part(type, value, true));
  }
}

}  // namespace numwarp::detail
