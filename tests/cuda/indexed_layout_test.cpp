// Gather and scatter as parameters of kernels: what a kernel would do with them, done here, against
// the plan. Needs no GPU.
#include "cuda/indexed_layout.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numwarp/error.hpp>
#include <random>

namespace nw = numwarp;
namespace plan = numwarp::plan;
using namespace numwarp::cuda_backend;

namespace {

using number = std::int64_t;

// What find_place of kernels/indexed.cuh computes. Indices are int64.
struct place {
  number array = 0, packed = 0, slot = 0, number_of = 0;
};
place find(const nw::core::indexed_parameters& k, number row) {
  place at;
  std::vector<number> offsets(std::size_t(k.lists), 0);
  for (int d = k.rank - 1; d >= 0; --d) {
    const number i = row % k.shape[d];
    row /= k.shape[d];
    at.array += i * k.array_strides[d];
    at.packed += i * k.packed_strides[d];
    at.slot += i * k.slot_strides[d];
    at.number_of += i * k.number_strides[d];
    for (int l = 0; l < k.lists; ++l) offsets[std::size_t(l)] += i * k.list[l].strides[d];
  }
  for (int l = 0; l < k.lists; ++l) {
    number i = *reinterpret_cast<const number*>(k.list[l].data + offsets[std::size_t(l)]);
    if (i < 0) i += k.list[l].extent;
    at.array += i * k.list[l].step;
    at.slot += i * k.list[l].slot_step;
  }
  return at;
}

// A C-ordered array some of whose axes index arrays walk, side by side in the result.
struct sample {
  std::vector<number> extents;
  std::vector<std::vector<number>> indices;
  plan::indexed p;
  number array_bytes = 0;
};

constexpr number element = 8;

sample make(std::mt19937& random) {
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  sample s;
  const int rank = pick(1, 4), space = pick(0, 2);
  for (int d = 0; d < rank; ++d) s.extents.push_back(pick(1, 5));
  std::vector<number> strides(std::size_t(rank), element);
  for (int d = rank - 2; d >= 0; --d)
    strides[std::size_t(d)] = strides[std::size_t(d) + 1] * s.extents[std::size_t(d) + 1];
  s.array_bytes = strides[0] * s.extents[0];
  const int first = pick(0, rank - 1), walked = pick(1, rank - first), at = pick(0, first);
  nw::dims own;
  number n = 1;
  for (int d = 0; d < space; ++d) own.push_back(pick(1, 4)), n *= own[d];
  for (int d = 0; d < rank; ++d) {
    if (d >= first && d < first + walked) continue;
    s.p.shape.push_back(s.extents[std::size_t(d)]);
    s.p.array.strides.push_back(strides[std::size_t(d)]);
  }
  for (int d = 0; d < space; ++d) {
    s.p.shape.insert(at + d, own[d]);
    s.p.array.strides.insert(at + d, 0);
  }
  s.indices.resize(std::size_t(walked));
  for (int k = 0; k < walked; ++k) {
    const auto axis = std::size_t(first + k);
    for (number i = 0; i < n; ++i)
      s.indices[std::size_t(k)].push_back(pick(-int(s.extents[axis]), int(s.extents[axis]) - 1));
    plan::index_list list;
    list.data = reinterpret_cast<char*>(s.indices[std::size_t(k)].data());
    list.type = nw::dtype::int64;
    list.strides = nw::dims(s.p.shape.size(), 0);
    number step = 8;
    for (int d = space - 1; d >= 0; --d) {
      list.strides[at + d] = own[d] == 1 ? 0 : step;
      step *= own[d];
    }
    list.extent = s.extents[axis];
    list.step = strides[axis];
    s.p.lists.push_back(list);
  }
  s.p.array.type = s.p.packed.type = nw::dtype::int64;
  s.p.packed.strides = nw::dims(s.p.shape.size(), 0);
  number step = element;
  const bool across = pick(0, 3) == 0;  // a packed side that is not contiguous
  for (int d = s.p.shape.size() - 1; d >= 0; --d) {
    s.p.packed.strides[d] = step * (across ? 2 : 1);
    step *= s.p.shape[d];
  }
  return s;
}

// Pairs of bytes (array, packed) of all elements, by the plan's own definition.
std::vector<std::pair<number, number>> moves_of(const plan::indexed& p) {
  std::vector<std::pair<number, number>> out;
  number n = 1;
  for (const number d : p.shape) n *= d;
  for (number i = 0; i < n; ++i) {
    number rest = i, array = 0, packed = 0;
    std::vector<number> offsets(p.lists.size(), 0);
    for (int d = p.shape.size() - 1; d >= 0; --d) {
      const number x = rest % p.shape[d];
      rest /= p.shape[d];
      array += x * p.array.strides[d];
      packed += x * p.packed.strides[d];
      for (std::size_t l = 0; l < p.lists.size(); ++l) offsets[l] += x * p.lists[l].strides[d];
    }
    for (std::size_t l = 0; l < p.lists.size(); ++l) {
      number x = *reinterpret_cast<const number*>(p.lists[l].data + offsets[l]);
      array += (x < 0 ? x + p.lists[l].extent : x) * p.lists[l].step;
    }
    out.emplace_back(array, packed);
  }
  return out;
}

TEST(indexed_layout, moves_what_the_plan_says) {
  std::mt19937 random(1);
  int wide = 0, takes = 0;
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    const sample s = make(random);
    for (const auto what : {plan::indexed::action::gather, plan::indexed::action::scatter}) {
      plan::indexed p = s.p;
      p.what = what;
      auto want = moves_of(p);
      plan::collapse(p);
      const indexed_launch l = lay_out_indexed(p);
      std::vector<std::pair<number, number>> got;
      const number word = number(1) << l.word;
      for (number w = 0; w < l.rows.rows * l.rows.words; ++w) {
        const place at = find(l.rows, w / l.rows.words);
        const number column = w % l.rows.words * word;
        for (number byte = 0; byte < word; byte += element)
          got.emplace_back(at.array + column + byte, at.packed + column + byte);
      }
      wide += word == 16;
      std::sort(want.begin(), want.end());
      std::sort(got.begin(), got.end());
      ASSERT_EQ(got, want);
      if (const auto t = lay_out_take(p, l)) {
        ++takes;
        EXPECT_EQ(t->parameters.n, l.rows.rows);
        EXPECT_EQ(t->parameters.step, l.rows.list[0].step);
      }
    }
  }
  EXPECT_GT(wide, 500);
  EXPECT_GT(takes, 100);
}

// Rows of equal places have equal slots, others have others; numbers grow in C order; the choices
// have the slots and numbers of their rows.
TEST(indexed_layout, slots_are_places) {
  std::mt19937 random(2);
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    const sample s = make(random);
    plan::indexed p = s.p;
    p.what = plan::indexed::action::scatter;
    plan::collapse(p);
    const indexed_launch l = lay_out_indexed(p);
    std::map<number, number> slot_of;  // by number of the choice
    for (number row = 0; row < l.choices.rows; ++row) {
      const place at = find(l.choices, row);
      ASSERT_EQ(at.number_of, row);
      ASSERT_GE(at.slot, 0);
      ASSERT_LT(at.slot, l.slots);
      slot_of[row] = at.slot;
    }
    std::map<number, std::pair<number, number>> last;  // by place: the last row's number and slot
    for (number row = 0; row < l.rows.rows; ++row) {
      const place at = find(l.rows, row);
      ASSERT_EQ(slot_of.at(at.number_of), at.slot);
      if (const auto found = last.find(at.array); found != last.end()) {
        ASSERT_EQ(found->second.second, at.slot);
        ASSERT_LT(found->second.first, at.number_of);
      }
      last[at.array] = {at.number_of, at.slot};
    }
    // Of the choices of a slot the largest number is that of the last row of each of its places.
    std::map<number, number> owner;
    for (const auto& [n, slot] : slot_of) owner[slot] = std::max(owner[slot], n);
    for (const auto& [place, found] : last) ASSERT_EQ(owner.at(found.second), found.first);
  }
}

TEST(indexed_layout, updates_meet_every_element) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(round);
    const sample s = make(random);
    plan::indexed_update p;
    static_cast<plan::indexed&>(p) = s.p;
    p.what = plan::indexed::action::scatter;
    auto want = moves_of(p);
    plan::collapse(p);
    const auto k = lay_out_update(p).parameters;
    std::vector<std::pair<number, number>> got;
    for (number t = 0; t < k.sorted.n * k.each; ++t) {
      place at = find(k.choices, t / k.each);
      number e = t % k.each;
      for (int d = k.rank - 1; d >= 0; --d) {
        at.array += e % k.shape[d] * k.array_strides[d];
        at.packed += e % k.shape[d] * k.packed_strides[d];
        e /= k.shape[d];
      }
      got.emplace_back(at.array, at.packed);
    }
    std::sort(want.begin(), want.end());
    std::sort(got.begin(), got.end());
    ASSERT_EQ(got, want);
  }
}

TEST(indexed_layout, refuses_more_than_a_kernel_takes) {
  plan::indexed p;
  p.name = "subscript";
  number zero = 0;
  for (int k = 0; k < 17; ++k) {
    plan::index_list l;
    l.data = reinterpret_cast<char*>(&zero);
    l.type = nw::dtype::int64;
    l.extent = 1;
    p.lists.push_back(l);
  }
  EXPECT_THROW(lay_out_indexed(p), nw::value_error);
}

// Regions cover the array, and only large arrays have them.
TEST(indexed_layout, regions_of_a_take) {
  take_launch t;
  t.wide = true;
  t.parameters.step = 4;
  for (const number extent : {number(1) << 24, (number(1) << 24) + 1, (number(1) << 30) - 1}) {
    t.parameters.extent = extent;
    t.parameters.n = extent / 8 + 5;
    const auto r = lay_out_regions(t, 2);
    ASSERT_TRUE(r);
    EXPECT_LT((extent - 1) >> r->shift, nw::core::take_regions);
    EXPECT_GE((extent - 1) >> r->shift, nw::core::take_regions / 2);
    EXPECT_GE(r->tiles * r->tile, t.parameters.n);
    EXPECT_LT((r->tiles - 1) * r->tile, t.parameters.n);
    EXPECT_TRUE(r->wide);
    t.parameters.n = extent / 16;
    EXPECT_FALSE(lay_out_regions(t, 2)) << "too few indices";
  }
  t.parameters.extent = t.parameters.n = (number(1) << 24) - 1;
  EXPECT_FALSE(lay_out_regions(t, 2)) << "fits a cache";
  t.parameters.step = 8;
  EXPECT_TRUE(lay_out_regions(t, 2));
  t.parameters.extent = t.parameters.n = number(1) << 32;
  EXPECT_FALSE(lay_out_regions(t, 2)) << "indices beyond 32 bits";
  EXPECT_TRUE(lay_out_regions(t, 3));
  EXPECT_FALSE(lay_out_regions(t, 4)) << "words of 16 bytes";
}

}  // namespace
