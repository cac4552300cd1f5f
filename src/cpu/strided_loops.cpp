#include "cpu/strided_loops.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "cpu/loops.hpp"

#if defined(__SSE2__)
#  include <emmintrin.h>
#endif

namespace numwarp::cpu_backend {

namespace {

template <int Size, class To, class From>
void copy_elements(char* to, To to_step, const char* from, From from_step, std::int64_t n) {
  NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) {
    std::memcpy(to + i * to_step, from + i * from_step, Size);
  }
}

// Where the step is known to the compiler, the loop vectorises.
template <int Size>
void gather_run(char* packed, const char* from, std::int64_t step, std::int64_t n) {
  constexpr constant<Size> size;
  if (step == 0) return copy_elements<Size>(packed, size, from, constant<0>(), n);
  if (step == -Size) return copy_elements<Size>(packed, size, from, constant<-Size>(), n);
  if (step == 2 * Size) return copy_elements<Size>(packed, size, from, constant<2 * Size>(), n);
  copy_elements<Size>(packed, size, from, step, n);
}

template <int Size>
void scatter_run(const char* packed, char* to, std::int64_t step, std::int64_t n) {
  copy_elements<Size>(to, step, packed, constant<Size>(), n);
}

// The position of a linear index: subscripts and the byte offset they reach.
struct odometer {
  const dims& shape;
  const dims& strides;
  dims at;
  std::int64_t offset = 0;

  odometer(const dims& s, const dims& t, std::int64_t start)
      : shape(s), strides(t), at(s.size(), 0) {
    for (int i = s.size() - 1; i >= 0; --i) {
      at[i] = start % s[i];
      start /= s[i];
      offset += at[i] * t[i];
    }
  }
  // Past the end of the innermost axis, to the start of the next row.
  void next_row() {
    int i = shape.size() - 1;
    offset -= at[i] * strides[i];
    at[i] = 0;
    while (--i >= 0) {
      offset += strides[i];
      if (++at[i] < shape[i]) return;
      offset -= shape[i] * strides[i];
      at[i] = 0;
    }
  }
};

// run(packed, strided, n) for each piece of a row of the innermost axis.
template <class F>
void walk(const dims& shape, const plan::view& v, std::int64_t start, std::int64_t n, F run) {
  odometer pos(shape, v.strides, start);
  const int last = shape.size() - 1;
  for (std::int64_t packed = 0; packed < n;) {
    const std::int64_t piece = std::min(n - packed, shape[last] - pos.at[last]);
    run(packed, v.data + pos.offset, piece);
    packed += piece;
    if (packed < n) pos.next_row();
  }
}

// Rows of the packed side are columns of the other: row r, column c is at from + c * step, element
// r.
template <int Size>
void transpose(char* packed, const char* from, std::int64_t step, std::int64_t rows,
               std::int64_t columns) {
  std::int64_t r = 0;
#if defined(__SSE2__)
  if constexpr (Size == 4) {
    for (; r + 4 <= rows; r += 4) {
      for (std::int64_t c = 0; c < columns; c += 4) {
        const char* p = from + c * step + r * Size;
        __m128 x[4];
        for (int k = 0; k < 4; ++k)
          x[k] = _mm_loadu_ps(reinterpret_cast<const float*>(p + k * step));
        _MM_TRANSPOSE4_PS(x[0], x[1], x[2], x[3]);
        char* q = packed + (r * columns + c) * Size;
        for (int k = 0; k < 4; ++k) {
          _mm_storeu_ps(reinterpret_cast<float*>(q + k * columns * Size), x[k]);
        }
      }
    }
  }
#endif
  for (; r < rows; ++r) {
    gather_run<Size>(packed + r * columns * Size, from + r * Size, step, columns);
  }
}

// The first `done` bytes again and again, up to `all`: by copies that double in length.
void double_up(char* to, std::int64_t done, std::int64_t all) {
  while (done < all) {
    const std::int64_t n = std::min(done, all - done);
    std::memcpy(to + done, to, std::size_t(n));
    done += n;
  }
}

// Each of n elements `row` times.
template <int Size, class Row>
void repeat_elements(char* packed, const char* from, std::int64_t step, std::int64_t n, Row row) {
  NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < row; ++j)
      std::memcpy(packed + (i * row + j) * Size, from + i * step, Size);
  }
}
template <int Size>
void repeat_run(char* packed, const char* from, std::int64_t step, std::int64_t n,
                std::int64_t row) {
  if (row == 2) return repeat_elements<Size>(packed, from, step, n, constant<2>());
  if (row == 3) return repeat_elements<Size>(packed, from, step, n, constant<3>());
  if (row == 4) return repeat_elements<Size>(packed, from, step, n, constant<4>());
  repeat_elements<Size>(packed, from, step, n, row);
}

// Whether every row is the same elements: a row broadcast along all other axes.
bool is_one_row(const dims& strides) {
  return std::all_of(strides.begin(), strides.end() - 1, [](std::int64_t s) { return s == 0; });
}

// Row by row.
void gather_rows(const dims& shape, const plan::view& from, std::int64_t start, std::int64_t n,
                 char* to) {
  const int size = itemsize(from.type);
  const std::int64_t step = from.strides.back();
  with_size(size, [&](auto s) {
    walk(shape, from, start, n, [&](std::int64_t at, const char* x, std::int64_t run) {
      if (step == size) {
        std::memcpy(to + at * size, x, std::size_t(run * size));
        // What follows the row is often what the next block begins with.
        for (std::int64_t i = 0; i < run * size; i += 64) __builtin_prefetch(x + run * size + i);
      } else {
        gather_run<s>(to + at * size, x, step, run);
      }
    });
  });
}

// Rows that are short: the next axis is the one to walk along. f(row number, address, steps, rows)
// for each piece of whole rows; steps along that axis.
template <class F>
void walk_rows(dims shape, plan::view v, std::int64_t start, std::int64_t n, const F& f) {
  const std::int64_t row = shape.back(), step = v.strides[shape.size() - 2];
  shape.resize(shape.size() - 1);
  v.strides.resize(shape.size());
  walk(shape, v, start / row, n / row,
       [&](std::int64_t at, char* x, std::int64_t rows) { f(at * row, x, step, rows); });
}

void gather_short_rows(const dims& shape, const plan::view& from, std::int64_t start,
                       std::int64_t n, char* to) {
  const std::int64_t row = shape.back(), step = from.strides.back();
  with_size(itemsize(from.type), [&](auto s) {
    walk_rows(shape, from, start, n,
              [&](std::int64_t at, char* x, std::int64_t next, std::int64_t rows) {
                if (step == 0) return repeat_run<s>(to + at * s, x, next, rows, row);
                for (std::int64_t i = 0; i < row; ++i)
                  copy_elements<s>(to + (at + i) * s, row * s, x + i * step, next, rows);
              });
  });
}

void scatter_short_rows(const dims& shape, const plan::view& to, std::int64_t start, std::int64_t n,
                        const char* from) {
  const std::int64_t row = shape.back(), step = to.strides.back();
  with_size(itemsize(to.type), [&](auto s) {
    walk_rows(shape, to, start, n,
              [&](std::int64_t at, char* y, std::int64_t next, std::int64_t rows) {
                for (std::int64_t i = 0; i < row; ++i)
                  copy_elements<s>(y + i * step, next, from + (at + i) * s, row * s, rows);
              });
  });
}

bool has_short_rows(const dims& shape, std::int64_t step) {
  return shape.size() >= 2 && shape.back() <= (step == 0 ? 32 : 8);
}

// whole(start, n, at) for the whole rows of n elements from start on, part(...) for what is before
// and behind them.
template <class Part, class Whole>
void split_at_rows(std::int64_t row, std::int64_t start, std::int64_t n, const Part& part,
                   const Whole& whole) {
  const std::int64_t head = std::min(n, (row - start % row) % row), rows = (n - head) / row * row;
  if (head > 0) part(start, head, 0);
  if (rows > 0) whole(start + head, rows, head);
  if (head + rows < n) part(start + head + rows, n - head - rows, head + rows);
}

}  // namespace

std::int64_t offset_at(const dims& shape, const dims& strides, std::int64_t start) {
  return odometer(shape, strides, start).offset;
}

void gather(const dims& shape, const plan::view& from, std::int64_t start, std::int64_t n,
            char* to) {
  const int size = itemsize(from.type);
  if (shape.empty()) return repeat(to, from.data, n, size);
  const std::int64_t step = from.strides.back(), row = shape.back();
  if (n > row && start % row == 0 && is_one_row(from.strides)) {
    gather(shape, from, start, row, to);
    return double_up(to, row * size, n * size);
  }
  if (!has_short_rows(shape, step)) return gather_rows(shape, from, start, n, to);
  split_at_rows(
      row, start, n,
      [&](std::int64_t first, std::int64_t count, std::int64_t at) {
        gather_rows(shape, from, first, count, to + at * size);
      },
      [&](std::int64_t first, std::int64_t count, std::int64_t at) {
        gather_short_rows(shape, from, first, count, to + at * size);
      });
}

void gather_turned(const dims& shape, const plan::view& from, std::int64_t start, char* to) {
  const int last = shape.size() - 1;
  const char* x = from.data + offset_at(shape, from.strides, start);
  with_size(itemsize(from.type),
            [&](auto s) { transpose<s>(to, x, from.strides[last], shape[last - 1], shape[last]); });
}

namespace {

void scatter_rows(const dims& shape, const plan::view& to, std::int64_t start, std::int64_t n,
                  const char* from, bool streamed) {
  const int size = itemsize(to.type);
  const std::int64_t step = to.strides.back();
  with_size(size, [&](auto s) {
    walk(shape, to, start, n, [&](std::int64_t at, char* y, std::int64_t run) {
      const char* x = from + at * size;
      if (step != size) {
        scatter_run<s>(x, y, step, run);
      } else if (streamed) {
        stream(y, x, run * size);
      } else {
        std::memcpy(y, x, std::size_t(run * size));
      }
    });
  });
}

}  // namespace

void scatter(const dims& shape, const plan::view& to, std::int64_t start, std::int64_t n,
             const char* from, bool streamed) {
  const int size = itemsize(to.type);
  if (shape.empty()) return std::memcpy(to.data, from, std::size_t(size)), void();
  if (!has_short_rows(shape, to.strides.back()))
    return scatter_rows(shape, to, start, n, from, streamed);
  split_at_rows(
      shape.back(), start, n,
      [&](std::int64_t first, std::int64_t count, std::int64_t at) {
        scatter_rows(shape, to, first, count, from + at * size, false);
      },
      [&](std::int64_t first, std::int64_t count, std::int64_t at) {
        scatter_short_rows(shape, to, first, count, from + at * size);
      });
}

void repeat(char* to, const void* element, std::int64_t n, int size) {
  const std::int64_t all = n * size;
  if (all == 0) return;
  std::memcpy(to, element, std::size_t(size));
  double_up(to, size, all);
}

void stream(char* to, const char* from, std::int64_t n) {
  std::int64_t i = 0;
#if defined(__SSE2__)
  constexpr std::int64_t line = 64;
  i = std::min(n, std::int64_t(-reinterpret_cast<std::uintptr_t>(to) % line));
  std::memcpy(to, from, std::size_t(i));
  for (; i + line <= n; i += line) {
    const auto* x = reinterpret_cast<const __m128i*>(from + i);
    auto* y = reinterpret_cast<__m128i*>(to + i);
    for (int k = 0; k < 4; ++k) _mm_stream_si128(y + k, _mm_loadu_si128(x + k));
  }
#endif
  std::memcpy(to + i, from + i, std::size_t(n - i));
}

void stream_fence() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace numwarp::cpu_backend
