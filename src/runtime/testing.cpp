// numpy.testing's comparisons and their messages.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numwarp/error.hpp>
#include <numwarp/printing.hpp>
#include <numwarp/testing.hpp>

#include "runtime/output.hpp"

namespace numwarp::testing {

namespace {

using core::op_code;
using numwarp::detail::operand;

any_array apply(op_code op, any_array a, any_array b) {
  operand both[] = {{&a, false, {}}, {&b, false, {}}};
  return numwarp::detail::elementwise(op, both);
}
any_array apply(op_code op, any_array a) {
  operand one{&a, false, {}};
  return numwarp::detail::elementwise(op, {&one, 1});
}

any_array scalar_of(double value, dtype t) { return numwarp::detail::full({}, t, value, cpu); }

bool any_of(const any_array& mask) {
  any_array m = mask;
  return ndarray<bool>(numwarp::detail::reduce(reduce_code::any, {&m, false, {}}, {})).item();
}

any_array chosen(const any_array& a, const any_array& mask) {
  const numwarp::detail::subscript items[] = {mask};
  return a.subscript(items);
}

// The largest element as NumPy prints it here: "0.25", "1.".
std::string largest(any_array a) {
  std::string s = repr(numwarp::detail::reduce(reduce_code::max, {&a, false, {}}, {}));
  s.erase(0, s.find('(') + 1);
  return s.substr(0, s.find_first_of(",)"));
}

class comparison {
 public:
  comparison(const char* header, const any_array& actual, const any_array& desired,
             const std::string& text)
      : header_(header), text_(text), x_(actual.to(cpu)), y_(desired.to(cpu)) {
    if (x_.ndim() > 0 && y_.ndim() > 0 && !(x_.shape() == y_.shape())) {
      fail("(shapes " + to_string(x_.shape()) + ", " + to_string(y_.shape()) + " mismatch)");
    }
    const shape common = x_.ndim() > 0 ? x_.shape() : y_.shape();
    wide_x_ = x_.broadcast_to(common);
    wide_y_ = y_.broadcast_to(common);
  }

  const any_array& x() const { return wide_x_; }
  const any_array& y() const { return wide_y_; }

  // Throws unless `good`, or both NaN, holds everywhere.
  void require(any_array good, bool equal_nan) {
    if (equal_nan && kind(x_.type()) != 'b' && kind(y_.type()) != 'b') {
      const any_array nan_x = apply(op_code::not_equal, x(), x());
      const any_array nan_y = apply(op_code::not_equal, y(), y());
      if (any_of(apply(op_code::not_equal, nan_x, nan_y))) fail("nan location mismatch:");
      good = apply(op_code::logical_or, good, nan_x);
    }
    const any_array bad = apply(op_code::logical_not, good).compute();
    if (any_of(bad)) fail(remarks(bad));
  }

 private:
  std::string remarks(const any_array& bad) const {
    const auto at = ndarray<bool>(bad).to_vector();
    const auto count = std::count(at.begin(), at.end(), true);
    char percent[32];
    std::snprintf(percent, sizeof percent, "%.3g", 100.0 * double(count) / double(at.size()));
    std::string text = "Mismatched elements: " + std::to_string(count) + " / " +
                       std::to_string(at.size()) + " (" + percent + "%)";
    if (bad.ndim() > 0) text += places(at, count);
    if (kind(x_.type()) == 'b' || kind(y_.type()) == 'b') return text;
    any_array error = apply(op_code::absolute, apply(op_code::subtract, x(), y()));
    if (kind(error.type()) == 'u') {
      error = apply(op_code::minimum, error, apply(op_code::subtract, y(), x()));
    }
    text += "\nMax absolute difference among violations: " + largest(chosen(error, bad));
    const any_array zero = scalar_of(0, y_.type());
    const any_array usable =
        apply(op_code::logical_and, bad, apply(op_code::not_equal, y(), zero)).compute();
    text += "\nMax relative difference among violations: ";
    if (!any_of(usable)) return text + "inf";
    return text + largest(apply(op_code::divide, chosen(error, usable),
                                apply(op_code::absolute, chosen(y(), usable))));
  }

  // The first five places and what stands there.
  std::string places(const std::vector<bool>& at, std::ptrdiff_t count) const {
    std::string text = count == 1   ? "\nMismatch at index:"
                       : count <= 5 ? "\nMismatch at indices:"
                                    : "\nFirst 5 mismatches are at indices:";
    for (std::size_t i = 0, shown = 0; i < at.size() && shown < 5; ++i) {
      if (!at[i]) continue;
      ++shown;
      std::vector<numwarp::detail::subscript> index;
      std::int64_t left = std::int64_t(i);
      for (int k = x().ndim() - 1; k >= 0; --k) {
        index.insert(index.begin(), left % x().shape()[k]);
        left /= x().shape()[k];
      }
      std::string list;
      for (const auto& n : index) list += (list.empty() ? "" : ", ") + std::to_string(n.index);
      text += "\n [" + list + "]: " + to_string(x().subscript(index)) + " (ACTUAL), " +
              to_string(y().subscript(index)) + " (DESIRED)";
    }
    return text;
  }

  [[noreturn]] void fail(const std::string& reason) const {
    throw error("\n" + header_ + "\n" + text_ + "\n" + reason + "\n ACTUAL: " + repr(x_) +
                "\n DESIRED: " + repr(y_));
  }

  std::string header_, text_;
  any_array x_, y_, wide_x_, wide_y_;
};

// "1e-07", "0": as Python formats a tolerance.
std::string short_text(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", v);
  return text;
}

}  // namespace

void assert_array_equal(const any_array& actual, const any_array& desired,
                        const std::string& err_msg) {
  comparison c("Arrays are not equal", actual, desired, err_msg);
  c.require(apply(op_code::equal, c.x(), c.y()), true);
}

void assert_allclose(const any_array& actual, const any_array& desired, const allclose_options& o) {
  comparison c(
      ("Not equal to tolerance rtol=" + short_text(o.rtol) + ", atol=" + short_text(o.atol))
          .c_str(),
      actual, desired, o.err_msg);
  const bool complex = kind(c.x().type()) == 'c' || kind(c.y().type()) == 'c';
  const dtype t = complex ? dtype::complex128 : dtype::float64;
  const any_array x = c.x().astype(t), y = c.y().astype(t);
  const any_array distance = apply(op_code::absolute, apply(op_code::subtract, x, y));
  const any_array limit = apply(
      op_code::add, scalar_of(o.atol, dtype::float64),
      apply(op_code::multiply, scalar_of(o.rtol, dtype::float64), apply(op_code::absolute, y)));
  // Equal infinities are close, though their distance is NaN; others are not, though rtol times one
  // is as large as their distance.
  const any_array finite = apply(op_code::isfinite, y);
  const any_array near =
      apply(op_code::logical_and, finite, apply(op_code::less_equal, distance, limit));
  c.require(apply(op_code::logical_or, near, apply(op_code::equal, x, y)), o.equal_nan);
}

}  // namespace numwarp::testing
