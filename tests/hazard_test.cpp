// Values are those of the moment of the call: whatever is written, dropped or rebound afterwards.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <optional>
#include <support/counting.hpp>

namespace nw = numwarp;
using nw::testing::launches;

namespace {

using array = nw::ndarray<float>;
using values = std::vector<float>;

class hazard : public ::testing::Test {
 protected:
  const nw::device_guard on_cpu{nw::cpu};  // some of the writes go through host pointers
  array a = nw::array<float>({1, 2, 3, 4}), b = nw::array<float>({10, 20, 30, 40});
};

TEST_F(hazard, a_reader_is_launched_before_each_kind_of_write) {
  const auto mask = nw::array({true, false, true, false});
  const auto expect_old = [&](auto write) {
    a(nw::ellipsis) = nw::array<float>({1, 2, 3, 4});
    auto c = a + b;
    auto total = nw::sum(a * 2);
    EXPECT_TRUE(c.is_pending());
    write();
    EXPECT_FALSE(c.is_pending());
    EXPECT_EQ((values{11, 22, 33, 44}), c.to_vector());
    EXPECT_EQ(20, total.item());
  };
  expect_old([&] { a += 1; });
  expect_old([&] { a(nw::slice(1, 2)) = 0; });
  expect_old([&] { a(0) = 7; });
  expect_old([&] { a(nw::ellipsis) = b; });
  expect_old([&] { a(mask) = 5; });
  expect_old([&] { a(mask) = nw::array<float>({5, 6}); });
  expect_old([&] { a(mask) *= 2; });
  expect_old([&] { a.fill(3); });
  expect_old([&] { nw::add(b, b, {.out = a}); });
  expect_old([&] { nw::sum(b, {.axis = {0}, .out = nw::ndarray<float>(a(1))}); });
  expect_old([&] { *a.mutable_data() = 9; });
}

TEST_F(hazard, write_scopes_launch_readers) {
  auto c = a + b;
  {
    auto scope = a.write();
    scope.data()[0] = 100;
  }
  EXPECT_EQ(11, c.item(0));
  auto d = a + b;
  EXPECT_TRUE(d.is_pending()) << "after the scope operations are pending again";
  EXPECT_EQ(110, d.item(0));
}

TEST_F(hazard, readers_through_views_are_readers) {
  auto c = a(nw::slice(0, 2)) + 1;
  auto tail = a(nw::slice(2, nw::none));
  tail += 1;  // other elements of the same buffer: launched to be safe
  EXPECT_EQ((values{2, 3}), c.to_vector());
  auto d = nw::exp(a.reshape({2, 2}).T());
  a(0) = 0;
  EXPECT_FLOAT_EQ(std::exp(1.0f), d.item(0, 0));
}

TEST_F(hazard, several_readers_of_several_buffers) {
  auto c = a + b, d = a - b, e = b * 2;
  EXPECT_EQ(3, launches([&] { a += 1; }));  // c, d and the write
  EXPECT_TRUE(e.is_pending());
  EXPECT_EQ(2, launches([&] { b += 1; }));
  EXPECT_EQ((values{11, 22, 33, 44}), c.to_vector());
  EXPECT_EQ((values{-9, -18, -27, -36}), d.to_vector());
  EXPECT_EQ((values{20, 40, 60, 80}), e.to_vector());
}

TEST_F(hazard, an_absorbed_reader_is_still_one) {
  auto c = a + 1;
  auto d = std::move(c) * 2;
  auto e = b + std::move(d);
  a += 100;
  EXPECT_EQ((values{14, 26, 38, 50}), e.to_vector());
}

TEST_F(hazard, a_dropped_reader_is_none) {
  { auto c = a + b; }
  EXPECT_EQ(1, launches([&] { a += 1; }));
}

TEST_F(hazard, an_update_does_not_wait_for_itself) {
  EXPECT_EQ(1, launches([&] { a += a * 2; }));
  EXPECT_EQ((values{3, 6, 9, 12}), a.to_vector());
  EXPECT_EQ(1, launches([&] { a = a + b; }));
  EXPECT_EQ(1, launches([&] { a += std::move(a); }));
  EXPECT_EQ(26, a.item(0));
  EXPECT_EQ(1, launches([&] { a(nw::ellipsis) = nw::sqrt(a * a); }));
  EXPECT_EQ(26, a.item(0));
}

TEST_F(hazard, rebinding_a_name_keeps_what_others_hold) {
  auto alias = a;
  auto c = a + b;
  a = a * 2;
  EXPECT_EQ((values{1, 2, 3, 4}), alias.to_vector());
  EXPECT_EQ((values{11, 22, 33, 44}), c.to_vector());
  a = array();
  EXPECT_EQ((values{1, 2, 3, 4}), alias.to_vector());
}

TEST_F(hazard, a_pending_array_that_is_written_is_computed_first) {
  auto c = a + b;
  c += 1;
  EXPECT_EQ((values{12, 23, 34, 45}), c.to_vector());
  auto d = a + b;
  d(nw::slice(0, 2)) = 0;
  EXPECT_EQ((values{0, 0, 33, 44}), d.to_vector());
  auto e = a + b;
  auto reader = e * 2;
  e(0) = 0;
  EXPECT_EQ((values{22, 44, 66, 88}), reader.to_vector());
}

TEST_F(hazard, outputs_that_overlap_inputs_in_another_layout) {
  auto x = nw::arange<float>(16).reshape({4, 4}).copy();
  const auto wanted = (x + x.T().copy()).to_vector();
  x += x.T();
  EXPECT_EQ(wanted, x.to_vector());
  auto v = nw::arange<float>(8);
  v(nw::slice(1, nw::none)) = v(nw::slice(nw::none, -1));
  EXPECT_EQ((values{0, 0, 1, 2, 3, 4, 5, 6}), v.to_vector());
  v(nw::slice(nw::none, -1)) = v(nw::slice(1, nw::none)) * 1.0f;
  EXPECT_EQ((values{0, 1, 2, 3, 4, 5, 6, 6}), v.to_vector());
  v += v(nw::slice(nw::none, nw::none, -1));
  EXPECT_EQ((values{6, 7, 7, 7, 7, 7, 7, 6}), v.to_vector());
  auto w = nw::arange<float>(4);
  w += w(3);  // a broadcast element of itself
  EXPECT_EQ((values{3, 4, 5, 6}), w.to_vector());
}

TEST_F(hazard, overlap_is_seen_through_two_wraps_of_one_memory) {
  float memory[] = {0, 1, 2, 3, 4};
  auto all = nw::wrap(memory, {4}), shifted = nw::wrap(memory + 1, {4});
  shifted(nw::ellipsis) = all;
  EXPECT_EQ((values{0, 0, 1, 2, 3}), values(memory, memory + 5));
}

TEST_F(hazard, a_selection_has_the_values_of_its_call) {
  auto s = a(a > 2);
  a += 100;
  EXPECT_EQ((values{3, 4}), s.to_vector());
  auto mask = a > 102;
  auto t = a(mask);
  mask(nw::ellipsis) = false;
  EXPECT_EQ((values{103, 104}), t.to_vector());
  auto twice = a(a > 103) * 2;
  a.fill(0);
  EXPECT_EQ((values{208}), twice.to_vector());
}

}  // namespace
