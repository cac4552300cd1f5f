// Slices against Python's rules, and subscript tuples against enumeration.
#include "plan/subscript.hpp"

#include <gtest/gtest.h>

#include "brute.hpp"
#include "plan/layout.hpp"

namespace nw = numwarp;
namespace plan = numwarp::plan;
using brute::list;

namespace {

using bound = std::optional<std::int64_t>;

// The language reference: i runs from start by step while it is before stop; open ends are the ends
// of the list, negative bounds count from its end, and bounds beyond the list are moved to it.
std::vector<std::int64_t> python_slice(bound start, bound stop, std::int64_t step, std::int64_t n) {
  const auto place = [&](bound b, std::int64_t open) {
    if (!b) return open;
    const std::int64_t low = step > 0 ? 0 : -1, high = step > 0 ? n : n - 1;
    return std::min(std::max(*b < 0 ? *b + n : *b, low), high);
  };
  std::vector<std::int64_t> out;
  const std::int64_t from = place(start, step > 0 ? 0 : n - 1), to = place(stop, step > 0 ? n : -1);
  for (std::int64_t i = from; step > 0 ? i < to : i > to; i += step) out.push_back(i);
  return out;
}

nw::slice_bound as_bound(bound b) { return b ? nw::slice_bound(*b) : nw::slice_bound(nw::none); }

TEST(subscript, slices_are_those_of_python) {
  std::vector<bound> bounds{std::nullopt};
  for (std::int64_t b = -7; b <= 7; ++b) bounds.emplace_back(b);
  for (std::int64_t n = 0; n <= 5; ++n) {
    for (const bound start : bounds) {
      for (const bound stop : bounds) {
        for (const std::int64_t step : {1, 2, 3, 7, -1, -2, -3, -7}) {
          const auto want = python_slice(start, stop, step, n);
          const auto r = plan::resolve(nw::slice(as_bound(start), as_bound(stop), step), n);
          ASSERT_EQ(r.count, std::int64_t(want.size()));
          for (std::size_t i = 0; i < want.size(); ++i) {
            ASSERT_EQ(r.start + std::int64_t(i) * r.step, want[i]);
          }
        }
      }
    }
  }
}

TEST(subscript, extreme_bounds_do_not_overflow) {
  const auto r = plan::resolve(nw::slice(INT64_MIN, INT64_MAX, INT64_MAX), 10);
  EXPECT_EQ(r.count, 1);
  EXPECT_EQ(plan::resolve(nw::slice(INT64_MAX, INT64_MIN, INT64_MIN), 10).count, 1);
  EXPECT_EQ(plan::resolve(nw::slice(nw::none, nw::none, INT64_MIN), 10).start, 9);
  EXPECT_EQ(plan::resolve(nw::slice(nw::none, nw::none, -1), INT64_MAX).count, INT64_MAX);
  EXPECT_THROW(plan::resolve(nw::slice(0, 1, 0), 3), nw::value_error);
}

nw::detail::layout box(const nw::dims& shape) {
  nw::detail::layout l;
  l.shape = shape;
  l.strides = plan::c_strides(shape, 1);
  l.offset = 100;
  l.writeable = false;
  return l;
}

nw::detail::layout see(const nw::dims& shape, std::vector<nw::detail::subscript> items) {
  return plan::subscript(box(shape), items).view;
}

TEST(subscript, tuples_choose_elements) {
  const auto l =
      see(list({2, 3, 4}), {1, nw::newaxis, nw::ellipsis, nw::slice(nw::none, nw::none, -2)});
  EXPECT_EQ(l.shape, list({1, 3, 2}));
  EXPECT_EQ(l.offset, 100 + 12 + 3);
  EXPECT_EQ(brute::offsets(l.shape, l.strides), (std::vector<std::int64_t>{0, -2, 4, 2, 8, 6}));
  EXPECT_FALSE(l.writeable);
  EXPECT_EQ(see(list({2, 3}), {}).shape, list({2, 3}));
  EXPECT_EQ(see(list({2, 3}), {nw::ellipsis, -1}).offset, 102);
  EXPECT_EQ(see(list({2, 3}), {nw::slice(5, 9)}).shape, list({0, 3}));
  EXPECT_EQ(see(nw::dims(), {nw::newaxis, nw::ellipsis, nw::newaxis}).shape, list({1, 1}));
}

TEST(subscript, errors_name_axis_and_size) {
  const auto text = [](const nw::dims& shape, std::vector<nw::detail::subscript> items) {
    try {
      see(shape, items);
    } catch (const nw::index_error& e) {
      return std::string(e.what());
    }
    return std::string("nothing thrown");
  };
  EXPECT_EQ(text(list({2, 3}), {nw::newaxis, 0, 3}),
            "subscript: index 3 is out of bounds for axis 1 with size 3");
  EXPECT_EQ(text(list({2, 3}), {-3}),
            "subscript: index -3 is out of bounds for axis 0 with size 2");
  EXPECT_EQ(text(list({2}), {0, 0}),
            "subscript: too many indices for array: array is 1-dimensional, but 2 were indexed");
  EXPECT_EQ(text(list({2}), {nw::ellipsis, nw::ellipsis}),
            "subscript: an index can only have a single ellipsis ('...')");
  EXPECT_NE(text(list({2}), std::vector<nw::detail::subscript>(64, nw::newaxis)).find("[0, 64]"),
            std::string::npos);
}

}  // namespace
