// Reductions with where= and initial= of every type against NumPy (golden/reductions_where.npz).
#include "support/arrays.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::reduce_code;

namespace {

struct op_case {
  const char* name;
  reduce_code code;
  double ddof = 0;
  int initial = 0;
};
constexpr op_case ops[] = {
    {"sum", reduce_code::sum},
    {"prod", reduce_code::prod},
    {"any", reduce_code::any},
    {"all", reduce_code::all},
    {"sum_from", reduce_code::sum, 0, 2},
    {"prod_from", reduce_code::prod, 0, 2},
    {"min_from", reduce_code::min, 0, 1},
    {"max_from", reduce_code::max, 0, 1},
    {"mean", reduce_code::mean},
    {"var", reduce_code::var},
    {"std", reduce_code::std},
    {"var1", reduce_code::var, 1},
    {"std1", reduce_code::std, 1},
};

const std::vector<nw::axes>& all_axes() {
  static const std::vector<nw::axes> list{{}, 0, 2, {0, 2}, {0, 1, 2}};
  return list;
}

// NumPy rounds float16 products and variances at every step, and float32 sums pairwise.
tolerance tolerance_of(reduce_code c, nw::dtype t) {
  const bool moment = c == reduce_code::mean || c == reduce_code::var || c == reduce_code::std;
  tolerance out{.zero_signs = false, .any_nan = true};
  if (moment || nw::kind(t) == 'f' || nw::kind(t) == 'c') out.ulp = 32;
  return out;
}

class reductions_where : public ::testing::TestWithParam<int> {
 protected:
  nw::dtype type() const { return nw::dtype(GetParam()); }
  std::string type_name() const { return std::string(nw::name(type())); }
};
INSTANTIATE_TEST_SUITE_P(all, reductions_where, ::testing::Range(0, int(nw::dtype_count)),
                         [](const auto& p) { return std::string(nw::name(nw::dtype(p.param))); });

// The results over all axes, one after the other.
std::vector<any_array> results(const op_case& op, const any_array& a, const any_array& mask) {
  std::vector<any_array> list;
  const nw::detail::scalar initial(op.initial);
  for (const nw::axes& axis : all_axes()) {
    list.push_back(nw::detail::reduce(op.code, named(a),
                                      {.axis = axis,
                                       .ddof = op.ddof,
                                       .where = &mask,
                                       .initial = op.initial ? &initial : nullptr}));
  }
  return list;
}

TEST_P(reductions_where, are_those_of_numpy) {
  const any_array a = to_array(golden("reductions_where.npz", "in/" + type_name()));
  for (const char* mask_name : {"none", "some", "row"}) {
    const any_array mask =
        to_array(golden("reductions_where.npz", std::string("mask/") + mask_name));
    for (const op_case& op : ops) {
      SCOPED_TRACE(std::string(op.name) + " of " + type_name() + " where " + mask_name);
      const golden_array& want =
          golden("reductions_where.npz",
                 std::string("out/") + op.name + "/" + type_name() + "/" + mask_name);
      golden_array got{.type = want.type, .shape = want.shape, .bytes = {}};
      for (const any_array& r : results(op, a, mask)) {
        EXPECT_EQ(r.type(), want.type);
        got.bytes += to_golden(r).bytes;
      }
      ASSERT_EQ(got.bytes.size(), want.bytes.size());
      EXPECT_TRUE(equal(got, want, tolerance_of(op.code, type())));
    }
  }
}

// keepdims=, out=, a temporary and a view change nothing.
TEST_P(reductions_where, of_moments_have_one_answer_in_every_form) {
  const any_array a = to_array(golden("reductions_where.npz", "in/" + type_name()));
  const any_array mask = to_array(golden("reductions_where.npz", "mask/some"));
  const any_array back = a.flip().copy().flip();
  for (const auto code : {reduce_code::mean, reduce_code::var, reduce_code::std}) {
    nw::detail::reduce_options o{.axis = 1, .where = &mask};
    const any_array plain = nw::detail::reduce(code, named(a), o);
    EXPECT_EQ(plain.shape(), nw::shape(3, 5));
    EXPECT_TRUE(equal(nw::detail::reduce(code, named(back), o), plain));
    any_array pending = a.astype(type());
    EXPECT_TRUE(equal(nw::detail::reduce(code, temporary(pending), o), plain));
    const any_array out = nw::detail::empty({3, 5}, plain.type(), nw::default_device());
    o.out = &out;
    nw::detail::reduce(code, named(a), o);
    EXPECT_TRUE(equal(out, plain));
    o.out = nullptr;
    o.keepdims = true;
    const any_array kept = nw::detail::reduce(code, named(a), o);
    EXPECT_EQ(kept.shape(), nw::shape(3, 1, 5));
    EXPECT_TRUE(equal(kept.reshape({3, 5}), plain));
  }
}

TEST(moments_where, are_called_as_in_numpy) {
  const auto a = nw::array({{1.0, 2.0}, {3.0, 100.0}});
  const auto mask = nw::array({{true, true}, {true, false}});
  EXPECT_EQ(nw::mean(a, {.where = mask}).item(), 2.0);
  EXPECT_EQ(a.mean({.axis = 0, .where = mask}).to_vector(), (std::vector<double>{2, 2}));
  EXPECT_EQ(a.var({.ddof = 1, .where = mask}).item(), 1.0);
  EXPECT_EQ(a.mean({.where = nw::array({{false}, {true}})}).item(), 51.5);
  EXPECT_EQ(nw::std(a * 1.0, {.ddof = 1, .where = a < 50}).item(), 1.0);
  EXPECT_EQ(nw::mean<float>(a, {.where = mask}).item(), 2.0f);
  EXPECT_EQ(
      nw::mean<nw::int32>(nw::array({1, 2, 4}), {.where = nw::array({false, true, true})}).item(),
      3);
  const auto out = nw::zeros<double>(2);
  a.mean({.axis = 1, .out = out, .where = mask});
  EXPECT_EQ(out.to_vector(), (std::vector<double>{1.5, 3}));
  a.mean({.axis = 0, .out = a(0), .where = mask});  // overlaps its operand
  EXPECT_EQ(a.to_vector(), (std::vector<double>{2, 2, 3, 100}));
}

TEST(moments_where, of_nothing_are_nan) {
  const auto none = nw::zeros<bool>(3);
  const auto a = nw::ones<float>(3);
  EXPECT_TRUE(std::isnan(a.mean({.where = none}).item()));
  EXPECT_TRUE(std::isnan(a.std({.where = none}).item()));
  EXPECT_TRUE(std::isnan(a.var({.ddof = 1, .where = nw::array({true, false, false})}).item()));
  EXPECT_EQ(nw::zeros<float>({0, 2}).mean({.axis = 1, .where = nw::ones<bool>(2)}).shape(),
            nw::shape(0));
}

TEST(moments_where, keep_the_digits_of_float32) {
  const auto a = nw::full<float>(1000003, 0.1f) + 1e4f;
  const auto all = nw::ones<bool>(1);
  EXPECT_EQ(a.mean({.where = all}).item(), a(0).item());
  EXPECT_EQ(a.std({.where = all}).item(), 0.0f);
}

TEST(moments_where, refuse_what_other_reductions_refuse) {
  const auto a = nw::ones<float>({2, 3});
  EXPECT_TRUE(throws(
      [&] {
        a.mean({.where = nw::ones<bool>({4, 2, 3})});
      },
      "ValueError", "mean: where of shape"));
  EXPECT_TRUE(throws([&] { a.var({.axis = 2, .where = a > 0}); }, "AxisError", "var: "));
  EXPECT_TRUE(
      throws([&] { a.std({.out = nw::zeros<float>(2), .where = a > 0}); }, "ValueError", "std: "));
  const any_array numbers = nw::ones<float>(3).untyped();
  EXPECT_TRUE(throws(
      [&] {
        nw::detail::reduce(reduce_code::mean, named(a.untyped()), {.axis = {}, .where = &numbers});
      },
      "TypeError", "mean: where must be a bool array, got float32"));
}

}  // namespace
