// str() and repr() of arrays; what the text of elements is, tests/io/printing_test.cpp asks.
#include <gtest/gtest.h>

#include <iomanip>
#include <numwarp/numwarp.hpp>
#include <sstream>

namespace {

namespace nw = numwarp;

template <class A> std::string streamed(const A& a) {
  std::ostringstream out;
  out << a;
  return out.str();
}

TEST(Print, SmallArrays) {
  EXPECT_EQ(streamed(nw::arange(6).reshape({2, 3})), "[[0 1 2]\n [3 4 5]]");
  EXPECT_EQ(streamed(nw::full<double>({}, 0.5)), "0.5");
  EXPECT_EQ(streamed(nw::zeros<float>({0, 3})), "[]");
  EXPECT_EQ(nw::to_string(nw::array({0.5f, -1.f})), "[ 0.5 -1. ]");
  EXPECT_EQ(nw::repr(nw::array({0.5f, -1.f})), "array([ 0.5, -1. ], dtype=float32)");
  EXPECT_EQ(nw::repr(nw::zeros<float>({0, 3})), "array([], shape=(0, 3), dtype=float32)");
}

TEST(Print, PendingArraysViewsSelectionsAndUntyped) {
  const auto a = nw::arange(6).reshape({2, 3});
  EXPECT_EQ(streamed(a + 1), "[[1 2 3]\n [4 5 6]]");
  EXPECT_EQ(streamed(a.T()), "[[0 3]\n [1 4]\n [2 5]]");
  EXPECT_EQ(streamed(a(1, nw::slice(nw::none, nw::none, -2))), "[5 3]");
  EXPECT_EQ(streamed(a(a > 3)), "[4 5]");
  EXPECT_EQ(streamed(a.untyped()), streamed(a));
  EXPECT_EQ(nw::repr(a.untyped()), "array([[0, 1, 2],\n       [3, 4, 5]])");
  EXPECT_EQ(to_string(a), nw::to_string(a));  // found by the argument
}

TEST(Print, SummariesOfEveryLayout) {
  EXPECT_EQ(streamed(nw::arange(2000)), "[   0    1    2 ... 1997 1998 1999]");
  EXPECT_EQ(nw::repr(nw::arange(2000)),
            "array([   0,    1,    2, ..., 1997, 1998, 1999], shape=(2000,))");
  const auto a = nw::arange(1400).reshape({2, 700});
  EXPECT_EQ(streamed(a),
            "[[   0    1    2 ...  697  698  699]\n [ 700  701  702 ... 1397 1398 1399]]");
  EXPECT_EQ(streamed(nw::arange(10000).reshape({100, 100}).T()),
            "[[   0  100  200 ... 9700 9800 9900]\n [   1  101  201 ... 9701 9801 9901]\n"
            " [   2  102  202 ... 9702 9802 9902]\n ...\n [  97  197  297 ... 9797 9897 9997]\n"
            " [  98  198  298 ... 9798 9898 9998]\n [  99  199  299 ... 9799 9899 9999]]");
}

// A broadcast view of 10^15 elements prints at once: only its corners are read.
TEST(Print, ReadsOnlyTheCorners) {
  const auto a = nw::broadcast_to(nw::arange(1), {100000, 100000, 100000});
  const std::string text = streamed(a);
  EXPECT_EQ(text.substr(0, 20), "[[[0 0 0 ... 0 0 0]\n");
  EXPECT_LT(text.size(), 1000u);
}

TEST(Print, UsesTheOptionsInForceAndNotTheStreams) {
  const nw::printoptions before = nw::get_printoptions();
  nw::printoptions options = before;
  options.edgeitems = 1;
  options.threshold = 3;
  options.precision = 2;
  nw::set_printoptions(options);
  std::ostringstream out;
  out << std::setw(40) << std::hex << nw::linspace(0, 1, 4) << ' ' << nw::arange(3);
  nw::set_printoptions(before);
  EXPECT_EQ(out.str(), "[0. ... 1.] [0 1 2]");
}

TEST(Print, NullArraysThrow) {
  std::ostringstream out;
  EXPECT_THROW(out << nw::ndarray<float>(), nw::value_error);
  EXPECT_THROW(nw::to_string(nw::any_array()), nw::value_error);
  EXPECT_THROW(nw::repr(nw::ndarray<float>()), nw::value_error);
  EXPECT_EQ(out.str(), "");
}

}  // namespace
