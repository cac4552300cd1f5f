// Strides, contiguity, reshaping, broadcasting and overlap against enumeration.
#include "plan/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "brute.hpp"

namespace plan = numwarp::plan;
using brute::list;
using numwarp::dims;

namespace {

TEST(layout, strides_of_new_arrays) {
  EXPECT_EQ(plan::c_strides(list({2, 3, 4}), 8), list({96, 32, 8}));
  EXPECT_EQ(plan::f_strides(list({2, 3, 4}), 8), list({8, 16, 48}));
  EXPECT_EQ(plan::c_strides(list({2, 0, 4}), 8), list({32, 32, 8}));
  EXPECT_EQ(plan::c_strides(dims(), 8), dims());
  // Of a shape that is refused afterwards; the sanitizer looks at this one.
  const std::int64_t big = std::int64_t(1) << 42;
  EXPECT_EQ(plan::c_strides(list({big, big, big}), 8).back(), 8);
  EXPECT_EQ(plan::f_strides(list({big, big, big}), 8)[0], 8);
}

TEST(layout, sizes_are_checked) {
  const std::int64_t big = std::int64_t(1) << 32;
  EXPECT_THROW(plan::checked_size(list({big, big}), "f"), numwarp::value_error);
  EXPECT_THROW(plan::checked_size(list({2, -1}), "f"), numwarp::value_error);
  EXPECT_THROW(plan::checked_bytes(list({big, big / 4}), 16, "f"), numwarp::value_error);
  EXPECT_THROW(plan::checked_size(list({big, big, 0}), "f"), numwarp::value_error);
  EXPECT_EQ(plan::checked_size(list({big, 0}), "f"), 0);
  // Strides that do not fit, of an array without elements: NumPy refuses them, too.
  EXPECT_THROW(plan::checked_bytes(list({0, big, big / 4}), 16, "f"), numwarp::value_error);
  EXPECT_EQ(plan::checked_bytes(list({3, 5}), 4, "f"), 60);
}

TEST(layout, contiguity_is_what_the_offsets_say) {
  brute::dice roll;
  int contiguous = 0;
  for (int k = 0; k < 4000; ++k) {
    const dims shape = roll.shape(int(roll(0, 3)), 0, 3);
    dims strides = roll(0, 1) ? plan::c_strides(shape, 4) : plan::f_strides(shape, 4);
    if (shape.size() > 0 && roll(0, 1)) strides[int(roll(0, shape.size() - 1))] = 4 * roll(-4, 8);
    auto at = brute::offsets(shape, strides);
    bool in_order = true, dense = true;
    for (std::size_t i = 0; i < at.size(); ++i) in_order &= at[i] == 4 * std::int64_t(i);
    std::sort(at.begin(), at.end());
    for (std::size_t i = 0; i < at.size(); ++i) dense &= at[i] == 4 * std::int64_t(i);
    EXPECT_EQ(plan::is_c_contiguous(shape, strides, 4), in_order)
        << to_string(shape) << to_string(strides);
    EXPECT_EQ(plan::is_dense(shape, strides, 4), dense) << to_string(shape) << to_string(strides);
    const auto range = plan::extent(shape, strides, 4);
    if (!at.empty()) {
      EXPECT_EQ(range.low, at.front());
      EXPECT_EQ(range.high, at.back() + 4);
    } else {
      EXPECT_EQ(range.low, range.high);
    }
    contiguous += in_order;
  }
  EXPECT_GT(contiguous, 500);
}

TEST(layout, new_arrays_lie_as_their_operands) {
  const dims shape = list({2, 3, 4});
  const auto order = [&](std::initializer_list<dims> operands) {
    std::vector<const dims*> pointers;
    for (const dims& d : operands) pointers.push_back(&d);
    return plan::k_order_strides(shape, pointers, 8);
  };
  const dims c = plan::c_strides(shape, 8), f = plan::f_strides(shape, 8);
  EXPECT_EQ(order({c}), c);
  EXPECT_EQ(order({f}), f);
  EXPECT_EQ(order({f, f}), f);
  EXPECT_EQ(order({list({0, 0, 0}), f}), f);  // a broadcast operand has no opinion
  EXPECT_EQ(order({list({0, 0, 8}), f}), list({8, 16, 48}));
  EXPECT_EQ(order({list({-96, 32, -8})}), c);  // signs do not count
  EXPECT_EQ(order({list({8, 64, 16})}), list({8, 64, 16}));
  EXPECT_EQ(order({list({1000, 10, 100})}), list({96, 8, 24}));
  EXPECT_EQ(order({}), c);
}

TEST(layout, reshape_is_a_view_exactly_where_one_exists) {
  brute::dice roll;
  const std::vector<dims> shapes = {list({24}),      list({4, 6}), list({2, 3, 4}),
                                    list({6, 4}),    list({3, 8}), list({1, 24, 1}),
                                    list({2, 2, 6}), list({8, 3}), list({2, 1, 12})};
  int views = 0, copies = 0;
  for (int k = 0; k < 5000; ++k) {
    const dims& from = shapes[std::size_t(roll(0, std::int64_t(shapes.size()) - 1))];
    const dims& to = shapes[std::size_t(roll(0, std::int64_t(shapes.size()) - 1))];
    dims strides = roll(0, 1) ? plan::c_strides(from, 8) : plan::f_strides(from, 8);
    for (std::int64_t& s : strides) s *= roll(0, 3) == 0 ? roll(-2, 2) : 1;
    const auto want = brute::offsets(from, strides);
    const auto got = plan::reshape_strides(from, strides, to, 8);
    // The only candidate: each stride is the way to the next element along its axis.
    dims candidate(to.size(), 0);
    const dims places = plan::c_strides(to, 1);
    for (int i = 0; i < to.size(); ++i) {
      if (to[i] > 1) candidate[i] = want[std::size_t(places[i])] - want[0];
    }
    const bool exists = brute::offsets(to, candidate) == want;
    EXPECT_EQ(got.has_value(), exists)
        << to_string(from) << to_string(strides) << " to " << to_string(to);
    if (got) {
      EXPECT_EQ(brute::offsets(to, *got), want);
    }
    ++(exists ? views : copies);
  }
  EXPECT_GT(views, 500);
  EXPECT_GT(copies, 500);
}

TEST(layout, overlap_is_never_missed) {
  brute::dice roll;
  int shared = 0, apart = 0, doubtful = 0;
  for (int k = 0; k < 60000; ++k) {
    const int size_a = 1 << roll(0, 2), size_b = 1 << roll(0, 2);
    const dims sa = roll.shape(int(roll(0, 3)), 0, 4), sb = roll.shape(int(roll(0, 3)), 0, 4);
    dims ta, tb;
    const std::int64_t unit = roll(0, 1) ? 4 : 1;
    for (int i = 0; i < sa.size(); ++i) ta.push_back(unit * roll(-6, 6));
    for (int i = 0; i < sb.size(); ++i) tb.push_back(unit * roll(-6, 6));
    const std::int64_t oa = roll(0, 20), ob = roll(0, 20);
    const auto ba = brute::bytes(sa, ta, oa, size_a), bb = brute::bytes(sb, tb, ob, size_b);
    const bool meet = std::any_of(ba.begin(), ba.end(), [&](auto b) { return bb.count(b) > 0; });
    const bool told = plan::may_overlap({&sa, &ta, oa, size_a}, {&sb, &tb, ob, size_b});
    EXPECT_TRUE(told || !meet) << to_string(sa) << to_string(ta) << oa << " and " << to_string(sb)
                               << to_string(tb) << ob;
    shared += meet;
    apart += !told;
    doubtful += told && !meet;
  }
  EXPECT_GT(shared, 10000);
  EXPECT_GT(apart, 10000);
  EXPECT_EQ(doubtful, 0);
}

TEST(layout, overlap_is_exact_on_a_common_grid) {
  const auto overlap = [](std::int64_t n, std::int64_t stride, std::int64_t a, std::int64_t b) {
    const dims s = list({n}), t = list({stride});
    return plan::may_overlap({&s, &t, a, 4}, {&s, &t, b, 4});
  };
  EXPECT_FALSE(overlap(10, 8, 0, 4));  // even and odd elements
  EXPECT_TRUE(overlap(10, 8, 0, 8));
  EXPECT_TRUE(overlap(10, 8, 0, 2));               // half an element
  EXPECT_FALSE(overlap(10, 8, 0, 80));             // behind
  const dims s = list({3, 2}), t = list({16, 4});  // the left and the right half of a 3 x 4 matrix
  EXPECT_FALSE(plan::may_overlap({&s, &t, 0, 4}, {&s, &t, 8, 4}));
  EXPECT_TRUE(plan::may_overlap({&s, &t, 0, 4}, {&s, &t, 4, 4}));
}

TEST(layout, same_elements_and_overlap_with_itself) {
  brute::dice roll;
  int twice = 0;
  for (int k = 0; k < 20000; ++k) {
    const dims shape = roll.shape(int(roll(0, 3)), 0, 4);
    dims strides;
    for (int i = 0; i < shape.size(); ++i) strides.push_back(2 * roll(-8, 8));
    const auto at = brute::offsets(shape, strides);
    const bool repeats = std::set<std::int64_t>(at.begin(), at.end()).size() < at.size();
    EXPECT_TRUE(plan::overlaps_itself(shape, strides, 2) || !repeats)
        << to_string(shape) << to_string(strides);
    twice += repeats;
    dims other = strides;
    for (int i = 0; i < shape.size(); ++i) other[i] += shape[i] == 1 ? 6 : 2 * roll(0, 1);
    EXPECT_EQ(plan::same_elements({&shape, &strides, 4, 2}, {&shape, &other, 4, 2}),
              at.empty() ? plan::same_elements({&shape, &strides, 4, 2}, {&shape, &other, 4, 2})
                         : at == brute::offsets(shape, other));
  }
  EXPECT_GT(twice, 1500);
  EXPECT_FALSE(plan::overlaps_itself(list({3, 4}), list({32, 8}), 8));
  EXPECT_TRUE(plan::overlaps_itself(list({3, 4}), list({0, 8}), 8));
}

TEST(layout, broadcast_strides_repeat_elements) {
  EXPECT_EQ(plan::broadcast_strides(list({3, 1}), list({8, 8}), list({2, 3, 4})), list({0, 8, 0}));
  EXPECT_EQ(plan::broadcast_strides(dims(), dims(), list({2})), list({0}));
  const dims a = list({3, 1}), b = list({1, 4}), c = list({2, 1, 1}), d = list({5});
  const dims* good[] = {&a, &b, &c};
  EXPECT_EQ(plan::broadcast_shapes(good, "f"), list({2, 3, 4}));
  const dims* bad[] = {&a, &b, &d};
  EXPECT_THROW(plan::broadcast_shapes(bad, "f"), numwarp::value_error);
}

}  // namespace
