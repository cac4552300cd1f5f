// The layout of printed arrays: brackets, lines, summaries, and what repr() adds.
#include <algorithm>
#include <utility>

#include "format_elements.hpp"

namespace numwarp::detail {
namespace {

using extents = std::span<const std::int64_t>;

std::int64_t size_of(extents shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t size = 1;
  for (const std::int64_t extent : shape) size *= extent;
  return size;
}

bool is_summarised(extents shape, const printoptions& options) {
  return size_of(shape) > options.threshold;
}

struct style {
  std::string_view separator;  // without the space that follows it on a line
  std::size_t indent;          // columns before the first bracket
  std::int64_t width;          // columns of a line
};

// Words on lines of limited width, the first of which has its indent too.
class line_filler {
 public:
  line_filler(std::size_t indent, std::int64_t width)
      : text_(indent, ' '), indent_(indent), used_(indent), width_(width) {}

  void add(const std::string& word) {
    const std::size_t length = columns(word);
    const bool helps = used_ > indent_;
    if (helps && static_cast<std::int64_t>(used_ + length) > width_) wrap();
    text_ += word;
    used_ += length;
  }
  void separate(std::string_view separator) {
    text_.append(separator) += ' ';
    used_ += separator.size() + 1;
  }
  // Cut by the first indent, as in NumPy even where wrapping removed a line of blanks.
  std::string text() const { return text_.substr(std::min(indent_, text_.size())); }

 private:
  void wrap() {
    const std::size_t line = text_.rfind('\n') + 1;
    text_.resize(std::max(line, text_.find_last_not_of(' ') + 1));
    text_.append(1, '\n').append(indent_, ' ');
    used_ = indent_;
  }

  std::string text_;
  std::size_t indent_;
  std::size_t used_;
  std::int64_t width_;
};

// Prints one array: `corners` holds its elements, all of them or those that are read.
class array_printer {
 public:
  array_printer(const host_view& corners, extents shape, const printoptions& options, style s)
      : view_(corners), shape_(shape), edge_(options.edgeitems), style_(s) {
    if (!is_summarised(shape, options)) edge_ = -1;
    const each_element elements = [this](const auto& visit) { visit_read(0, data(), visit); };
    text_ = make_element_text(view_.type, elements, shape.empty(), options);
  }

  std::string print() {
    print_axis(0, data());
    return std::move(out_);
  }

 private:
  const char* data() const { return static_cast<const char*>(view_.data); }
  const char* child(std::size_t axis, const char* at, std::int64_t i) const {
    return at + i * view_.strides[axis];
  }
  bool cuts(std::size_t axis) const { return edge_ >= 0 && shape_[axis] > 2 * edge_; }
  std::size_t indent(std::size_t axis) const { return style_.indent + axis + 1; }

  void visit_read(std::size_t axis, const char* at,
                  const std::function<void(const void*)>& visit) const;
  template <class Item, class Gap>
  void walk(std::size_t axis, const char* at, const Item& item, const Gap& gap) const;
  void print_axis(std::size_t axis, const char* at);
  void print_row(std::size_t axis, const char* at);
  void print_blocks(std::size_t axis, const char* at);

  host_view view_;
  extents shape_;
  std::int64_t edge_;  // -1: not summarised
  style style_;
  std::unique_ptr<element_text> text_;
  std::string out_;
};

// The elements that widths depend on: without edge items all, since Python's [-0:] is everything.
void array_printer::visit_read(std::size_t axis, const char* at,
                               const std::function<void(const void*)>& visit) const {
  if (axis == shape_.size()) return visit(at);
  const std::int64_t n = view_.shape[axis];
  const bool gap = cuts(axis) && edge_ > 0;
  for (std::int64_t i = 0; i < n; ++i) {
    if (gap && i == edge_) i = n - edge_;
    visit_read(axis + 1, child(axis, at, i), visit);
  }
}

// item(element or row, whether it is the last) in printed order, gap() where some are left out.
template <class Item, class Gap>
void array_printer::walk(std::size_t axis, const char* at, const Item& item, const Gap& gap) const {
  const std::int64_t n = view_.shape[axis];
  std::int64_t trailing = n;
  if (cuts(axis)) {
    for (std::int64_t i = 0; i < edge_; ++i) item(child(axis, at, i), false);
    gap();
    trailing = std::max<std::int64_t>(edge_, 1);  // NumPy prints the last one in any case
  }
  for (std::int64_t i = n - trailing; i < n; ++i) item(child(axis, at, i), i == n - 1);
}

void array_printer::print_axis(std::size_t axis, const char* at) {
  if (axis == shape_.size()) {
    out_ += (*text_)(at);
    return;
  }
  out_ += '[';
  axis + 1 == shape_.size() ? print_row(axis, at) : print_blocks(axis, at);
  out_ += ']';
}

void array_printer::print_row(std::size_t axis, const char* at) {
  const auto brackets = static_cast<std::int64_t>(axis) + 1;
  line_filler line(indent(axis), style_.width - brackets);
  const auto item = [&](const char* element, bool last) {
    line.add((*text_)(element));
    if (!last) line.separate(style_.separator);
  };
  walk(axis, at, item, [&] {
    line.add("...");
    line.separate(style_.separator);
  });
  out_ += line.text();
}

void array_printer::print_blocks(std::size_t axis, const char* at) {
  const auto new_line = [&] {
    out_ += style_.separator;
    out_.append(shape_.size() - axis - 1, '\n').append(indent(axis), ' ');
  };
  const auto item = [&](const char* block, bool last) {
    print_axis(axis + 1, block);
    if (!last) new_line();
  };
  walk(axis, at, item, [&] {
    out_ += "...";
    new_line();
  });
}

std::string format_body(const host_view& corners, extents shape, const printoptions& options,
                        const style& s) {
  if (size_of(shape) == 0) return "[]";
  return array_printer(corners, shape, options, s).print();
}

// Python's tuple: "()", "(3,)", "(3, 4)".
std::string tuple_text(extents shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (shape.size() == 1 ? ",)" : ")");
}

bool is_default_type(dtype type) {
  return type == dtype::bool_ || type == dtype::int64 || type == dtype::float64 ||
         type == dtype::complex128;
}

// What the text of the elements cannot tell: ", "-separated keyword arguments.
std::string repr_extras(dtype type, extents shape, const printoptions& options) {
  const bool empty = size_of(shape) == 0;
  const bool one_dimensional_empty = shape.size() == 1 && shape[0] == 0;
  std::string extras;
  if ((empty && !one_dimensional_empty) || is_summarised(shape, options))
    extras = "shape=" + tuple_text(shape);
  if (empty || !is_default_type(type))
    extras += (extras.empty() ? "dtype=" : ", dtype=") + std::string(name(type));
  return extras;
}

}  // namespace

std::string format_str(const host_view& corners, extents shape, const printoptions& options) {
  check_printoptions(options, "array2string");
  if (shape.empty()) return format_scalar(corners.type, corners.data);
  return format_body(corners, shape, options, {"", 0, options.linewidth});
}

std::string format_repr(const host_view& corners, extents shape, const printoptions& options) {
  check_printoptions(options, "array2string");
  const std::string prefix = "array(";
  const std::int64_t width = options.linewidth;
  std::string text = prefix;
  text += format_body(corners, shape, options, {",", prefix.size(), width - 1});  // 1: the ")"
  const std::string extras = repr_extras(corners.type, shape, options);
  if (extras.empty()) return text + ")";
  text += ",";
  const std::size_t last_line = columns(std::string_view(text).substr(text.rfind('\n') + 1));
  const bool fits = static_cast<std::int64_t>(last_line + extras.size() + 2) <= width;
  text += fits ? " " : "\n" + std::string(prefix.size(), ' ');
  return text + extras + ")";
}

std::string format_str(const host_view& view, const printoptions& options) {
  return format_str(view, view.shape, options);
}

std::string format_repr(const host_view& view, const printoptions& options) {
  return format_repr(view, view.shape, options);
}

std::vector<std::int64_t> corner_shape(extents shape, const printoptions& options) {
  std::vector<std::int64_t> corners(shape.begin(), shape.end());
  const std::int64_t kept = 2 * std::int64_t{options.edgeitems};
  if (!is_summarised(shape, options) || kept == 0) return corners;
  for (std::int64_t& extent : corners) extent = std::min(extent, kept);
  return corners;
}

}  // namespace numwarp::detail
