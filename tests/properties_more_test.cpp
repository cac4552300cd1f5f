// Properties that hold for every function: reductions, products and ops of any arity may write into
// views of their operands, the form of a call does not change its bits, read-only views stay as
// they are, empty and 0-d arrays work. Binary ops have properties_test.cpp.
#include <gtest/gtest.h>

#include <limits>
#include <numwarp/numwarp.hpp>
#include <numwarp/testing.hpp>
#include <support/arrays.hpp>

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::dtype;
using nw::none;
using nw::reduce_code;
using nw::slice;
using nw::core::op_code;

namespace {

using make_view = any_array (*)(const any_array&);

any_array square(const any_array& base, slice s) { return subscript(base, {s}).reshape({4, 4}); }

// Views of shape (4, 4) of one buffer of 40 elements.
const make_view views[] = {
    [](const any_array& b) { return square(b, slice(4, 20)); },
    [](const any_array& b) { return square(b, slice(5, 21)); },  // shifted by one, either way
    [](const any_array& b) { return square(b, slice(3, 19)); },
    [](const any_array& b) { return square(b, slice(8, 24)); },  // by a row
    [](const any_array& b) { return square(b, slice(4, 20)).flip(); },
    [](const any_array& b) { return square(b, slice(4, 20)).flip(1); },
    [](const any_array& b) { return square(b, slice(4, 20)).transpose(); },
    [](const any_array& b) { return square(b, slice(6, 22)).transpose(); },
    [](const any_array& b) { return square(b, slice(0, 32, 2)); },
    [](const any_array& b) { return square(b, slice(1, 33, 2)); },
    // The rest repeat elements and can only be read.
    [](const any_array& b) {
      return subscript(b, {slice(4, 8)}).broadcast_to({4, 4});
    },
    [](const any_array& b) {
      return subscript(b, {slice(9, 13), nw::newaxis}).broadcast_to({4, 4});
    },
    [](const any_array& b) {
      return subscript(b, {7}).broadcast_to({4, 4});
    },
};
constexpr int view_count = int(std::size(views)), writeable_count = view_count - 3;

any_array floats(int n) {  // 0.3, -0.6, 0.9 ...: all different, both signs
  auto a = nw::arange<float>(1, n + 1) * 0.3f;
  a(slice(1, none, 2)) *= -1;
  return a.untyped();
}

// f(inputs, out) with all of them views of one buffer leaves that buffer as it would be after
// copying the inputs first.
template <class F>
::testing::AssertionResult like_copies(const F& f, const any_array& start,
                                       const std::vector<make_view>& inputs, make_view out) {
  const any_array got = start.copy(), want = start.copy();
  std::vector<any_array> seen, copies;
  for (const make_view in : inputs) {
    seen.push_back(in(got));
    copies.push_back(in(want).copy());
  }
  const any_array got_out = out(got), want_out = out(want);
  const any_array apart = want_out.copy();
  f(seen, got_out);
  f(copies, apart);
  nw::detail::assign(want_out, named(apart), "test");
  return equal(got, want);
}

TEST(overlap_of_out, every_op_that_has_a_loop_for_floats) {
  const any_array base = floats(40);
  int ops = 0;
  for (int code = 0; code < nw::core::op_count; ++code) {
    const op_code op = op_code(code);
    const int arity = nw::core::op_arity(op);
    SCOPED_TRACE(nw::core::op_name(op));
    try {
      call(op, std::vector<any_array>(std::size_t(arity), base), {.out = &base}).compute();
    } catch (const nw::type_error&) {
      continue;
    }
    ++ops;
    const auto f = [&](const std::vector<any_array>& in, const any_array& out) {
      call(op, in, {.out = &out});
    };
    for (const int out : {1, 2, 4, 6, 9}) {
      std::vector<make_view> in{views[0], views[6], views[8]};
      in.resize(std::size_t(arity));
      EXPECT_TRUE(like_copies(f, floats(40), in, views[out])) << "into " << out;
    }
  }
  EXPECT_GT(ops, 50);
}

TEST(overlap_of_out, products_and_flips_in_place) {
  auto a = nw::arange(1000);
  a(slice()) = nw::flip(a);
  EXPECT_EQ(999, a.item(0));
  EXPECT_EQ(0, a.item(999));

  auto m = nw::arange<double>(9).reshape({3, 3});
  nw::matmul(m, m, {.out = m});
  EXPECT_EQ((std::vector<double>{15, 18, 21, 42, 54, 66, 69, 90, 111}), m.to_vector());
  nw::matmul(m, m.T(), {.out = m.T()});
  EXPECT_EQ(15 * 15 + 18 * 18 + 21 * 21, m.item(0, 0));
  EXPECT_EQ(15 * 69 + 18 * 90 + 21 * 111, m.item(0, 2));
}

TEST(overlap_of_out, products_into_a_view_of_their_inputs) {
  // Whole numbers: their products are exact whichever way a library sums them.
  const any_array base = nw::arange<float>(40).untyped();
  const auto f = [](const std::vector<any_array>& in, const any_array& out) {
    nw::detail::matmul(in[0], in[1], &out);
  };
  for (int out = 0; out < writeable_count; ++out) {
    EXPECT_TRUE(like_copies(f, base, {views[0], views[0]}, views[out])) << out;
    EXPECT_TRUE(like_copies(f, base, {views[6], views[8]}, views[out])) << out;
    EXPECT_TRUE(like_copies(f, base, {views[1], views[writeable_count]}, views[out])) << out;
  }
}

TEST(overlap_of_out, reductions_into_their_input) {
  const make_view row = [](const any_array& b) { return subscript(b, {slice(9, 13)}); };
  const make_view column = [](const any_array& b) { return subscript(b, {slice(19, 3, -4)}); };
  const make_view one = [](const any_array& b) { return subscript(b, {11, nw::ellipsis}); };
  for (const reduce_code op :
       {reduce_code::sum, reduce_code::prod, reduce_code::min, reduce_code::max, reduce_code::mean,
        reduce_code::var, reduce_code::std, reduce_code::argmin, reduce_code::argmax}) {
    SCOPED_TRACE(nw::reduce_name(op));
    const bool index = op == reduce_code::argmin || op == reduce_code::argmax;
    const any_array base = index ? nw::remainder(nw::arange(40) * 17, 23).untyped() : floats(40);
    const auto over = [&](nw::axes axis) {
      return [op, axis](const std::vector<any_array>& in, const any_array& out) {
        nw::detail::reduce(op, named(in[0]), {.axis = axis, .out = &out});
      };
    };
    for (int x = 0; x < view_count; ++x) {
      for (const make_view out : {row, column}) {
        EXPECT_TRUE(like_copies(over(0), base, {views[x]}, out)) << x;
        EXPECT_TRUE(like_copies(over(1), base, {views[x]}, out)) << x;
      }
      EXPECT_TRUE(like_copies(over({}), base, {views[x]}, one)) << x;
    }
  }
}

TEST(read_only, broadcast_views_cannot_be_written) {
  const auto a = nw::ones<float>(1);
  auto b = nw::broadcast_to(a, {1000});
  EXPECT_FALSE(b.writeable());
  const std::string text = "assignment destination is read-only";
  EXPECT_TRUE(throws([&] { b += 1; }, "ValueError", text));
  EXPECT_TRUE(throws([&] { b(nw::ellipsis) = 2; }, "ValueError", text));
  EXPECT_TRUE(throws([&] { b(slice(2, 5)) = 2; }, "ValueError", text));
  EXPECT_TRUE(throws([&] { b.fill(2); }, "ValueError", text));
  EXPECT_TRUE(throws([&] { nw::add(b, b, {.out = b}); }, "ValueError", text));
  EXPECT_TRUE(throws([&] { nw::sum(b, {.out = b(0)}); }, "ValueError", text));
  EXPECT_EQ(1, a.item());
}

TEST(forms_of_reductions, give_the_same_bits) {
  const auto whole = nw::sin(nw::arange<float>(90000)).reshape({300, 300});
  for (const auto& a : {whole, whole.T(), whole(slice(none, none, -1), slice(1, none, 3))}) {
    for (int code = 0; code <= int(reduce_code::std); ++code) {
      const auto op = reduce_code(code);
      SCOPED_TRACE(nw::reduce_name(op));
      for (const nw::axes& axis : {nw::axes(), nw::axes(0), nw::axes(1)}) {
        const any_array plain = nw::detail::reduce(op, named(a.untyped()), {.axis = axis});
        const any_array out = nw::detail::empty_like(plain, plain.type());
        nw::detail::reduce(op, named(a.untyped()), {.axis = axis, .out = &out});
        EXPECT_TRUE(equal(out, plain));
        any_array kept =
            nw::detail::reduce(op, named(a.untyped()), {.axis = axis, .keepdims = true});
        EXPECT_EQ(2, kept.ndim());
        EXPECT_TRUE(equal(kept.reshape(plain.shape()), plain));
      }
    }
  }
}

TEST(accuracy, of_float32) {
  const auto ones = nw::ones<float>(30000000);
  EXPECT_EQ(3e7f, nw::sum(ones).item());
  EXPECT_EQ(3e7f, nw::sum(ones, {.keepdims = true}).item());
  EXPECT_EQ(0, nw::std(ones).item());
  const float tiny = std::numeric_limits<float>::min();
  const auto t = nw::array<float>({tiny});
  EXPECT_EQ(tiny / 2, (t / 2).item());
  EXPECT_EQ(tiny, (t / 2 + t / 2).item());
  EXPECT_EQ(tiny / 2, nw::sum(t / 2).item());
}

// Empty and 0-d arrays: the identity, or an error where there is none.
TEST(empty_and_0d, arrays_in_every_reduction) {
  const nw::shape shapes[] = {0, {0, 3}, {3, 0}, {2, 0, 3}, nw::shape(), {1, 1}};
  for (int code = 0; code <= int(reduce_code::std); ++code) {
    const auto op = reduce_code(code);
    const bool lacks_identity = op == reduce_code::min || op == reduce_code::max ||
                                op == reduce_code::argmin || op == reduce_code::argmax;
    for (const auto& s : shapes) {
      const any_array a = nw::full<float>(s, 2).untyped();
      for (int axis = -1; axis < s.size(); ++axis) {
        SCOPED_TRACE(nw::reduce_name(op) + (" of " + nw::to_string(s)) + " over " +
                     std::to_string(axis));
        const nw::axes over = axis < 0 ? nw::axes() : nw::axes(axis);
        const auto f = [&] { return nw::detail::reduce(op, named(a), {.axis = over}); };
        const bool none_left = axis < 0 ? a.size() == 0 : s[axis] == 0;
        if (none_left && lacks_identity) {
          EXPECT_TRUE(throws([&] { f().compute(); }, "ValueError", "empty") ||
                      throws([&] { f().compute(); }, "ValueError", "zero-size"));
          continue;
        }
        const any_array got = f();
        nw::dims shape = axis < 0 ? nw::dims() : nw::dims(s);
        if (axis >= 0) shape.erase(axis);
        ASSERT_TRUE(nw::dims(got.shape()) == shape);
        if (!none_left || got.size() == 0) continue;
        const bool nan =
            op == reduce_code::mean || op == reduce_code::var || op == reduce_code::std;
        const bool one = op == reduce_code::prod || op == reduce_code::all;
        const double want = nan ? nw::nan : one ? 1 : 0;
        nw::testing::assert_array_equal(got, nw::array(want).untyped());
      }
    }
  }
  EXPECT_EQ(2, nw::max(nw::full<float>(nw::shape(), 2)).item());
}

TEST(empty_and_0d, arrays_in_ufuncs) {
  const auto none_here = nw::zeros<float>({0, 3}), row = nw::ones<float>(3);
  EXPECT_EQ((nw::shape{0, 3}), (none_here + row).shape());
  EXPECT_TRUE((none_here + row).to_vector().empty());
  EXPECT_TRUE((nw::exp(none_here(slice(), 1)) * 2).to_vector().empty());
  EXPECT_EQ(0, nw::sum(none_here * row).item());
  EXPECT_EQ((nw::shape{0, 2}), nw::matmul(none_here, nw::ones<float>({3, 2})).shape());
  EXPECT_EQ((std::vector<float>(4, 0)),
            nw::matmul(nw::ones<float>({2, 0}), nw::ones<float>({0, 2})).to_vector());
  auto zero = nw::full<float>(nw::shape(), 3);
  zero += 1;
  EXPECT_EQ(4, zero.item());
  nw::add(zero, zero, {.out = zero});
  EXPECT_EQ(8, zero.item());
}

}  // namespace
