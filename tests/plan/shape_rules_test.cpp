// Shapes that are worked out from others: reshape's unknown extent, broadcasting, axes; and
// overlaps that are told from the pattern alone.
#include <gtest/gtest.h>

#include <numwarp/error.hpp>

#include "plan/layout.hpp"

namespace plan = numwarp::plan;
using numwarp::axis_error;
using numwarp::dims;
using numwarp::value_error;

namespace {

dims list(std::initializer_list<std::int64_t> values) {
  return dims(std::span(values.begin(), values.size()));
}

TEST(shape_rules, reshape_fills_in_one_extent) {
  EXPECT_EQ(list({2, 6}), plan::resolve_reshape(list({3, 4}), list({2, -1})));
  EXPECT_EQ(list({12}), plan::resolve_reshape(list({3, 4}), list({-1})));
  EXPECT_EQ(list({1}), plan::resolve_reshape(dims(), list({-1})));
  EXPECT_EQ(dims(), plan::resolve_reshape(list({1, 1}), dims()));
  EXPECT_EQ(list({0, 5}), plan::resolve_reshape(list({0}), list({-1, 5})));
  EXPECT_EQ(list({7, 0}), plan::resolve_reshape(list({0, 3}), list({7, 0})));
}

TEST(shape_rules, reshape_refuses_what_does_not_fit) {
  EXPECT_THROW(plan::resolve_reshape(list({3, 4}), list({5, -1})), value_error);
  EXPECT_THROW(plan::resolve_reshape(list({3, 4}), list({11})), value_error);
  EXPECT_THROW(plan::resolve_reshape(list({3, 4}), list({-1, -1})), value_error);
  EXPECT_THROW(plan::resolve_reshape(list({4}), list({-2, -2})), value_error);
  EXPECT_THROW(plan::resolve_reshape(list({0}), list({0, -1})), value_error) << "any would do";
  EXPECT_THROW(plan::resolve_reshape(list({3}), dims()), value_error);
  const std::int64_t half = std::int64_t(1) << 32;  // the product wraps to zero
  EXPECT_THROW(plan::resolve_reshape(list({0}), list({half, half})), value_error);
  EXPECT_THROW(plan::resolve_reshape(list({0}), list({half, half, -1})), value_error);
}

// f(shape) for all shapes of up to `ndim` axes of 0 to 3 elements.
template <class F> void for_each_shape(int ndim, const F& f, const dims& so_far = {}) {
  f(so_far);
  if (ndim == 0) return;
  for (std::int64_t n = 0; n <= 3; ++n) {
    dims next = so_far;
    next.push_back(n);
    for_each_shape(ndim - 1, f, next);
  }
}

TEST(shape_rules, broadcasting_of_all_small_pairs) {
  for_each_shape(3, [](const dims& a) {
    for_each_shape(3, [&](const dims& b) {
      dims want(std::max(a.size(), b.size()), 1);
      bool fits = true;
      for (int i = 1; i <= want.size(); ++i) {  // from the last axis
        const std::int64_t m = i <= a.size() ? a[a.size() - i] : 1;
        const std::int64_t n = i <= b.size() ? b[b.size() - i] : 1;
        fits = fits && (m == n || m == 1 || n == 1);
        want[want.size() - i] = m == 1 ? n : m;
      }
      const dims* both[] = {&a, &b};
      if (fits) {
        ASSERT_EQ(want, plan::broadcast_shapes(both, "f")) << to_string(a) << to_string(b);
      } else {
        ASSERT_THROW(plan::broadcast_shapes(both, "f"), value_error)
            << to_string(a) << to_string(b);
      }
    });
  });
}

TEST(shape_rules, axes_count_from_both_ends) {
  for (int ndim = 0; ndim <= 4; ++ndim) {
    for (int axis = -6; axis <= 6; ++axis) {
      if (axis >= -ndim && axis < ndim) {
        EXPECT_EQ((axis + ndim) % ndim, plan::normalize_axis(axis, ndim, "f"));
      } else {
        EXPECT_THROW(plan::normalize_axis(axis, ndim, "f"), axis_error);
      }
    }
  }
  EXPECT_EQ(list({2, 0}), plan::normalize_axes({-1, 0}, 3, "f"));
  EXPECT_THROW(plan::normalize_axes({0, -3}, 3, "f"), value_error) << "named twice";
  EXPECT_THROW(plan::normalize_axes({0, 3}, 3, "f"), axis_error);
}

}  // namespace
