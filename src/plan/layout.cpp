#include "plan/layout.hpp"

#include <algorithm>
#include <numwarp/error.hpp>

namespace numwarp::plan {

std::string compact(const dims& shape) {
  std::string text = to_string(shape);
  std::erase(text, ' ');
  return text;
}

namespace {

// The product of the extents other than zero: an empty array must have strides that fit, too.
std::int64_t checked_product(const dims& shape, const char* function) {
  std::int64_t n = 1;
  for (std::int64_t d : shape) {
    if (d < 0)
      throw value_error(std::string(function) +
                        ": negative dimensions are not allowed, got shape " + to_string(shape));
    if (d != 0 && __builtin_mul_overflow(n, d, &n))
      throw value_error(std::string(function) + ": maximum supported dimension exceeded, shape " +
                        to_string(shape));
  }
  return n;
}

bool has_zero(const dims& shape) { return std::find(shape.begin(), shape.end(), 0) != shape.end(); }

// Wraps for shapes that no array can have: strides may be asked for before they are refused.
std::int64_t next_stride(std::int64_t step, std::int64_t extent) {
  return std::int64_t(std::uint64_t(step) * std::uint64_t(std::max<std::int64_t>(extent, 1)));
}

}  // namespace

std::int64_t checked_size(const dims& shape, const char* function) {
  const std::int64_t n = checked_product(shape, function);
  return has_zero(shape) ? 0 : n;
}

std::int64_t checked_bytes(const dims& shape, int itemsize, const char* function) {
  std::int64_t bytes = itemsize;
  bool zero = false, wrong = false;
  for (std::int64_t d : shape) {
    zero |= d == 0;
    wrong |= d < 0 || __builtin_mul_overflow(bytes, std::max<std::int64_t>(d, 1), &bytes);
  }
  if (wrong) {
    checked_product(shape, function);  // says so where the elements are too many already
    throw value_error(std::string(function) + ": array is too big, shape " + to_string(shape));
  }
  return zero ? 0 : bytes;
}

dims c_strides(const dims& shape, int itemsize) {
  dims strides(shape.size(), 0);
  std::int64_t step = itemsize;
  for (int i = shape.size() - 1; i >= 0; --i) {
    strides[i] = step;
    step = next_stride(step, shape[i]);
  }
  return strides;
}

dims f_strides(const dims& shape, int itemsize) {
  dims strides(shape.size(), 0);
  std::int64_t step = itemsize;
  for (int i = 0; i < shape.size(); ++i) {
    strides[i] = step;
    step = next_stride(step, shape[i]);
  }
  return strides;
}

namespace {

// Walks the axes from the fastest: each stride must be the product so far. Axes of length one
// have no say.
template <class Axis>
bool is_packed(const dims& shape, const dims& strides, int itemsize, Axis axis) {
  std::int64_t step = itemsize;
  for (int k = 0; k < shape.size(); ++k) {
    const int i = axis(k);
    if (shape[i] != 1 && strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

}  // namespace

bool is_c_contiguous(const dims& shape, const dims& strides, int itemsize) {
  const auto from_last = [&](int k) { return shape.size() - 1 - k; };
  return is_packed(shape, strides, itemsize, from_last) || size(shape) == 0;
}

bool is_f_contiguous(const dims& shape, const dims& strides, int itemsize) {
  return is_packed(shape, strides, itemsize, [](int k) { return k; }) || size(shape) == 0;
}

byte_range extent(const dims& shape, const dims& strides, int itemsize) {
  byte_range r{0, itemsize};
  for (int i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return {0, 0};
    const std::int64_t reach = (shape[i] - 1) * strides[i];
    (reach < 0 ? r.low : r.high) += reach;
  }
  return r;
}

namespace {

// The axes longer than one, fastest first.
std::vector<int> by_stride(const dims& shape, const dims& strides) {
  std::vector<int> order;
  for (int i = shape.size() - 1; i >= 0; --i) {
    if (shape[i] != 1) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return std::abs(strides[a]) < std::abs(strides[b]); });
  return order;
}

}  // namespace

bool is_dense(const dims& shape, const dims& strides, int itemsize) {
  if (size(shape) == 0) return true;
  std::int64_t step = itemsize;
  for (int i : by_stride(shape, strides)) {
    if (strides[i] != step) return false;
    step *= shape[i];
  }
  return true;
}

shape broadcast_shapes(std::span<const dims* const> shapes, const char* function) {
  const auto equals_first = [&](const dims* s) { return *s == *shapes[0]; };
  if (!shapes.empty() && std::all_of(shapes.begin(), shapes.end(), equals_first)) return *shapes[0];
  int ndim = 0;
  for (const dims* s : shapes) ndim = std::max(ndim, s->size());
  shape out(dims(ndim, 1));
  for (const dims* s : shapes) {
    for (int i = 0; i < s->size(); ++i) {
      const std::int64_t n = (*s)[s->size() - 1 - i];
      std::int64_t& m = out[ndim - 1 - i];
      if (n == m || n == 1) continue;
      if (m != 1) {
        std::string text =
            std::string(function) + ": operands could not be broadcast together with shapes";
        for (const dims* t : shapes) {
          text += ' ' + compact(*t);
        }
        throw value_error(text);
      }
      m = n;
    }
  }
  return out;
}

dims broadcast_strides(const dims& from, const dims& strides, const dims& to) {
  const int lead = to.size() - from.size();
  if (lead == 0) {
    dims out = strides;
    for (int i = 0; i < from.size(); ++i) {
      if (from[i] == 1) out[i] = 0;
    }
    return out;
  }
  dims out(to.size(), 0);
  for (int i = 0; i < from.size(); ++i) {
    if (from[i] != 1) out[lead + i] = strides[i];
  }
  return out;
}

namespace {

// Whether axis `outer` must be made to lie inside of `inner`, which comes behind it in C order: 1
// yes, -1 no, 0 where no operand says. C order wins where they differ.
int lies_inside(int outer, int inner, std::span<const dims* const> operands) {
  int said = 0;
  for (const dims* s : operands) {
    const std::int64_t a = std::abs((*s)[outer]), b = std::abs((*s)[inner]);
    if (a == 0 || b == 0) continue;
    if (b <= a) return -1;
    said = 1;
  }
  return said;
}

bool lie_in_c_order(std::span<const dims* const> operands) {
  bool all = true;
  for (const dims* s : operands) {
    for (int i = 0; i + 1 < s->size(); ++i) all &= std::abs((*s)[i]) >= std::abs((*s)[i + 1]);
  }
  return all;
}

// Dense strides of axes in an order, fastest first.
dims packed(const dims& shape, std::span<const int> axes, int itemsize) {
  dims strides(shape.size(), 0);
  std::int64_t step = itemsize;
  for (int axis : axes) {
    strides[axis] = step;
    step = next_stride(step, shape[axis]);
  }
  return strides;
}

}  // namespace

// NumPy's order of the axes (npyiter_find_best_axis_ordering): inserted from the last one on, which
// matters where operands have no opinion.
dims k_order_strides(const dims& shape, std::span<const dims* const> operands, int itemsize) {
  if (lie_in_c_order(operands)) return c_strides(shape, itemsize);
  const int n = shape.size();
  std::vector<int> order;  // fastest first
  for (int j = n - 1; j >= 0; --j) {
    std::size_t at = order.size();
    for (std::size_t k = order.size(); k-- > 0;) {
      const int said = lies_inside(j, order[k], operands);
      if (said > 0) at = k;
      if (said < 0) break;
    }
    order.insert(order.begin() + std::ptrdiff_t(at), j);
  }
  return packed(shape, order, itemsize);
}

dims like_strides(order o, const detail::layout& like, const dims& shape, int itemsize) {
  const int size = numwarp::itemsize(like.type);
  const bool c = is_c_contiguous(like.shape, like.strides, size);
  const bool f = is_f_contiguous(like.shape, like.strides, size);
  const bool same_rank = like.shape.size() == shape.size();
  if (o == order::f || (f && !c && (o == order::a || (o == order::k && same_rank))))
    return f_strides(shape, itemsize);
  if (o != order::k || c || !same_rank) return c_strides(shape, itemsize);
  std::vector<int> sorted;  // fastest first; of equal strides, the later axis
  for (int i = shape.size() - 1; i >= 0; --i) sorted.push_back(i);
  std::stable_sort(sorted.begin(), sorted.end(), [&](int i, int j) {
    return std::abs(like.strides[i]) < std::abs(like.strides[j]);
  });
  return packed(shape, sorted, itemsize);
}

int normalize_axis(std::int64_t axis, int ndim, const char* function) {
  if (axis < -ndim || axis >= ndim) {
    throw axis_error(std::string(function) + ": axis " + std::to_string(axis) +
                     " is out of bounds for array of dimension " + std::to_string(ndim));
  }
  return int(axis < 0 ? axis + ndim : axis);
}

dims normalize_axes(const axes& a, int ndim, const char* function, const char* repeated) {
  dims out;
  for (std::int64_t axis : a.list()) {
    const int i = normalize_axis(axis, ndim, function);
    if (std::find(out.begin(), out.end(), i) != out.end()) {
      throw value_error(std::string(function) + ": " + repeated + ": " + to_string(a.list()));
    }
    out.push_back(i);
  }
  return out;
}

std::optional<dims> reshape_strides(const dims& shape, const dims& strides, const dims& to,
                                    int itemsize) {
  if (size(shape) == 0) return c_strides(to, itemsize);
  dims from_shape, from_strides;
  for (int i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    from_shape.push_back(shape[i]);
    from_strides.push_back(strides[i]);
  }
  dims out(to.size(), itemsize);
  int i = 0, j = 0;
  while (i < from_shape.size() && j < to.size()) {
    // The smallest groups of axes with equal products on both sides.
    int i_end = i + 1, j_end = j + 1;
    std::int64_t a = from_shape[i], b = to[j];
    while (a != b) {
      if (a < b) {
        a *= from_shape[i_end++];
      } else {
        b *= to[j_end++];
      }
    }
    for (int k = i; k + 1 < i_end; ++k) {
      if (from_strides[k] != from_shape[k + 1] * from_strides[k + 1]) return std::nullopt;
    }
    std::int64_t step = from_strides[i_end - 1];
    for (int k = j_end - 1; k >= j; --k) {
      out[k] = step;
      step *= to[k];
    }
    i = i_end;
    j = j_end;
  }
  // Only axes of length one are left.
  for (; j < to.size(); ++j) out[j] = j > 0 ? out[j - 1] : itemsize;
  return out;
}

shape resolve_reshape(const dims& from, const dims& to) {
  const auto fail = [&] {
    return value_error("reshape: cannot reshape array of size " + std::to_string(size(from)) +
                       " into shape " + compact(to));
  };
  shape out(to);
  int unknown = -1;
  std::int64_t known = 1;
  for (int i = 0; i < out.size(); ++i) {
    if (out[i] == -1) {
      if (unknown >= 0)
        throw value_error("reshape: can only specify one unknown dimension, got " + to_string(to));
      unknown = i;
    } else if (out[i] < 0) {
      throw value_error("reshape: negative dimensions are not allowed, got " + to_string(to));
    } else if (__builtin_mul_overflow(known, out[i], &known)) {
      throw fail();
    }
  }
  const std::int64_t n = size(from);
  if (unknown >= 0) {
    if (known == 0 || n % known != 0) throw fail();
    out[unknown] = n / known;
  } else if (known != n) {
    throw fail();
  }
  return out;
}

namespace {

// A term of the sum that must hit the distance of two views: coefficient times 0..most.
struct term {
  std::int64_t coefficient, most;
};

// One byte address of `a` equals one of `b`: a sum of non-negative terms equals `target`. The terms
// of equal strides are one, so that views of one grid have few.
struct meeting {
  std::vector<term> terms;
  std::int64_t target;

  meeting(const region& a, const region& b) : target(b.offset - a.offset) {
    add_region(a, 1);
    add_region(b, -1);
    std::sort(terms.begin(), terms.end(),
              [](const term& x, const term& y) { return x.coefficient > y.coefficient; });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < terms.size(); ++i) {
      if (terms[i].coefficient == terms[kept].coefficient) {
        terms[kept].most += terms[i].most;
      } else {
        terms[++kept] = terms[i];
      }
    }
    terms.resize(kept + 1);
  }
  void add_region(const region& r, int sign) {
    for (int i = 0; i < r.shape->size(); ++i) add(sign * (*r.strides)[i], (*r.shape)[i] - 1);
    add(sign, r.itemsize - 1);
  }
  // A negative coefficient counts from its other end.
  void add(std::int64_t coefficient, std::int64_t most) {
    if (coefficient < 0) target -= coefficient * most;
    terms.push_back({std::abs(coefficient), most});
  }

  // Searches from the largest coefficient; gives up, with true, after `work` steps.
  bool possible(std::size_t from, std::int64_t rest, int& work) const {
    if (rest == 0) return true;
    if (from == terms.size() || terms[from].coefficient == 0) return false;
    std::int64_t later = 0;
    for (std::size_t i = from + 1; i < terms.size(); ++i)
      later += terms[i].coefficient * terms[i].most;
    const auto [c, most] = terms[from];
    const std::int64_t low = rest > later ? (rest - later + c - 1) / c : 0;
    for (std::int64_t n = std::min(most, rest / c); n >= low; --n) {
      if (--work < 0 || possible(from + 1, rest - n * c, work)) return true;
    }
    return false;
  }
};

}  // namespace

bool may_overlap(const region& a, const region& b) {
  const byte_range ra = extent(*a.shape, *a.strides, a.itemsize);
  const byte_range rb = extent(*b.shape, *b.strides, b.itemsize);
  if (ra.low == ra.high || rb.low == rb.high) return false;
  if (a.offset + ra.high <= b.offset + rb.low || b.offset + rb.high <= a.offset + ra.low)
    return false;
  const meeting m(a, b);
  int work = 1000;
  return m.target >= 0 && m.possible(0, m.target, work);
}

bool same_elements(const region& a, const region& b) {
  if (a.offset != b.offset || a.itemsize != b.itemsize || !(*a.shape == *b.shape)) return false;
  for (int i = 0; i < a.shape->size(); ++i) {
    if ((*a.shape)[i] > 1 && (*a.strides)[i] != (*b.strides)[i]) return false;
  }
  return true;
}

bool overlaps_itself(const dims& shape, const dims& strides, int itemsize) {
  if (size(shape) <= 1) return false;
  std::int64_t reach = itemsize;
  for (int i : by_stride(shape, strides)) {
    if (std::abs(strides[i]) < reach) return true;
    reach += (shape[i] - 1) * std::abs(strides[i]);
  }
  return false;
}

}  // namespace numwarp::plan
