// Decimal digits of one finite number, as NumPy's printing chooses them.
#pragma once

#include <string>

namespace numwarp::detail {

// The binary format whose neighbours decide how many digits identify a value.
enum class float_format : unsigned char { binary16, binary32, binary64 };

// "whole.fraction", times ten to the power `exponent`, which is 0 in positional notation.
struct float_text {
  std::string whole;
  std::string fraction;
  int exponent = 0;
};

struct digit_rule {
  int precision = -1;       // at most so many digits after the point; -1: no limit
  bool unique = true;       // digits that identify the value; false: digits of its exact expansion
  bool keep_zeros = false;  // exactly `precision` digits after the point
};

// The text of a magnitude (x >= 0, a value of `format`) in positional and scientific notation.
float_text positional(float_format format, double x, const digit_rule& rule);
float_text scientific(float_format format, double x, const digit_rule& rule);

// "+08": sign and at least `digits` digits.
std::string exponent_text(int exponent, int digits = 2);

}  // namespace numwarp::detail
