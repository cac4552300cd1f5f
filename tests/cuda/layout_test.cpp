// The launches of the CUDA backend, walked through on the host as the kernels do: every element is
// visited once, at the address that the plan says.
#include "plan/layout.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "cuda/copy.hpp"
#include "cuda/elementwise_layout.hpp"
#include "cuda/reduce_layout.hpp"

namespace numwarp::cuda_backend {
namespace {

char* const base = reinterpret_cast<char*>(std::uintptr_t(1) << 40);

dims list(std::initializer_list<std::int64_t> v) { return dims(std::span(v.begin(), v.size())); }

std::int64_t offset_of(const dims& shape, const dims& strides, std::int64_t index) {
  std::int64_t bytes = 0;
  for (int d = shape.size() - 1; d >= 0; --d) {
    bytes += index % shape[d] * strides[d];
    index /= shape[d];
  }
  return bytes;
}

// What add_outer of the kernels does, for one operand.
std::int64_t outer_offset(std::int64_t index, const core::i64* shape, const core::i64* strides,
                          int first, int rank) {
  std::int64_t bytes = 0;
  for (int d = first + rank - 1; d >= first; --d) {
    const std::int64_t rest = d > first ? index / shape[d] : 0;
    bytes += (index - rest * shape[d]) * strides[d];
    index = rest;
  }
  return bytes;
}

using visits = std::map<std::vector<std::int64_t>, int>;

// All operands' offsets for each element, as elementwise_rows walks them.
visits walk_elementwise(elementwise_launch& l, int operands, int width) {
  visits seen;
  const auto& h = l.head();
  for (std::int64_t b = 0; b < l.grid.blocks; ++b) {
    const std::int64_t group = h.chunks.quotient(unsigned(b)), chunk = b - group * h.chunks.by;
    for (unsigned ty = 0; ty < l.grid.block_y; ++ty) {
      for (unsigned tx = 0; tx < l.grid.block_x; ++tx) {
        const std::int64_t i = (chunk * l.grid.block_x + tx) * width,
                           row = group * l.grid.block_y + ty;
        if (i >= h.inner || row >= h.rows) continue;
        for (std::int64_t j = i; j < std::min<std::int64_t>(i + width, h.inner); ++j) {
          std::vector<std::int64_t> at;
          for (int k = 0; k < operands; ++k) {
            const core::operand& o = l.operands()[k];
            at.push_back(o.data - base + outer_offset(row, h.shape, o.outer, 0, h.outer_rank) +
                         j * o.inner);
          }
          ++seen[at];
        }
      }
    }
  }
  return seen;
}

void expect_elementwise(const dims& shape, const std::vector<dims>& strides, dtype t, int width) {
  std::vector<source> sources;
  for (const dims& s : strides) sources.push_back({base, &s, t, nullptr});
  elementwise_launch l;
  lay_out(l, shape, sources, width, false);
  EXPECT_LE(l.grid.block_x * l.grid.block_y, 256u);
  visits want;
  for (std::int64_t i = 0; i < plan::size(shape); ++i) {
    std::vector<std::int64_t> at;
    for (const dims& s : strides) at.push_back(offset_of(shape, s, i));
    ++want[at];
  }
  EXPECT_EQ(walk_elementwise(l, int(strides.size()), width), want) << to_string(shape);
  for (std::size_t k = 0; k < strides.size(); ++k) {
    const core::operand& o = l.operands()[k];
    if (o.mode != core::walk::vector) continue;
    EXPECT_EQ(o.inner, itemsize(t));
    for (int d = 0; d < l.head().outer_rank; ++d) EXPECT_EQ(o.outer[d] % (itemsize(t) * width), 0);
  }
}

TEST(divisor, divides_all_numbers_of_blocks) {
  for (const unsigned by : {1u, 2u, 3u, 5u, 7u, 64u, 641u, 65535u, 65536u, 65537u, 1000003u,
                            0x3fffffffu, 0x40000000u, 0x40000001u, 0x7ffffffeu, 0x7fffffffu}) {
    const core::divisor d = core::make_divisor(by);
    for (const unsigned near : {0u, by, 2 * by, 0x7fffffffu / by * by, 0x40000000u, 0x7fffffffu}) {
      for (unsigned n = near < 2 ? 0 : near - 2; n <= near + 2 && n <= 0x7fffffffu; ++n)
        EXPECT_EQ(d.quotient(n), n / by) << n << " / " << by;
    }
  }
}

TEST(cuda_layout, elementwise_visits_each_element_once) {
  for (std::int64_t n : {1, 3, 31, 32, 33, 1023, 1025, 5000})
    expect_elementwise(list({n}), {list({4}), list({0})}, dtype::float32, 4);
  expect_elementwise(dims(), {dims(), dims()}, dtype::float32, 4);
  expect_elementwise(list({7, 33}), {list({132, 4}), list({0, 4}), list({4, 0})}, dtype::float32,
                     4);
  expect_elementwise(list({70, 65}), {list({260, 4}), list({4, 280})}, dtype::float32, 4);
  expect_elementwise(list({3, 5, 2, 9}), {list({360, 72, 36, 4}), list({4, 12, 60, 120})},
                     dtype::float32, 4);
  expect_elementwise(list({2, 3, 2, 3, 2, 3, 5}),
                     {list({4320, 1440, 720, 240, 120, 40, 8}), list({0, 8, 24, 0, 48, 96, 288})},
                     dtype::float64, 2);
  expect_elementwise(list({5, 300}), {list({300, 1}), list({-300, -1})}, dtype::uint8, 16);
}

TEST(cuda_layout, vectors_need_alignment) {
  const dims shape = list({4, 64}), even = list({256, 4}), odd = list({260, 4});
  elementwise_launch l;
  const source sources[] = {{base, &even, dtype::float32, nullptr},
                            {base, &odd, dtype::float32, nullptr},
                            {base + 4, &even, dtype::float32, nullptr}};
  lay_out(l, shape, sources, 4, false);
  EXPECT_EQ(l.operands()[0].mode, core::walk::vector);
  EXPECT_EQ(l.operands()[1].mode, core::walk::strided);
  EXPECT_EQ(l.operands()[2].mode, core::walk::strided);
}

TEST(cuda_layout, constants_lie_in_the_parameters) {
  plan::constant_bits bits;
  for (int i = 0; i < 16; ++i) bits.bytes[i] = static_cast<unsigned char>(i + 1);
  elementwise_launch l;
  const source one[] = {{nullptr, nullptr, dtype::complex128, &bits}};
  lay_out(l, list({8}), one, 1, false);
  EXPECT_EQ(l.operands()[0].mode, core::walk::immediate);
  EXPECT_EQ(std::memcmp(&l.operands()[0], bits.bytes, 16), 0);
}

// The split that takes reduced index r: chunks in turn, or one run each.
std::int64_t split_of(const core::reduction_header& h, std::int64_t r, int width) {
  const std::int64_t chunk = std::int64_t(h.group) * width * (width >= 8 ? 4 : 8);
  return h.fast ? r / chunk % h.splits : r / h.split_length;
}

// Every (kept, reduced) pair that the kernels visit, by the offsets of input and result.
visits walk_rows(reduction_launch& l, int width) {
  visits seen;
  const auto& h = l.head();
  const core::reduced_operand& x = l.operands()[0];
  const std::int64_t each = 256 / h.group;
  for (std::int64_t b = 0; b < l.grid.blocks; ++b) {
    const std::int64_t split = b % h.splits;
    for (std::int64_t o = b / h.splits * each;
         o < std::min<std::int64_t>(h.outer, (b / h.splits + 1) * each); ++o) {
      const std::int64_t rest = o / h.kept_inner, inner = o % h.kept_inner;
      const std::int64_t kept =
          inner * x.kept_inner + outer_offset(rest, h.shape, x.outer, 0, h.kept_rank);
      const std::int64_t out =
          inner * h.out_inner + outer_offset(rest, h.shape, h.out_outer, 0, h.kept_rank);
      for (std::int64_t r = 0; r < h.count; ++r) {
        if (split_of(h, r, width) != split) continue;
        const std::int64_t more = r / h.reduced_inner;
        ++seen[{out, kept + r % h.reduced_inner * x.reduced_inner +
                         outer_offset(more, h.shape, x.outer, h.kept_rank, h.reduced_rank)}];
      }
    }
  }
  return seen;
}

visits walk_columns(reduction_launch& l, int width) {
  visits seen;
  const auto& h = l.head();
  const core::reduced_operand& x = l.operands()[0];
  const std::int64_t vectors = (h.kept_inner + width - 1) / width;
  for (std::int64_t b = 0; b < l.grid.blocks; ++b) {
    const std::int64_t split = b / h.column_blocks, block = b % h.column_blocks;
    const std::int64_t begin = split * h.split_length;
    const std::int64_t end = std::min<std::int64_t>(begin + h.split_length, h.count);
    for (unsigned tx = 0; tx < l.grid.block_x; ++tx) {
      const std::int64_t q = block * l.grid.block_x + tx, line = q / vectors,
                         first = q % vectors * width;
      for (std::int64_t i = first; i < std::min<std::int64_t>(first + width, h.kept_inner); ++i) {
        if (line * h.kept_inner + i >= h.outer) continue;
        const std::int64_t kept =
            i * x.kept_inner + outer_offset(line, h.shape, x.outer, 0, h.kept_rank);
        const std::int64_t out =
            i * h.out_inner + outer_offset(line, h.shape, h.out_outer, 0, h.kept_rank);
        for (std::int64_t r = begin; r < end; ++r) {
          ++seen[{out, kept + r % h.reduced_inner * x.reduced_inner +
                           outer_offset(r / h.reduced_inner, h.shape, x.outer, h.kept_rank,
                                        h.reduced_rank)}];
        }
      }
    }
  }
  return seen;
}

plan::reduction reduction_of(const plan::program& program, const dims& shape, const dims& strides,
                             int kept) {
  plan::reduction p;
  p.op = reduce_code::sum;
  p.shape = shape;
  p.kept = kept;
  p.inputs.push_back({base, strides, dtype::float32});
  p.order = strides;
  dims out_shape = shape;
  out_shape.resize(kept);
  p.output = {nullptr, plan::c_strides(out_shape, 8), dtype::float64};
  p.program = &program;
  p.compute = dtype::float32;
  p.name = "sum";
  plan::collapse(p);
  return p;
}

void expect_reduction(const dims& shape, const dims& strides, int kept) {
  plan::program program;
  program.load(0, dtype::float32);
  const plan::reduction p = reduction_of(program, shape, strides, kept);
  ASSERT_TRUE(reducible(p, 1));
  const int inputs[] = {0};
  visits want;
  dims kept_shape = p.shape;
  kept_shape.resize(p.kept);
  for (std::int64_t i = 0; i < p.outer * p.count; ++i) {
    ++want[{offset_of(kept_shape, p.output.strides, i / p.count),
            offset_of(p.shape, p.inputs[0].strides, i)}];
  }
  for (const int width : {1, 4}) {
    reduction_launch l;
    lay_out(l, p, inputs, false, width, 2);
    EXPECT_EQ(walk_rows(l, width), want) << "rows of " << to_string(shape);
    lay_out(l, p, inputs, true, width, 2);
    EXPECT_LE(l.grid.block_x * l.grid.block_y, 256u);
    EXPECT_EQ(walk_columns(l, width), want) << "columns of " << to_string(shape);
  }
}

TEST(cuda_layout, reductions_visit_each_element_once) {
  expect_reduction(list({100000}), list({4}), 0);
  expect_reduction(list({1}), list({4}), 0);
  expect_reduction(list({33, 1025}), list({4100, 4}), 1);
  expect_reduction(list({1025, 33}), list({4, 4100}), 1);
  expect_reduction(list({3, 40000}), list({4, 12}), 1);
  expect_reduction(list({20, 6, 30}), list({120, 2400, 4}), 1);
  expect_reduction(list({4, 5, 6, 7}), list({840, 28, 140, 4}), 2);
  expect_reduction(list({4, 5, 6, 7}), list({4, 16, 80, 480}), 3);
  expect_reduction(list({700, 3}), list({12, 4}), 1);
}

TEST(cuda_layout, an_empty_reduced_axis_still_gives_results) {
  plan::program program;
  program.load(0, dtype::float32);
  const plan::reduction p = reduction_of(program, list({5, 0}), list({4, 4}), 1);
  reduction_launch l;
  const int inputs[] = {0};
  lay_out(l, p, inputs, by_columns(p), 4, 132);
  EXPECT_EQ(l.head().outer, 5);
  EXPECT_EQ(l.head().count, 0);
  EXPECT_EQ(l.head().splits, 1u);
  EXPECT_GE(l.grid.blocks, 1);
}

TEST(cuda_layout, transposition_visits_each_element_once) {
  const dims shape = list({3, 40, 70}), from = list({4 * 40 * 70, 4, 160}),
             to = list({11200, 280, 4});
  const auto t = lay_out_transpose(shape, {base, &from, dtype::float32, nullptr},
                                   {base, &to, dtype::float32, nullptr});
  ASSERT_TRUE(t);
  const auto& p = t->parameters;
  visits seen, want;
  constexpr std::int64_t side = core::transpose_side(4);
  for (std::int64_t b = 0; b < t->grid.blocks; ++b) {
    const std::int64_t from_tile = b % p.from_tiles, to_tile = b / p.from_tiles % p.to_tiles;
    const std::int64_t plane = b / p.from_tiles / p.to_tiles;
    const std::int64_t in = outer_offset(plane, p.shape, p.from_outer, 0, p.outer_rank);
    const std::int64_t out = outer_offset(plane, p.shape, p.to_outer, 0, p.outer_rank);
    for (std::int64_t f = from_tile * side; f < std::min(from_tile * side + side, p.from_fast);
         ++f) {
      for (std::int64_t s = to_tile * side; s < std::min(to_tile * side + side, p.to_fast); ++s) {
        ++seen[{in + f * 4 + s * p.from_stride, out + s * 4 + f * p.to_stride}];
      }
    }
  }
  for (std::int64_t i = 0; i < plan::size(shape); ++i)
    ++want[{offset_of(shape, from, i), offset_of(shape, to, i)}];
  EXPECT_EQ(seen, want);
}

}  // namespace
}  // namespace numwarp::cuda_backend
