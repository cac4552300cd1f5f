#include "plan/matmul.hpp"

#include <algorithm>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"

namespace numwarp::plan {

namespace {

constexpr const char* signature = "(n?,k),(k,m?)->(n?,m?)";

[[noreturn]] void mismatch(const char* operand, int index, int dimension, std::int64_t got,
                           std::int64_t expected) {
  throw value_error(std::string("matmul: ") + operand + " operand " + std::to_string(index) +
                    " has a mismatch in its core dimension " + std::to_string(dimension) +
                    ", with gufunc signature " + signature + " (size " + std::to_string(got) +
                    " is different from " + std::to_string(expected) + ")");
}

void check_dimensions(const dims& a, int index) {
  if (!a.empty()) return;
  throw value_error("matmul: Input operand " + std::to_string(index) +
                    " does not have enough dimensions (has 0, gufunc core with signature " +
                    signature + " requires 1)");
}

// "(2,3,4)->(2,newaxis,newaxis)": the axes of the matrices are not broadcast.
std::string remapped(const dims& s, int core) {
  const dims stack(std::span(s.data(), std::size_t(s.size() - core)));
  if (stack.empty()) return compact(s) + "->()";
  std::string text = compact(s) + "->(";
  for (const std::int64_t n : stack) text += std::to_string(n) + ",";
  for (int i = 0; i < core; ++i) text += "newaxis,";
  text.back() = ')';
  return text;
}

// Broadcasts `from`, the leading axes of an operand, into `to`; false where they do not fit.
bool broadcast_into(dims& to, const dims& from, int count) {
  while (to.size() < count) to.insert(0, 1);
  for (int i = 1; i <= count; ++i) {
    const std::int64_t n = from[count - i];
    std::int64_t& t = to[to.size() - i];
    if (t == 1) t = n;
    if (n != 1 && n != t) return false;
  }
  return true;
}

// The axes of an operand with `core` axes of its own under a stack of `depth` axes.
std::vector<int> stack_axes(int ndim, int core, int depth) {
  std::vector<int> axes;
  for (int i = 0; i < depth; ++i) axes.push_back(std::max(i - depth + ndim - core, -1));
  return axes;
}

[[noreturn]] void refuse_stacks(const dims& a, const dims& b, const dims* out, const product& p) {
  std::string text =
      "matmul: operands could not be broadcast together with remapped shapes "
      "[original->remapped]: " +
      remapped(a, std::min(a.size(), 2)) + " " + remapped(b, std::min(b.size(), 2));
  if (out) text += " " + remapped(*out, 0);
  dims core;
  if (a.size() > 1) core.push_back(p.m);
  if (b.size() > 1) core.push_back(p.n);
  throw value_error(text + " and requested shape " + compact(core));
}

// Lets out= take part: NumPy broadcasts the stack of a product to that of its output.
bool broadcast_to_output(product& p, const dims& out, int core) {
  if (out.size() < p.shape.size()) return false;
  for (int i = 1; i <= core; ++i) {
    const std::int64_t got = out[out.size() - i], expected = p.shape[p.shape.size() - i];
    if (got != expected) mismatch("Output", 0, core - i, got, expected);
  }
  const bool fits = broadcast_into(p.stack, out, out.size() - core);
  p.shape = out;
  std::copy(p.stack.begin(), p.stack.end(), p.shape.begin());
  return fits;
}

}  // namespace

product matmul_product(const dims& a, const dims& b, const dims* out) {
  check_dimensions(a, 0);
  check_dimensions(b, 1);
  const int a_core = std::min(a.size(), 2), b_core = std::min(b.size(), 2);
  const bool rows = a_core == 2, columns = b_core == 2;
  product p;
  p.k = a.back();
  const std::int64_t b_k = b[b.size() - b_core];
  if (b_k != p.k) mismatch("Input", 1, 0, b_k, p.k);
  if (rows) p.m = a[a.size() - 2];
  if (columns) p.n = b.back();
  bool fits = broadcast_into(p.stack, a, a.size() - a_core) &&
              broadcast_into(p.stack, b, b.size() - b_core);
  p.shape = p.stack;
  if (rows) p.shape.push_back(p.m);
  if (columns) p.shape.push_back(p.n);
  fits = fits && (!out || broadcast_to_output(p, *out, rows + columns));
  if (!fits) refuse_stacks(a, b, out, p);
  const int depth = p.stack.size();
  p.a = stack_axes(a.size(), a_core, depth);
  p.a.insert(p.a.end(), {rows ? a.size() - 2 : -1, a.size() - 1});
  p.b = stack_axes(b.size(), b_core, depth);
  p.b.insert(p.b.end(), {b.size() - b_core, columns ? b.size() - 1 : -1});
  p.c = stack_axes(depth, 0, depth);
  p.c.insert(p.c.end(), {rows ? depth : -1, columns ? depth + rows : -1});
  return p;
}

product dot_product(const dims& a, const dims& b, const char* function) {
  const int inner = std::max(b.size() - 2, 0);
  product p;
  p.k = a.back();
  if (b[inner] != p.k) {
    throw value_error(std::string(function) + ": shapes " + compact(a) + " and " + compact(b) +
                      " not aligned: " + std::to_string(p.k) + " (dim " +
                      std::to_string(a.size() - 1) + ") != " + std::to_string(b[inner]) + " (dim " +
                      std::to_string(inner) + ")");
  }
  const bool rows = a.size() > 1, columns = b.size() > 1;
  for (int i = 0; i + 1 < a.size(); ++i) p.shape.push_back(a[i]);
  for (int i = 0; i < b.size(); ++i) {
    if (i != inner) p.shape.push_back(b[i]);
  }
  // The stack is all pairs of a's leading axes with b's.
  for (int i = 0; i + 2 < a.size(); ++i) {
    p.stack.push_back(a[i]);
    p.a.push_back(i);
    p.b.push_back(-1);
    p.c.push_back(i);
  }
  for (int i = 0; i + 2 < b.size(); ++i) {
    p.stack.push_back(b[i]);
    p.a.push_back(-1);
    p.b.push_back(i);
    p.c.push_back(a.size() - 1 + i);
  }
  if (rows) p.m = a[a.size() - 2];
  if (columns) p.n = b.back();
  p.a.insert(p.a.end(), {rows ? a.size() - 2 : -1, a.size() - 1});
  p.b.insert(p.b.end(), {inner, columns ? b.size() - 1 : -1});
  p.c.insert(p.c.end(), {rows ? a.size() - 2 : -1, columns ? p.shape.size() - 1 : -1});
  return p;
}

dims product_strides(const std::vector<int>& axes, const dims& shape, const dims& strides) {
  dims out;
  for (const int i : axes) out.push_back(i < 0 || shape[i] == 1 ? 0 : strides[i]);
  return out;
}

namespace {

bool are_lines(std::int64_t lines, std::int64_t length, std::int64_t line_stride,
               std::int64_t stride, int itemsize) {
  return (length == 1 || stride == itemsize) &&
         (lines == 1 || (line_stride >= length * itemsize && line_stride % itemsize == 0));
}

}  // namespace

bool is_blas_matrix(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                    std::int64_t column_stride, int itemsize) {
  return are_lines(rows, columns, row_stride, column_stride, itemsize) ||
         are_lines(columns, rows, column_stride, row_stride, itemsize);
}

blas_matrix as_blas_matrix(std::int64_t rows, std::int64_t columns, std::int64_t row_stride,
                           std::int64_t column_stride, int itemsize) {
  const bool by_rows = are_lines(rows, columns, row_stride, column_stride, itemsize);
  const std::int64_t lines = by_rows ? rows : columns, length = by_rows ? columns : rows;
  const std::int64_t stride = by_rows ? row_stride : column_stride;
  return {!by_rows, lines == 1 ? length : stride / itemsize};
}

namespace {

void drop_axis(matmul& p, int i) {
  p.stack.erase(i);
  for (view* v : {&p.a, &p.b, &p.c}) v->strides.erase(i);
}

bool is_runnable(const matmul& p) {
  const int rows = p.stack.size(), columns = rows + 1, size = itemsize(p.type);
  const auto good = [&](const view& v, std::int64_t height, std::int64_t width) {
    return is_blas_matrix(height, width, v.strides[rows], v.strides[columns], size);
  };
  return good(p.a, p.m, p.k) && good(p.b, p.k, p.n) && good(p.c, p.m, p.n);
}

// Takes the last axis of the stack, along which x and c go on where their axis `line` ends while y
// stands still, as more of that axis. False, and nothing done, where that is not so.
bool fold_last(matmul& p, view& x, const view& y, int line, std::int64_t& extent) {
  const int last = p.stack.size() - 1;
  const auto step = [&](const view& v) { return extent == 1 ? v.strides[last] : v.strides[line]; };
  const std::int64_t x_step = step(x), c_step = step(p.c);
  if (y.strides[last] != 0 || x.strides[last] != extent * x_step ||
      p.c.strides[last] != extent * c_step) {
    return false;
  }
  matmul folded = p;
  (&x == &p.a ? folded.m : folded.n) *= p.stack[last];
  view& fx = &x == &p.a ? folded.a : folded.b;
  fx.strides[line] = x_step;
  folded.c.strides[line] = c_step;
  drop_axis(folded, last);
  if (!is_runnable(folded)) return false;
  p = std::move(folded);
  return true;
}

bool mergeable(const matmul& p, int i) {
  for (const view* v : {&p.a, &p.b, &p.c}) {
    if (v->strides[i] != p.stack[i + 1] * v->strides[i + 1]) return false;
  }
  return true;
}

bool fold(matmul& p) {
  const int rows = p.stack.size(), columns = rows + 1;
  return fold_last(p, p.a, p.b, rows, p.m) || fold_last(p, p.b, p.a, columns, p.n);
}

}  // namespace

void collapse(matmul& p) {
  for (int i = p.stack.size() - 1; i >= 0; --i) {
    if (p.stack[i] == 1) drop_axis(p, i);
  }
  while (!p.stack.empty() && fold(p)) {
  }
  for (int i = p.stack.size() - 2; i >= 0; --i) {
    if (!mergeable(p, i)) continue;
    p.stack[i] *= p.stack[i + 1];
    for (view* v : {&p.a, &p.b, &p.c}) v->strides[i] = v->strides[i + 1];
    drop_axis(p, i + 1);
  }
}

blas_matrix as_blas_matrix(const matrix& x, std::int64_t rows, std::int64_t columns, int itemsize) {
  return as_blas_matrix(rows, columns, x.row, x.column, itemsize);
}

single_product product_at(const matmul& p, std::int64_t index) {
  const int rows = p.stack.size(), columns = rows + 1;
  const auto whole = [&](const view& v) {
    return matrix{v.data, v.strides[rows], v.strides[columns]};
  };
  single_product one{p.m, p.n, p.k, whole(p.a), whole(p.b), whole(p.c)};
  for (int i = rows - 1; i >= 0; --i) {
    const std::int64_t at = index % p.stack[i];
    index /= p.stack[i];
    one.a.data += at * p.a.strides[i];
    one.b.data += at * p.b.strides[i];
    one.c.data += at * p.c.strides[i];
  }
  return one;
}

namespace {

matrix from(const matrix& x, std::int64_t row, std::int64_t column) {
  return {x.data + row * x.row + column * x.column, x.row, x.column};
}

}  // namespace

void for_each_block(const single_product& p, int itemsize, std::int64_t limit,
                    const std::function<void(const single_product&, bool)>& f) {
  std::int64_t m = std::min(p.m, limit), n = std::min(p.n, limit), k = std::min(p.k, limit);
  const auto shorten = [&](const matrix& x, std::int64_t rows, std::int64_t columns,
                           std::int64_t& height, std::int64_t& width) {
    const blas_matrix b = as_blas_matrix(x, rows, columns, itemsize);
    if (b.leading > limit) (b.transposed ? width : height) = 1;
  };
  shorten(p.a, p.m, p.k, m, k);
  shorten(p.b, p.k, p.n, k, n);
  shorten(p.c, p.m, p.n, m, n);
  for (std::int64_t i = 0; i < p.m; i += m) {
    for (std::int64_t j = 0; j < p.n; j += n) {
      for (std::int64_t l = 0; l < p.k; l += k) {
        f({std::min(m, p.m - i), std::min(n, p.n - j), std::min(k, p.k - l), from(p.a, i, l),
           from(p.b, l, j), from(p.c, i, j)},
          l > 0);
      }
    }
  }
}

}  // namespace numwarp::plan
