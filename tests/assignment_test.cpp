// Writing into arrays through views: a(...) = value, a(...) op= value, fill. Truth is NumPy's
// setitem.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <support/counting.hpp>
#include <support/errors.hpp>

namespace nw = numwarp;
using nw::testing::text_of;

namespace {

using array = nw::ndarray<float>;
using values = std::vector<float>;
using ints = std::vector<nw::int64>;

class assignment : public ::testing::Test {
 protected:
  array a = nw::arange<float>(6);
  array m = nw::arange<float>(12).reshape({3, 4}).copy();
};

TEST_F(assignment, of_scalars) {
  a(nw::slice(1, 3)) = 9;
  a(-1) = 2.5;
  a(0) = true;
  EXPECT_EQ((values{1, 9, 9, 3, 4, 2.5}), a.to_vector());
  m(nw::ellipsis, 1) = -1;
  EXPECT_EQ((values{0, -1, 2, 3, 4, -1, 6, 7, 8, -1, 10, 11}), m.to_vector());
  m(nw::ellipsis) = 0;
  EXPECT_EQ(0, m.sum().item());
  a.fill(3);
  EXPECT_EQ(18, a.sum().item());
  auto none = nw::zeros<float>(0);
  none(nw::ellipsis) = 1;
}

TEST_F(assignment, of_arrays_that_broadcast) {
  m(1) = nw::array<float>({9, 8, 7, 6});
  EXPECT_EQ((values{0, 1, 2, 3, 9, 8, 7, 6, 8, 9, 10, 11}), m.to_vector());
  m(nw::ellipsis) = nw::array<float>({1, 2, 3, 4});
  EXPECT_EQ((values{1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}), m.to_vector());
  m(nw::ellipsis) = nw::array<float>({{1}, {2}, {3}});
  EXPECT_EQ((values{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}), m.to_vector());
  m(nw::ellipsis) = nw::array<float>(5);
  EXPECT_EQ(60, m.sum().item());
  // Extra leading axes of length one.
  a(nw::slice(0, 2)) = nw::array<float>({{{7, 8}}});
  EXPECT_EQ(8, a.item(1));
  a(0) = nw::array<float>({{4}});
  EXPECT_EQ(4, a.item(0));
}

TEST_F(assignment, converts_as_setitem_does) {
  auto i = nw::zeros<nw::int64>(4);
  i(nw::ellipsis) = nw::array({1.9, -1.9, 0.5, 3.0});
  EXPECT_EQ((ints{1, -1, 0, 3}), i.to_vector());
  i(0) = 7.9;
  EXPECT_EQ(7, i.item(0));
  auto h = nw::zeros<nw::float16>(2);
  h(nw::ellipsis) = nw::array({1.0, 1.0 / 3});
  EXPECT_EQ(0.333251953125f, float(h.item(1)));
  auto b = nw::zeros<bool>(2);
  b(nw::ellipsis) = nw::array({0, 5});
  EXPECT_TRUE(b.item(1));
  auto wide = nw::zeros<double>(6);
  wide(nw::ellipsis) = nw::sqrt(a) + 1;
  EXPECT_EQ(double(std::sqrt(5.0f) + 1), wide.item(5));
}

TEST_F(assignment, through_chained_views) {
  m(nw::slice(1, nw::none))(nw::ellipsis, nw::slice(0, 2))(0) = -1;
  EXPECT_EQ((values{0, 1, 2, 3, -1, -1, 6, 7, 8, 9, 10, 11}), m.to_vector());
  m.T()(3) = 0;
  EXPECT_EQ(0, m.item(2, 3));
  m.reshape({-1})(nw::slice(nw::none, nw::none, -1))(0) = 42;
  EXPECT_EQ(42, m.item(2, 3));
  m(nw::newaxis, 0, nw::slice(nw::none, nw::none, 2))(0, 1) = 43;
  EXPECT_EQ(43, m.item(0, 2));
  auto complex = nw::zeros<nw::complex128>(2);
  complex.imag()(1) = 5;
  EXPECT_EQ(5, complex.item(1).imag());
  auto bits = nw::array<float>({1});
  bits.view<nw::int32>()(0) = 0x40000000;
  EXPECT_EQ(2, bits.item());
}

TEST_F(assignment, through_zero_dimensional_views) {
  auto cell = a(2);
  EXPECT_EQ(0, cell.ndim());
  cell(nw::ellipsis) = 50;
  cell += 1;
  EXPECT_EQ(51, a.item(2));
  auto z = nw::array<float>(1);
  z(nw::ellipsis) = a(3);
  EXPECT_EQ(3, z.item());
}

TEST_F(assignment, in_place_operators) {
  a += 1;
  a *= a;
  a -= nw::array<float>(1);
  EXPECT_EQ((values{0, 3, 8, 15, 24, 35}), a.to_vector());
  a(nw::slice(0, 2)) += 10;
  a(nw::slice(nw::none, nw::none, 2)) /= 2;
  EXPECT_EQ((values{5, 13, 4, 15, 12, 35}), a.to_vector());
  m += nw::array<float>({1, 0, 0, 0});
  EXPECT_EQ(9, m.item(2, 0));
  auto alias = m;
  m *= 0;
  EXPECT_EQ(0, alias.sum().item()) << "in place, for all who share it";
  auto i = nw::array({7, -7});
  i %= 4;
  i <<= 1;
  i |= 1;
  EXPECT_EQ((ints{7, 3}), i.to_vector());
  auto b = nw::array({true, false});
  b &= nw::array({true, true});
  b ^= true;
  EXPECT_EQ((std::vector<bool>{false, true}), b.to_vector());
  auto f = nw::ones<nw::float16>(1);
  f += nw::array({0.5});  // float64 to float16 is same_kind
  EXPECT_EQ(1.5f, float(f.item()));
}

TEST_F(assignment, names_rebind) {
  auto alias = a;
  a = a + 1;
  EXPECT_EQ(0, alias.item(0));
  EXPECT_EQ(1, a.item(0));
  auto view = a(nw::slice(0, 2));
  view = view * 10;  // a name, though it was made from a view
  EXPECT_EQ(1, a.item(0));
  EXPECT_EQ(10, view.item(0));
}

TEST_F(assignment, refusals) {
  using namespace nw;
  const auto before = a.to_vector();
  EXPECT_EQ("operator=: could not broadcast input array from shape (3,) into shape (2,)",
            text_of<value_error>([&] { a(slice(1, 3)) = ones<float>(3); }));
  EXPECT_EQ("operator=: could not broadcast input array from shape (2,3,4) into shape (3,4)",
            text_of<value_error>([&] {
              m(ellipsis) = ones<float>({2, 3, 4});
            }));
  EXPECT_EQ(
      "add: non-broadcastable output operand with shape (6,) doesn't match the broadcast shape "
      "(2,6)",
      text_of<value_error>([&] {
        a += ones<float>({2, 6});
      }));
  EXPECT_EQ("operator=: assignment destination is read-only", text_of<value_error>([&] {
              broadcast_to(a, {2, 6})(0) = 1;
            }));
  EXPECT_EQ("add: assignment destination is read-only", text_of<value_error>([&] {
              broadcast_to(a, {2, 6}) += 1;
            }));
  EXPECT_EQ("add: assignment destination is read-only",
            text_of<value_error>([&] { add(a, a, {.out = readonly(a)}); }));
  EXPECT_EQ("operator=: integer -1 out of bounds for uint8",
            text_of<overflow_error>([&] { full<uint8>({2}, 1)(0) = -1; }));
  EXPECT_EQ(before, a.to_vector());
}

TEST_F(assignment, to_a_temporary_that_nobody_can_see) {
  const std::string text =
      "operator=: cannot assign to a temporary array, since nothing else shares its elements; "
      "assign "
      "to a view of a named array";
  EXPECT_EQ(text, text_of<nw::value_error>([&] { a.copy() = 1; }));
  EXPECT_EQ(text, text_of<nw::value_error>([&] { a + 1 = 2; }));
  EXPECT_EQ(text, text_of<nw::value_error>([&] { nw::zeros<float>(3) = a(nw::slice(0, 3)); }));
  EXPECT_NE("no error", text_of<nw::value_error>([&] { a.copy() += 1; }));
  nw::asarray(a) = 1;  // shares a's elements
  EXPECT_EQ(6, a.sum().item());
}

TEST_F(assignment, a_source_that_is_moved_from_the_target) {
  auto b = a;
  a(nw::ellipsis) = std::move(b) * 2;
  EXPECT_EQ(10, a.item(5));
  auto c = a + 1;
  c += std::move(c);
  EXPECT_TRUE(c.valid());
  EXPECT_EQ(22, c.item(5));
}

}  // namespace
