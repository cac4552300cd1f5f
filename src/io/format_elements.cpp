#include "format_elements.hpp"

#include <algorithm>
#include <limits>

namespace numwarp::detail {
namespace {

class bool_text final : public element_text {
 public:
  explicit bool_text(bool scalar) : true_(scalar ? "True" : " True") {}
  std::string operator()(const void* element) const override {
    return load<unsigned char>(element) != 0 ? true_ : "False";
  }

 private:
  std::string true_;
};

// Integers of either signedness, widened to Wide (std::int64_t or std::uint64_t).
template <class Wide> class integer_text final : public element_text {
 public:
  using loader = Wide (*)(dtype, const void*);

  integer_text(dtype type, loader read, const each_element& elements, char sign)
      : type_(type), read_(read), sign_(sign) {
    Wide low = std::numeric_limits<Wide>::max();
    Wide high = std::numeric_limits<Wide>::min();
    elements([&](const void* element) {
      low = std::min(low, read(type, element));
      high = std::max(high, read(type, element));
    });
    if (sign_ == ' ' && low < Wide(0)) sign_ = '-';
    width_ = std::max(text(low).size(), text(high).size());
  }
  std::string operator()(const void* element) const override {
    return padded_left(text(read_(type_, element)), width_);
  }

 private:
  std::string text(Wide value) const {
    const std::string digits = std::to_string(value);
    return value < Wide(0) || sign_ == '-' ? digits : sign_ + digits;
  }

  dtype type_;
  loader read_;
  char sign_;
  std::size_t width_ = 0;
};

// NumPy knows nothing of bfloat16: each element stands for itself, unpadded.
class scalar_text final : public element_text {
 public:
  explicit scalar_text(dtype type) : type_(type) {}
  std::string operator()(const void* element) const override {
    return format_scalar(type_, element);
  }

 private:
  dtype type_;
};

}  // namespace

double load_part(dtype type, const void* element, bool imaginary) {
  const char* const bytes = static_cast<const char*>(element);
  switch (type) {
    case dtype::float16:
      return static_cast<float>(load<float16>(element));
    case dtype::bfloat16:
      return static_cast<float>(load<bfloat16>(element));
    case dtype::float32:
      return load<float>(element);
    case dtype::complex64:
      return load<float>(bytes + (imaginary ? sizeof(float) : 0));
    default:
      return load<double>(bytes + (imaginary ? sizeof(double) : 0));
  }
}

std::int64_t load_signed(dtype type, const void* element) {
  switch (itemsize(type)) {
    case 1:
      return load<std::int8_t>(element);
    case 2:
      return load<std::int16_t>(element);
    case 4:
      return load<std::int32_t>(element);
    default:
      return load<std::int64_t>(element);
  }
}

std::uint64_t load_unsigned(dtype type, const void* element) {
  switch (itemsize(type)) {
    case 1:
      return load<std::uint8_t>(element);
    case 2:
      return load<std::uint16_t>(element);
    case 4:
      return load<std::uint32_t>(element);
    default:
      return load<std::uint64_t>(element);
  }
}

std::unique_ptr<element_text> make_element_text(dtype type, const each_element& elements,
                                                bool scalar, const printoptions& options) {
  using signed_text = integer_text<std::int64_t>;
  using unsigned_text = integer_text<std::uint64_t>;
  if (type == dtype::bfloat16) return std::make_unique<scalar_text>(type);
  switch (kind(type)) {
    case 'b':
      return std::make_unique<bool_text>(scalar);
    case 'i':
      return std::make_unique<signed_text>(type, load_signed, elements, options.sign);
    case 'u':
      return std::make_unique<unsigned_text>(type, load_unsigned, elements, options.sign);
    default:
      return make_float_text(type, elements, options);
  }
}

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string padded_left(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

}  // namespace numwarp::detail
