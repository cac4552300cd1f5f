#include "npy_literal.hpp"

#include <limits>
#include <numwarp/error.hpp>
#include <optional>

#include "npy.hpp"

namespace numwarp::io {
namespace {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent over the few forms that can occur; there is no nesting, so no depth to bound.
class parser {
 public:
  parser(std::string_view text, const std::string& what) : text_(text), what_(what) {}

  npy_literal parse() {
    if (!accept('{')) fail("header is not a dictionary: " + printable(text_));
    while (!accept('}')) {
      entry();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (at_ < text_.size()) bad_syntax();
    return result();
  }

 private:
  void entry() {
    const std::string key(string());
    expect(':');
    if (key == "descr") {
      set(descr_, key, [this] { return descr(); });
    } else if (key == "fortran_order") {
      set(fortran_order_, key, [this] { return boolean(); });
    } else if (key == "shape") {
      set(shape_, key, [this] { return tuple(); });
    } else {
      fail("header does not contain the correct keys: unexpected " + printable(key));
    }
  }

  template <class Value, class Read>
  void set(std::optional<Value>& value, const std::string& key, Read read) {
    if (value)
      fail("header does not contain the correct keys: " + printable(key) + " appears twice");
    value = read();
  }

  npy_literal result() {
    std::string keys;
    const auto note = [&](bool present, const char* key) {
      if (present) keys += (keys.empty() ? "'" : ", '") + std::string(key) + "'";
    };
    note(descr_.has_value(), "descr");
    note(fortran_order_.has_value(), "fortran_order");
    note(shape_.has_value(), "shape");
    if (!descr_ || !fortran_order_ || !shape_)
      fail("header does not contain the correct keys: [" + keys + "]");
    return {std::move(*descr_), *fortran_order_, std::move(*shape_)};
  }

  std::string descr() {
    const char c = peek();
    if (c == '[' || c == '(')
      fail("structured dtypes are not supported: descr " + printable(text_.substr(at_)));
    if (c != '\'' && c != '"')
      fail("descr is not a valid dtype descriptor: " + printable(text_.substr(at_)));
    return std::string(string());
  }

  // No type name needs an escape, so a backslash is refused rather than interpreted.
  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') bad_syntax();
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' || text_[at_] == '\n') bad_syntax();
      ++at_;
    }
    if (at_ == text_.size()) bad_syntax();
    return text_.substr(begin, at_++ - begin);
  }

  bool boolean() {
    peek();
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    fail("fortran_order is not a valid bool: " + printable(value_text()));
  }

  std::vector<std::int64_t> tuple() {
    peek();
    const std::string text(value_text());
    if (!accept('(')) fail("shape is not valid: " + printable(text));
    std::vector<std::int64_t> shape;
    bool comma = true;
    while (!accept(')')) {
      if (!comma) fail("shape is not valid: " + printable(text));
      shape.push_back(extent(text));
      check_rank(shape.size(), text);
      comma = accept(',');
    }
    // (3) is an int in Python, not a tuple.
    if (shape.size() == 1 && !comma) fail("shape is not valid: " + printable(text));
    return shape;
  }

  void check_rank(std::size_t rank, const std::string& text) const {
    if (rank > std::size_t(max_rank))
      fail("maximum supported dimension for an ndarray is 64: shape " + printable(text));
  }

  std::int64_t extent(const std::string& text) {
    peek();
    if (accept('-')) fail("negative dimensions are not allowed: shape " + printable(text));
    const std::size_t begin = at_;
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      const int digit = text_[at_] - '0';
      if (value > (std::numeric_limits<std::int64_t>::max() - digit) / 10)
        fail("array is too big: shape " + printable(text));
      value = value * 10 + digit;
    }
    // Python has no 007; a trailing L is what Python 2 wrote for long.
    const bool leading_zero = at_ - begin > 1 && text_[begin] == '0';
    if (at_ == begin || leading_zero) fail("shape is not valid: " + printable(text));
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;
    return value;
  }

  // The value that starts here as far as a message needs it: to its bracket, else to a comma.
  std::string_view value_text() const {
    if (at_ == text_.size()) return {};
    const char* const stop = text_[at_] == '(' ? ")" : text_[at_] == '[' ? "]" : ",}";
    const std::size_t end = text_.find_first_of(stop, at_);
    if (end == std::string_view::npos) return text_.substr(at_);
    return text_.substr(at_, end - at_ + (*stop == ',' ? 0 : 1));
  }

  void skip_space() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  bool accept(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }

  bool accept_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  void expect(char c) {
    if (!accept(c)) bad_syntax();
  }

  [[noreturn]] void bad_syntax() const {
    fail("cannot parse header at byte " + std::to_string(at_) + ": " + printable(text_));
  }
  [[noreturn]] void fail(const std::string& message) const {
    throw value_error(what_ + ": " + message);
  }

  std::string_view text_;
  const std::string& what_;
  std::size_t at_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<std::vector<std::int64_t>> shape_;
};

}  // namespace

npy_literal parse_npy_literal(std::string_view text, const std::string& what) {
  return parser(text, what).parse();
}

std::string printable(std::string_view text) {
  constexpr std::size_t limit = 120;
  constexpr const char* hex = "0123456789abcdef";
  std::string out = "'";
  for (const char c : text.substr(0, limit)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f)
      out += c;
    else
      out.append("\\x").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
  }
  return out + (text.size() > limit ? "...'" : "'");
}

}  // namespace numwarp::io
