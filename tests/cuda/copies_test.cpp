// Launches of copy_boxes, run on the host as the kernel does: every element of a box arrives once.
#include "cuda/copies.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <list>
#include <numeric>
#include <random>

#include "plan/layout.hpp"

namespace numwarp::cuda_backend {
namespace {

dims list(std::initializer_list<std::int64_t> v) { return dims(std::span(v.begin(), v.size())); }

// Copies between two buffers of bytes, as a plan and as they should be.
class boxes {
 public:
  explicit boxes(dtype t) : type_(t), size_(itemsize(t)), from_(bytes), to_(bytes), want_(bytes) {
    std::iota(from_.begin(), from_.end(), 1);
    load_.load(0, t);
  }

  void add(const dims& shape, std::int64_t from, dims from_strides, std::int64_t to,
           dims to_strides) {
    plan::elementwise& p = push(shape, load_, to, to_strides);
    for (std::int64_t& s : from_strides) s *= size_;
    p.inputs.emplace_back(from_.data() + from * size_, from_strides, type_);
    expect(shape, from * size_, from_strides, to, to_strides);
    collapse(p);
  }
  void fill(const dims& shape, std::int64_t to, const dims& to_strides) {
    plan::constant_bits v;
    std::memset(v.bytes, 0x5a, sizeof v.bytes);
    plan::program& p = constants_.emplace_back();
    p.constant(type_, v);
    collapse(push(shape, p, to, to_strides));
    expect(shape, -1, dims(shape.size(), 0), to, to_strides);
  }

  // Through copy_boxes; the number of launches.
  int run() {
    int launches = 0;
    copies_launch l;
    for (const auto& p : plan_.list) {
      EXPECT_TRUE(is_box(p));
      if (l.add(p)) continue;
      walk(l), ++launches;
      l = {};
      EXPECT_TRUE(l.add(p));
    }
    walk(l), ++launches;
    EXPECT_EQ(to_, want_);
    return launches;
  }
  bool takes(const dims& shape, const dims& from_strides, const dims& to_strides) {
    add(shape, 0, from_strides, 0, to_strides);
    return is_box(plan_.list.back());
  }

 private:
  static constexpr std::size_t bytes = 1 << 18;

  plan::elementwise& push(const dims& shape, const plan::program& body, std::int64_t to,
                          dims to_strides) {
    plan::elementwise& p = plan_.list.emplace_back();
    p.shape = shape;
    p.program = &body;
    for (std::int64_t& s : to_strides) s *= size_;
    static_cast<plan::view&>(p.outputs.emplace_back()) = {to_.data() + to * size_, to_strides,
                                                          type_};
    return p;
  }
  void expect(const dims& shape, std::int64_t from, const dims& from_strides, std::int64_t to,
              const dims& to_strides) {
    for (std::int64_t i = 0; i < plan::size(shape); ++i) {
      std::int64_t rest = i, a = from, b = to * size_;
      for (int d = shape.size() - 1; d >= 0; --d) {
        a += rest % shape[d] * from_strides[d];
        b += rest % shape[d] * to_strides[d] * size_;
        rest /= shape[d];
      }
      if (from < 0) {
        std::memset(&want_[std::size_t(b)], 0x5a, std::size_t(size_));
      } else {
        std::memcpy(&want_[std::size_t(b)], &from_[std::size_t(a)], std::size_t(size_));
      }
    }
  }

  void move(const core::copy_box& b, char* to, const char* from) {
    if (b.mode == int(core::walk::immediate)) from = reinterpret_cast<const char*>(&b);
    EXPECT_TRUE(std::all_of(to, to + size_, [](char c) { return c == 0; })) << "stored twice";
    std::memcpy(to, from, std::size_t(size_));
  }
  void walk(const copies_launch& l) {
    const int width = core::copy_width(size_), word = 16 / size_;
    for (std::int64_t block = 0; block < l.blocks; ++block) {
      const core::copy_box& b = core::box_of_block(l.parameters, unsigned(block));
      for (unsigned thread = 0; thread < core::copy_threads; ++thread) {
        const auto s = core::spot_in_box(b, width, unsigned(block), thread);
        if (!s.inside) continue;
        const bool vector = b.mode == int(core::walk::vector);
        for (int j = 0; j < width; ++j) {
          const std::int64_t i = vector ? core::word_start(b, s, j / word, word) + j % word
                                        : s.first + (std::int64_t(j) << b.row_shift) + s.thread;
          if (i >= b.inner) continue;
          char* const to = b.to + s.to + i * b.to_inner;
          if (vector && j == 0) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(to) % 16, 0u);
          }
          const bool immediate = b.mode == int(core::walk::immediate);
          move(b, to, immediate ? nullptr : b.from + s.from + i * b.from_inner);
        }
      }
    }
  }

  dtype type_;
  int size_;
  std::vector<char> from_, to_, want_;
  plan::program load_;
  std::list<plan::program> constants_;
  plan::copies plan_;
};

const dtype sizes[] = {dtype::uint8, dtype::float16, dtype::float32, dtype::float64,
                       dtype::complex128};

TEST(copy_boxes, contiguous_strided_and_reversed) {
  for (const dtype t : sizes) {
    SCOPED_TRACE(name(t));
    boxes b(t);
    b.add(list({3000}), 0, list({1}), 0, list({1}));
    b.add(list({777}), 5, list({1}), 3000, list({1}));
    b.add(list({500}), 1000, list({-2}), 4001, list({1}));
    b.add(list({300}), 7, list({0}), 5001, list({3}));
    b.add(list({}), 9, list({}), 7000, list({}));
    EXPECT_EQ(b.run(), 1);
  }
}

TEST(copy_boxes, rows_and_constants) {
  for (const dtype t : sizes) {
    SCOPED_TRACE(name(t));
    boxes b(t);  // into 9 x 13 x 33 at 0
    b.add(list({7, 11, 30}), 0, list({330, 30, 1}), 1 * 429 + 33 + 2, list({429, 33, 1}));
    b.fill(list({13, 33}), 0, list({33, 1}));
    b.fill(list({13, 33}), 8 * 429, list({33, 1}));
    b.fill(list({7, 33}), 429, list({429, 1}));
    b.fill(list({7, 33}), 429 + 12 * 33, list({429, 1}));
    b.fill(list({7, 11, 2}), 429 + 33, list({429, 33, 1}));
    b.fill(list({7, 11}), 429 + 33 + 32, list({429, 33}));
    b.add(list({2, 3, 2, 5}), 40, list({30, 10, 5, 1}), 4000, list({100, 30, 7, 1}));
    b.add(list({3, 64}), 64, list({64, 1}), 5008, list({80, 1}));
    EXPECT_EQ(b.run(), 1);
  }
}

TEST(copy_boxes, more_boxes_than_a_launch_holds) {
  for (const dtype t : sizes) {
    SCOPED_TRACE(name(t));
    std::mt19937 random(7);
    boxes b(t);
    for (std::int64_t k = 0, to = 0; k < 100; ++k) {
      const std::int64_t rows = 1 + random() % 4, inner = 1 + random() % 40;
      if (to + rows * 41 > 16000) break;
      b.add(list({rows, inner}), std::int64_t(random() % 100), list({45, 1}), to, list({41, 1}));
      to += rows * 41;
    }
    EXPECT_EQ(b.run(), 4);
  }
}

TEST(copy_boxes, leaves_other_copies_to_their_kernels) {
  boxes b(dtype::float32);
  EXPECT_TRUE(b.takes(list({4, 100}), list({100, 1}), list({100, 1})));
  EXPECT_FALSE(b.takes(list({64, 100}), list({1, 64}), list({100, 1})));
  EXPECT_FALSE(b.takes(list({2, 2, 2, 2, 2}), list({1, 3, 9, 27, 81}), list({81, 27, 9, 3, 1})));
}

}  // namespace
}  // namespace numwarp::cuda_backend
