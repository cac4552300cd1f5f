// Printing against the text of NumPy itself (tests/golden/printing.py), and what NumPy cannot tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <fstream>
#include <limits>
#include <numwarp/error.hpp>
#include <numwarp/printing.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace {

using numwarp::dtype;
using numwarp::printoptions;
using numwarp::detail::corner_shape;
using numwarp::detail::format_repr;
using numwarp::detail::format_scalar;
using numwarp::detail::format_str;
using numwarp::detail::host_view;
using extents = std::vector<std::int64_t>;

// One line of printing.txt.
struct golden_case {
  dtype type{};
  extents shape;
  extents strides;
  std::int64_t offset = 0;
  std::string memory;
  printoptions options;
  std::string str;
  std::string repr;

  host_view view() const { return {type, memory.data() + offset, shape, strides}; }
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  for (std::istringstream in(text); std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

extents parse_numbers(const std::string& text) {
  extents numbers;
  for (const std::string& part : split(text, ',')) numbers.push_back(std::stoll(part));
  return numbers;
}

std::string parse_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

std::string unescape(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\';
    if (escaped) ++i;
    plain += escaped && text[i] == 'n' ? '\n' : text[i];
  }
  return plain;
}

dtype parse_dtype(const std::string& text) {
  for (int i = 0; i < numwarp::dtype_count; ++i)
    if (numwarp::name(dtype(i)) == text) return dtype(i);
  throw std::runtime_error("no dtype " + text);
}

printoptions parse_options(const std::string& text) {
  printoptions options;
  for (const std::string& part : split(text, ';')) {
    const std::size_t equals = part.find('=');
    const std::string name = part.substr(0, equals);
    const std::string value = part.substr(equals + 1);
    if (name == "precision") options.precision = std::stoi(value);
    if (name == "threshold") options.threshold = std::stoll(value);
    if (name == "edgeitems") options.edgeitems = std::stoi(value);
    if (name == "linewidth") options.linewidth = std::stoi(value);
    if (name == "suppress") options.suppress = value == "1";
    if (name == "nanstr") options.nanstr = value;
    if (name == "infstr") options.infstr = value;
    if (name == "sign") options.sign = value.at(0);
    if (name == "floatmode") options.floatmode = value;
  }
  return options;
}

golden_case parse_case(const std::string& line) {
  const std::vector<std::string> fields = split(line, '\t');
  return {parse_dtype(fields.at(0)), parse_numbers(fields.at(1)), parse_numbers(fields.at(2)),
          std::stoll(fields.at(3)),  parse_hex(fields.at(4)),     parse_options(fields.at(5)),
          unescape(fields.at(6)),    unescape(fields.at(7))};
}

// The elements at the corners, copied together as a device would send them.
std::string gather(const golden_case& c, const extents& corners) {
  const std::size_t itemsize = static_cast<std::size_t>(numwarp::itemsize(c.type));
  std::string bytes;
  extents index(corners.size(), 0);
  for (;;) {
    std::int64_t at = c.offset;
    for (std::size_t d = 0; d < index.size(); ++d) {
      const bool far = corners[d] < c.shape[d] && index[d] >= corners[d] / 2;
      at += (index[d] + (far ? c.shape[d] - corners[d] : 0)) * c.strides[d];
    }
    bytes += c.memory.substr(static_cast<std::size_t>(at), itemsize);
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == corners[d - 1]) index[--d] = 0;
    if (d == 0) return bytes;
  }
}

extents contiguous_strides(const extents& shape, std::int64_t itemsize) {
  extents strides(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; itemsize *= shape[d]) strides[d] = itemsize;
  return strides;
}

void expect_same_from_corners(const golden_case& c) {
  const extents corners = corner_shape(c.shape, c.options);
  if (std::find(corners.begin(), corners.end(), 0) != corners.end()) return;
  const std::string memory = gather(c, corners);
  const extents strides = contiguous_strides(corners, numwarp::itemsize(c.type));
  const host_view view{c.type, memory.data(), corners, strides};
  EXPECT_EQ(format_str(view, c.shape, c.options), c.str);
  EXPECT_EQ(format_repr(view, c.shape, c.options), c.repr);
}

TEST(printing, gives_numpys_text) {
  std::ifstream file(NUMWARP_GOLDEN_DIR "/printing.txt");
  std::string line;
  int count = 0;
  for (; std::getline(file, line); ++count) {
    SCOPED_TRACE("case " + std::to_string(count + 1) + ": " + line);
    const golden_case c = parse_case(line);
    EXPECT_EQ(format_str(c.view(), c.options), c.str);
    EXPECT_EQ(format_repr(c.view(), c.options), c.repr);
    expect_same_from_corners(c);
  }
  EXPECT_GE(count, 400);
}

template <class T> std::string scalar(T value) {
  return format_scalar(numwarp::dtype_of<T>, &value);
}

TEST(printing, scalars) {
  EXPECT_EQ(scalar(1.0F / 3), "0.33333334");
  EXPECT_EQ(scalar(1e16), "1e+16");
  EXPECT_EQ(scalar(-0.0), "-0.0");
  EXPECT_EQ(scalar(true), "True");
  EXPECT_EQ(scalar(std::complex<double>(1, -2.5)), "(1-2.5j)");
  EXPECT_EQ(scalar(numwarp::float16(0.1F)), "0.1");
  EXPECT_EQ(scalar(numwarp::bfloat16(0.1F)), "0.100098");
}

TEST(printing, text_in_utf8_is_aligned_by_characters) {
  const double values[] = {1.0, std::numeric_limits<double>::quiet_NaN()};
  const std::int64_t shape[] = {2};
  const std::int64_t strides[] = {8};
  const host_view view{dtype::float64, values, shape, strides};
  EXPECT_EQ(format_str(view, {.nanstr = "\xC3\xA9\xC3\xA9\xC3\xA9"}),
            "[ 1. \xC3\xA9\xC3\xA9\xC3\xA9]");
}

// What set_printoptions says to options it refuses; "" if it takes them.
std::string complaint(const printoptions& options) {
  const printoptions before = numwarp::get_printoptions();
  try {
    numwarp::set_printoptions(options);
  } catch (const numwarp::value_error& e) {
    return e.what();
  }
  numwarp::set_printoptions(before);
  return "";
}

TEST(printing, options_are_checked) {
  EXPECT_EQ(complaint({}), "");
  EXPECT_EQ(complaint({.precision = -1}), "set_printoptions: precision must be >= 0, got -1");
  EXPECT_EQ(complaint({.edgeitems = -2}), "set_printoptions: edgeitems must be >= 0, got -2");
  EXPECT_EQ(complaint({.sign = 'x'}),
            "set_printoptions: sign option must be one of ' ', '+', or '-', got 'x'");
  EXPECT_EQ(complaint({.floatmode = "short"}),
            "set_printoptions: floatmode option must be one of \"fixed\", \"unique\", \"maxprec\", "
            "\"maxprec_equal\", got \"short\"");
  EXPECT_EQ(numwarp::get_printoptions().precision, 8);
}

TEST(printing, options_belong_to_the_process) {
  numwarp::set_printoptions({.precision = 3, .nanstr = "NaN"});
  std::string seen;
  std::thread([&] { seen = numwarp::get_printoptions().nanstr; }).join();
  EXPECT_EQ(seen, "NaN");
  EXPECT_EQ(numwarp::get_printoptions().precision, 3);
  numwarp::set_printoptions({});
  EXPECT_EQ(numwarp::get_printoptions().nanstr, "nan");
}

}  // namespace
