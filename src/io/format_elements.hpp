// Text of single elements: how wide and how precise depends on all elements that are printed.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <numwarp/printing.hpp>
#include <string>
#include <string_view>

namespace numwarp::detail {

template <class T> T load(const void* element) {
  T value;
  std::memcpy(&value, element, sizeof value);
  return value;
}

// The real or the imaginary part of a floating or complex element; exact in double.
double load_part(dtype type, const void* element, bool imaginary);

std::int64_t load_signed(dtype type, const void* element);
std::uint64_t load_unsigned(dtype type, const void* element);

// Calls its argument for every element that is printed, in any order.
using each_element = std::function<void(const std::function<void(const void*)>&)>;

// The text of one element, padded to the common width.
class element_text {
 public:
  element_text() = default;
  element_text(const element_text&) = delete;
  element_text& operator=(const element_text&) = delete;
  virtual ~element_text() = default;
  virtual std::string operator()(const void* element) const = 0;
};

// `scalar`: of a 0-d array, whose bool is not padded.
std::unique_ptr<element_text> make_element_text(dtype type, const each_element& elements,
                                                bool scalar, const printoptions& options);

// Floating and complex ones.
std::unique_ptr<element_text> make_float_text(dtype type, const each_element& elements,
                                              const printoptions& options);

// How many characters UTF-8 text takes on a line.
std::size_t columns(std::string_view text);

std::string padded_left(const std::string& text, std::size_t width);

}  // namespace numwarp::detail
