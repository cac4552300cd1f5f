// a(mask): reading it copies, assigning to it writes through. Truth is NumPy's a[mask].
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <support/counting.hpp>
#include <support/errors.hpp>

namespace nw = numwarp;
using nw::testing::text_of;

namespace {

using array = nw::ndarray<float>;
using values = std::vector<float>;
using mask_array = nw::ndarray<bool>;

class selection : public ::testing::Test {
 protected:
  array a = nw::arange<float>(6);
  array m = nw::arange<float>(12).reshape({3, 4}).copy();
  mask_array rows = nw::array({true, false, true});
};

TEST_F(selection, reads_copy) {
  auto s = a(a > 2);
  EXPECT_EQ(nw::shape(3), s.shape());
  EXPECT_EQ((values{3, 4, 5}), s.to_vector());
  s += 10;
  EXPECT_EQ((values{13, 14, 15}), s.to_vector());
  EXPECT_EQ(3, a.item(3));
  EXPECT_EQ((values{5, 6, 7, 8, 9, 10, 11}), m(m > 4).to_vector());
  EXPECT_EQ((values{0, 1, 2, 3, 8, 9, 10, 11}), m(rows).to_vector());
  EXPECT_EQ(nw::shape(2, 4), m(rows).shape());
}

TEST_F(selection, of_nothing_and_of_everything) {
  EXPECT_EQ(nw::shape(0), a(a > 99).shape());
  EXPECT_EQ(nw::shape(0, 4), m(nw::zeros<bool>(3)).shape());
  EXPECT_EQ(a.to_vector(), a(a >= 0).to_vector());
  array none = nw::zeros<float>(0);
  EXPECT_EQ(0, none(none > 0).size());
  none(none > 0) = 1;
  EXPECT_EQ(0, m(nw::zeros<bool>(3)).sum().item());
}

TEST_F(selection, zero_dimensional_masks_add_an_axis) {
  EXPECT_EQ(nw::shape(1, 6), a(nw::array(true)).shape());
  EXPECT_EQ(nw::shape(0, 6), a(nw::array(false)).shape());
  a(nw::array(false)) = 9;
  EXPECT_EQ(1, a.item(1));
  a(nw::array(true)) = 9;
  EXPECT_EQ(9, a.item(1));
  auto scalar = nw::array<float>(5);
  EXPECT_EQ((values{5}), scalar(scalar > 1).to_vector());
  scalar(scalar > 1) = 7;
  EXPECT_EQ(7, scalar.item());
}

TEST_F(selection, assigns_scalars_arrays_and_other_types) {
  a(a > 2) = 0;
  EXPECT_EQ((values{0, 1, 2, 0, 0, 0}), a.to_vector());
  a(a == 0) = nw::array({7, 8, 9, 10});  // int64
  EXPECT_EQ((values{7, 1, 2, 8, 9, 10}), a.to_vector());
  a(a > 8) = nw::array({2.5});
  EXPECT_EQ((values{7, 1, 2, 8, 2.5, 2.5}), a.to_vector());
  a(a > 5) = nw::array(4);  // 0-d
  EXPECT_EQ((values{4, 1, 2, 4, 2.5, 2.5}), a.to_vector());
  auto i = nw::arange(5);
  i(i > 2) = 9.9;
  EXPECT_EQ((std::vector<nw::int64>{0, 1, 2, 9, 9}), i.to_vector());
}

TEST_F(selection, updates_in_place) {
  a(a > 2) += 10;
  EXPECT_EQ((values{0, 1, 2, 13, 14, 15}), a.to_vector());
  a(a > 2) -= nw::array<float>({3, 4, 5});
  EXPECT_EQ((values{0, 1, 2, 10, 10, 10}), a.to_vector());
  a(a > 2) *= nw::array<float>({2});
  EXPECT_EQ((values{0, 1, 2, 20, 20, 20}), a.to_vector());
  a(a > 2) /= nw::array<float>(4);
  EXPECT_EQ((values{0, 1, 2, 5, 5, 5}), a.to_vector());
  m(rows) *= -1;
  EXPECT_EQ(-11, m.item(2, 3));
  EXPECT_EQ(7, m.item(1, 3));
  m(rows) += nw::arange<float>(4);
  EXPECT_EQ(-8, m.item(2, 3));
  EXPECT_EQ(0, m.item(0, 3));
}

TEST_F(selection, masks_of_lower_rank) {
  m(rows) = 0;
  EXPECT_EQ((values{0, 0, 0, 0, 4, 5, 6, 7, 0, 0, 0, 0}), m.to_vector());
  m(rows) = nw::array<float>({1, 2, 3, 4});
  EXPECT_EQ((values{1, 2, 3, 4, 4, 5, 6, 7, 1, 2, 3, 4}), m.to_vector());
  m(rows) = nw::array<float>({{{1, 1, 1, 1}, {2, 2, 2, 2}}});
  EXPECT_EQ((values{1, 1, 1, 1, 4, 5, 6, 7, 2, 2, 2, 2}), m.to_vector());
}

TEST_F(selection, targets_that_are_not_contiguous) {
  auto t = m.T();
  t(t > 5) = -1;
  EXPECT_EQ((values{0, 1, 2, 3, 4, 5, -1, -1, -1, -1, -1, -1}), m.to_vector());
  auto odd = m(nw::ellipsis, nw::slice(1, nw::none, 2));
  odd(odd < 0) = nw::array<float>({10, 20, 30});
  EXPECT_EQ((values{0, 1, 2, 3, 4, 5, -1, 10, -1, 20, -1, 30}), m.to_vector());
  auto back = a(nw::slice(nw::none, nw::none, -1));
  back(back > 3) = nw::array<float>({50, 40});
  EXPECT_EQ((values{0, 1, 2, 3, 40, 50}), a.to_vector());
  back(nw::slice(0, 2))(nw::array({true, false})) += 1;
  EXPECT_EQ(51, a.item(5));
}

TEST_F(selection, of_the_array_itself) {
  a(a > 2) = a(a < 3);
  EXPECT_EQ((values{0, 1, 2, 0, 1, 2}), a.to_vector());
  a(a > 0) = a(a > 0) * 2 + 1;
  EXPECT_EQ((values{0, 3, 5, 0, 3, 5}), a.to_vector());
  a(a > 0) = a(1);
  EXPECT_EQ((values{0, 3, 3, 0, 3, 3}), a.to_vector());
  auto flags = nw::array({true, false, true});
  flags(flags) = false;
  EXPECT_FALSE(nw::any(flags).item());
}

TEST_F(selection, a_name_is_made_before_it_is_used) {
  auto s = a(a > 2);
  auto t = s;  // two owners: assigning to either rebinds
  a(a > 2) = 0;
  EXPECT_EQ((values{3, 4, 5}), s.to_vector());
  EXPECT_EQ((values{6, 8, 10}), (s + t).to_vector());
  s(nw::slice(0, 1)) = 9;
  EXPECT_EQ((values{9, 4, 5}), s.to_vector());
  EXPECT_EQ(0, a.item(3));
  s = s * 2;
  EXPECT_EQ(18, s.item(0));
}

TEST_F(selection, masked_scalar_assignment_is_one_launch) {
  EXPECT_EQ(1, nw::testing::launches([&] { a(a > 2) = 0; }));
  EXPECT_EQ(1, nw::testing::launches([&] { a(a > 1) += 1; }));
  EXPECT_EQ(0, nw::testing::allocations([&] { a(a > 1) *= 2; }));
  EXPECT_EQ((values{0, 1, 6, 0, 0, 0}), a.to_vector());
}

TEST_F(selection, errors) {
  using namespace nw;
  const auto before = a.to_vector();
  EXPECT_EQ("subscript: too many indices for array: array is 1-dimensional, but 2 were indexed",
            text_of<index_error>([&] {
              a(zeros<bool>({6, 2}));
            }));
  EXPECT_EQ(
      "subscript: boolean index did not match indexed array along axis 0; size of axis is 6 but "
      "size "
      "of corresponding boolean axis is 5",
      text_of<index_error>([&] { a(zeros<bool>(5)); }));
  EXPECT_EQ(
      "operator=: NumPy boolean array indexing assignment cannot assign 2 input values to the 3 "
      "output values where the mask is true",
      text_of<value_error>([&] { a(a > 2) = ones<float>(2); }));
  EXPECT_EQ(
      "operator=: NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
      "input "
      "has 2 dimensions",
      text_of<type_error>([&] {
        a(a > 2) = ones<float>({1, 3});
      }));
  EXPECT_EQ(
      "operator=: shape mismatch: value array of shape (5,) could not be broadcast to indexing "
      "result "
      "of shape (2,4)",
      text_of<value_error>([&] { m(rows) = ones<float>(5); }));
  EXPECT_EQ("add: operands could not be broadcast together with shapes (3,) (2,) (3,)",
            text_of<value_error>([&] { a(a > 2) += ones<float>(2); }));
  EXPECT_EQ("operator=: integer 300 out of bounds for int8", text_of<overflow_error>([&] {
              nw::zeros<int8>(2)(nw::array({true, false})) = 300;
            }));
  EXPECT_EQ("operator=: assignment destination is read-only",
            text_of<value_error>([&] { readonly(a)(a > 2) = 1; }));
  EXPECT_EQ("add: assignment destination is read-only",
            text_of<value_error>([&] { readonly(a)(a > 2) += 1; }));
  EXPECT_EQ("operator=: the array is null (default-constructed or moved from)",
            text_of<value_error>([&] { a(a > 2) = nw::ndarray<float>(); }));
  EXPECT_EQ(before, a.to_vector());
}

}  // namespace
