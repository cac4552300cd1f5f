#include "cpu/tiles.hpp"

#include <algorithm>
#include <cstdlib>

namespace numwarp::cpu_backend {

namespace {

constexpr int cache_line = 64;

// An axis along which some input is contiguous while it leaps along the last; -1 without one.
int crossing_axis(const plan::elementwise& p) {
  const int last = p.shape.size() - 1;
  for (const plan::view& v : p.inputs) {
    for (int i = 0; i < last; ++i) {
      if (v.strides[i] == itemsize(v.type) && std::abs(v.strides[last]) >= cache_line) return i;
    }
  }
  return -1;
}

template <class F> void for_each_view(plan::elementwise& p, const F& f) {
  for (plan::view& v : p.inputs) f(v);
  for (plan::view& v : p.outputs) f(v);
}

// Elements [first, first + n) of an axis.
plan::elementwise range(plan::elementwise p, int axis, std::int64_t first, std::int64_t n) {
  p.size = p.size / p.shape[axis] * n;
  p.shape[axis] = n;
  for_each_view(p, [&](plan::view& v) { v.data += first * v.strides[axis]; });
  return p;
}

// Splits two axes into tiles: the axes of the tiles, then those inside of one.
void tile(plan::elementwise& p, int axis, std::int64_t rows, std::int64_t columns) {
  const int last = p.shape.size() - 1;
  const auto split = [&](dims& d, std::int64_t outer_row, std::int64_t outer_column,
                         std::int64_t row, std::int64_t column) {
    d.resize(last);
    d.erase(axis);
    for (std::int64_t x : {outer_column, outer_row, row, column}) d.push_back(x);
  };
  for_each_view(p, [&](plan::view& v) {
    const std::int64_t row = v.strides[axis], column = v.strides[last];
    split(v.strides, row * rows, column * columns, row, column);
  });
  split(p.shape, p.shape[axis] / rows, p.shape[last] / columns, rows, columns);
}

}  // namespace

std::vector<plan::elementwise> cut_into_tiles(const plan::elementwise& p, std::int64_t block) {
  const int axis = crossing_axis(p), last = p.shape.size() - 1;
  if (axis < 0 || p.program->uses_index()) return {};
  std::int64_t columns = 1;
  while (columns * columns < block) columns *= 2;
  const std::int64_t rows = block / columns;
  const std::int64_t whole_rows = p.shape[axis] / rows * rows;
  const std::int64_t whole_columns = p.shape[last] / columns * columns;
  if (whole_rows == 0 || whole_columns == 0) return {};
  std::vector<plan::elementwise> parts = {
      range(range(p, axis, 0, whole_rows), last, 0, whole_columns),
      range(p, last, whole_columns, p.shape[last] - whole_columns),
      range(range(p, axis, whole_rows, p.shape[axis] - whole_rows), last, 0, whole_columns)};
  tile(parts[0], axis, rows, columns);
  std::erase_if(parts, [](const plan::elementwise& part) { return part.size == 0; });
  return parts;
}

}  // namespace numwarp::cpu_backend
