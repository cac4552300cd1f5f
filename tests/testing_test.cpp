// assert_allclose and assert_array_equal: what passes, and NumPy's words for what does not.
#include <gtest/gtest.h>

#include <limits>
#include <numwarp/numwarp.hpp>
#include <numwarp/testing.hpp>
#include <support/errors.hpp>

namespace nw = numwarp;
using nw::testing::assert_allclose;
using nw::testing::assert_array_equal;
using nw::testing::text_of;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();

TEST(testing, equal_arrays_pass) {
  assert_array_equal(nw::array({1, 2, 3}), nw::array({1.0, 2.0, 3.0}));
  assert_array_equal(nw::array({1.0, nan, inf}), nw::array({1.0, nan, inf}));
  assert_array_equal(nw::zeros<float>({2, 3}), 0);
  assert_array_equal(nw::zeros<float>(0), nw::zeros<float>(0));
  assert_array_equal(nw::array({true, false}), nw::array({true, false}));
  assert_allclose(nw::array({1.0, 2.0}), nw::array({1.0 + 1e-9, 2.0}));
  assert_allclose(nw::array({1.0, inf, nan}), nw::array({1.1, inf, nan}), {.rtol = 0.2});
  assert_allclose(nw::array({0.5}), 0.4, {.atol = 0.2});
}

TEST(testing, messages_are_numpys) {
  EXPECT_EQ(
      "\nArrays are not equal\n\nMismatched elements: 1 / 3 (33.3%)\nMismatch at index:\n"
      " [2]: 3 (ACTUAL), 4 (DESIRED)\nMax absolute difference among violations: 1\n"
      "Max relative difference among violations: 0.25\n ACTUAL: array([1, 2, 3])\n"
      " DESIRED: array([1, 2, 4])",
      text_of<nw::error>([] {
        assert_array_equal(nw::array({1, 2, 3}), nw::array({1, 2, 4}));
      }));
  EXPECT_EQ(
      "\nNot equal to tolerance rtol=0.001, atol=0\n\nMismatched elements: 1 / 3 (33.3%)\n"
      "Mismatch at index:\n [2]: 3.0 (ACTUAL), 4.0 (DESIRED)\n"
      "Max absolute difference among violations: 1.\n"
      "Max relative difference among violations: 0.25\n ACTUAL: array([1., 2., 3.])\n"
      " DESIRED: array([1., 2., 4.])",
      text_of<nw::error>([] {
        assert_allclose(nw::array({1.0, 2.0, 3.0}), nw::array({1.0, 2.0, 4.0}), {.rtol = 1e-3});
      }));
  EXPECT_EQ(
      "\nNot equal to tolerance rtol=1e-07, atol=0\n\nnan location mismatch:\n"
      " ACTUAL: array([1., 2.])\n DESIRED: array([ 1., nan])",
      text_of<nw::error>([] {
        assert_allclose(nw::array({1.0, 2.0}), nw::array({1.0, nan}));
      }));
  EXPECT_EQ(
      "\nArrays are not equal\nwhy\n(shapes (3,), (2,) mismatch)\n ACTUAL: array([1, 2, 3])\n"
      " DESIRED: array([1, 2])",
      text_of<nw::error>([] {
        assert_array_equal(nw::array({1, 2, 3}), nw::array({1, 2}), "why");
      }));
  EXPECT_NE("no error",
            text_of<nw::error>([] { assert_allclose(nw::array({inf}), nw::array({-inf})); }));
  EXPECT_NE("no error", text_of<nw::error>([] {
              assert_allclose(nw::array({nan}), nw::array({nan}), {.equal_nan = false});
            }));
}

}  // namespace
