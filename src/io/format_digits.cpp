#include "format_digits.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numwarp/core/scalar.hpp>

namespace numwarp::detail {
namespace {

template <class T> T parse(const std::string& text) {
  T value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool reads_back(float_format format, const std::string& text, double x) {
  if (format == float_format::binary64) return parse<double>(text) == x;
  if (format == float_format::binary32) return parse<float>(text) == static_cast<float>(x);
  return double(float16(parse<double>(text))) == x;
}

// The text with one unit added to its last digit, or the same text where all digits are nines.
std::string next_up(std::string text) {
  std::string before = text;
  for (std::size_t i = std::min(text.find('e'), text.size()); i-- > 0;) {
    if (text[i] == '.') continue;
    if (text[i] != '9') {
      ++text[i];
      return text;
    }
    text[i] = '0';
  }
  return before;
}

std::string nearest(double x, std::chars_format notation, int precision) {
  std::string text(static_cast<std::size_t>(precision) + 330, '\0');  // 309 digits, point, exponent
  const auto [end, status] =
      std::to_chars(text.data(), text.data() + text.size(), x, notation, precision);
  text.resize(status == std::errc() ? static_cast<std::size_t>(end - text.data()) : 0);
  return text;
}

// x with `precision` digits after the point. Below a power of two the neighbour is only half as
// far away as above it; there the nearest decimal may belong to that neighbour while the next one
// up still belongs to x, and then NumPy prints the latter.
std::string rounded(float_format format, double x, std::chars_format notation, int precision,
                    bool unique) {
  std::string text = nearest(x, notation, precision);
  int exponent = 0;
  if (!unique || std::frexp(x, &exponent) != 0.5 || reads_back(format, text, x)) return text;
  const std::string above = next_up(text);
  return reads_back(format, above, x) ? above : text;
}

template <class T> std::string shortest_text(T x) {
  char buffer[40];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, x, std::chars_format::scientific);
  return std::string(buffer, end.ptr);
}

// The fewest digits that read back as x, in scientific notation.
std::string shortest(float_format format, double x) {
  if (format == float_format::binary64) return shortest_text(x);
  if (format == float_format::binary32) return shortest_text(static_cast<float>(x));
  std::string text = "0e+00";
  for (int precision = 0; x != 0 && precision < 5; ++precision) {  // 5 digits tell all binary16
    text = rounded(format, x, std::chars_format::scientific, precision, true);
    if (reads_back(format, text, x)) break;
  }
  return text;
}

float_text split(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size());
  const std::size_t point = std::min(text.find('.'), e);
  float_text parts;
  parts.whole = text.substr(0, point);
  if (point < e) parts.fraction = text.substr(point + 1, e - point - 1);
  if (e < text.size()) parts.exponent = std::atoi(text.c_str() + e + 1);
  return parts;
}

float_text trimmed(float_text text, bool keep_zeros) {
  if (!keep_zeros) text.fraction.resize(text.fraction.find_last_not_of('0') + 1);
  return text;
}

// d.ddd times a power of ten, written without the power.
float_text without_exponent(const float_text& text) {
  std::string digits = text.whole + text.fraction;
  if (text.exponent < 0) digits.insert(0, static_cast<std::size_t>(-text.exponent), '0');
  const std::size_t whole = static_cast<std::size_t>(std::max(text.exponent, 0)) + 1;
  if (digits.size() < whole) digits.resize(whole, '0');
  return {digits.substr(0, whole), digits.substr(whole), 0};
}

bool fits(const float_text& text, const digit_rule& rule) {
  return rule.precision < 0 || text.fraction.size() <= static_cast<std::size_t>(rule.precision);
}

}  // namespace

float_text positional(float_format format, double x, const digit_rule& rule) {
  if (rule.unique && !rule.keep_zeros) {
    float_text text = trimmed(without_exponent(split(shortest(format, x))), false);
    if (fits(text, rule)) return text;
  }
  const auto notation = std::chars_format::fixed;
  return trimmed(split(rounded(format, x, notation, rule.precision, rule.unique)), rule.keep_zeros);
}

float_text scientific(float_format format, double x, const digit_rule& rule) {
  if (rule.unique && !rule.keep_zeros) {
    float_text text = split(shortest(format, x));
    if (fits(text, rule)) return text;
  }
  const auto notation = std::chars_format::scientific;
  return trimmed(split(rounded(format, x, notation, rule.precision, rule.unique)), rule.keep_zeros);
}

std::string exponent_text(int exponent, int digits) {
  std::string text = std::to_string(std::abs(exponent));
  const auto width = static_cast<std::size_t>(digits);
  if (text.size() < width) text.insert(0, width - text.size(), '0');
  return (exponent < 0 ? "-" : "+") + text;
}

}  // namespace numwarp::detail
