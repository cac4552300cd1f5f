// Every op of core/ops.def on every element type against NumPy's answers (golden/ufuncs.npz):
// called untyped, on strided, broadcast and pending operands, with out= and where=.
#include <set>

#include "support/golden_ufuncs.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::core::op_code;

namespace {

bool one_of(const std::string& op, const std::set<std::string>& names) {
  return names.count(op) > 0;
}

// See golden/README.md.
tolerance tolerance_of(const std::string& op, nw::dtype operands) {
  static const std::set<std::string> libm = {
      "cbrt", "exp",  "exp2",    "expm1",   "log",     "log2",    "log10",   "log1p",  "logaddexp",
      "sin",  "cos",  "tan",     "arcsin",  "arccos",  "arctan",  "hypot",   "sinh",   "logaddexp2",
      "cosh", "tanh", "arcsinh", "arccosh", "arctanh", "arctan2", "degrees", "radians"};
  static const std::set<std::string> complex_libm = {"sqrt",   "absolute", "divide", "reciprocal",
                                                     "square", "multiply", "sign"};
  static const std::set<std::string> extrema = {"maximum", "minimum", "fmax", "fmin", "clip"};
  tolerance out;
  const bool complex = nw::kind(operands) == 'c', floating = complex || nw::kind(operands) == 'f';
  if (one_of(op, extrema)) out.zero_signs = false;
  if (one_of(op, libm)) out.ulp = complex ? 16 : 4;
  if (complex && one_of(op, complex_libm)) out.ulp = 4;
  // By exp and log in the type itself NumPy loses digits as the exponent grows.
  if (op == "power" && floating) out.ulp = complex ? 64 : 4;
  // Against float32 rounded once, ml_dtypes differs in sign(-0.0) alone.
  if (op == "sign" && operands == nw::dtype::bfloat16) out.zero_signs = false;
  return out;
}

// Where NumPy is no truth: it multiplies by log(2) in exp2, and gives 0 for log1p of small numbers.
bool no_truth(const std::string& op, std::complex<double> x) {
  return (op == "exp2" && std::abs(x.imag()) > 1e4) ||
         (op == "log1p" && x != 0.0 && std::abs(x) < 0.01);
}

// Both arrays with zeros in place of such elements.
void forget_no_truth(const std::string& op, const any_array& operand, golden_array& got,
                     golden_array& want) {
  // A GPU's conversions of the halves drop the sign of a NaN.
  const bool nan_signs = nw::default_device().is_cpu() || op != "signbit";
  if (nw::kind(operand.type()) != 'c' && nan_signs) return;
  const auto x = to_golden(operand.astype(nw::dtype::complex128)).values<nw::complex128>();
  const bool overflows = !nw::default_device().is_cpu() && op == "power";
  const auto wanted =
      overflows ? to_golden(to_array(want).astype(nw::dtype::complex128)).values<nw::complex128>()
                : x;
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Nor is the sign of a power's overflow the same in two libms.
    const bool no_sign = overflows && i < wanted.size() && std::isinf(wanted[i].real());
    if (!no_truth(op, x[i]) && (nan_signs || !std::isnan(x[i].real())) && !no_sign) continue;
    for (golden_array* a : {&got, &want}) {
      const auto size = std::size_t(nw::itemsize(a->type));
      a->bytes.replace(i * size, size, size, '\0');
    }
  }
}

TEST(ufuncs, are_those_of_numpy) {
  int rows = 0;
  for_each_row([&](const golden_call& c, const golden_array& want) {
    ++rows;
    golden_array got = to_golden(call(c.op, c.operands)), right = want;
    forget_no_truth(c.name, c.operands[0], got, right);
    auto t = tolerance_of(c.name, c.type);
    // The GPU's libm leaves the sign of some zero parts of complex results open.
    t.zero_signs = t.zero_signs && (nw::default_device().is_cpu() || nw::kind(c.type) != 'c');
    EXPECT_TRUE(equal(got, right, t));
  });
  EXPECT_GT(rows, 700);
}

TEST(ufuncs, types_without_a_loop_are_refused) {
  int rows = 0;
  for (int code = 0; code < nw::core::op_count; ++code) {
    for (int t = 0; t < nw::dtype_count; ++t) {
      const std::string op = nw::core::op_name(op_code(code));
      const std::string row = op + "/" + std::string(nw::name(nw::dtype(t)));
      if (golden("ufuncs.npz").count(row + "/none") == 0) continue;
      SCOPED_TRACE(row);
      ++rows;
      const golden_call c{op_code(code), nw::dtype(t)};
      EXPECT_TRUE(throws([&] { call(c.op, c.operands); }, "TypeError", " the input types ("));
    }
  }
  EXPECT_GT(rows, 80);
}

// From here on "right" is what the plain call gives, bit for bit.

TEST(ufuncs, do_not_depend_on_strides) {
  for_each_row([](const golden_call& c, const golden_array&) {
    const golden_array plain = to_golden(call(c.op, c.operands));
    for (const int step : {2, -1, -3}) {
      std::vector<any_array> views = c.operands;
      for (std::size_t i = 0; i < views.size(); ++i) {
        if (step == 2 || i == 0) views[i] = spread(views[i], step);
      }
      EXPECT_TRUE(equal(call(c.op, views), plain)) << "step " << step;
    }
  });
}

TEST(ufuncs, broadcast) {
  for_each_row([](const golden_call& c, const golden_array&) {
    const golden_array plain = to_golden(call(c.op, c.operands));
    const auto n = c.operands[0].size();
    std::vector<any_array> wide = c.operands;
    wide[0] = wide[0].broadcast_to({2, 3, n});
    const any_array out = call(c.op, wide);
    for (const int row : {0, 2}) {
      EXPECT_TRUE(equal(subscript(out, {1, row}), plain)) << "row " << row;
    }
    // An operand of rank 0 against the others.
    const auto at = n / 2;
    std::vector<any_array> one = c.operands, same = c.operands;
    one.back() = subscript(one.back(), {at});
    same.back() = one.back().broadcast_to({n});
    EXPECT_TRUE(equal(call(c.op, one),
                      same.size() == 1 ? subscript(call(c.op, same), {0}) : call(c.op, same)));
  });
}

TEST(ufuncs, write_to_out) {
  for_each_row([](const golden_call& c, const golden_array&) {
    const golden_array plain = to_golden(call(c.op, c.operands));
    const any_array out = spread(
        nw::detail::full(nw::shape(plain.shape), plain.type, true, nw::default_device()), -2);
    const any_array returned = call(c.op, c.operands, {.out = &out});
    EXPECT_TRUE(equal(out, plain));
    EXPECT_TRUE(equal(returned, plain));
  });
}

TEST(ufuncs, write_where_they_are_told) {
  for_each_row([](const golden_call& c, const golden_array&) {
    const golden_array plain = to_golden(call(c.op, c.operands));
    const auto n = c.operands[0].size();
    const auto mask = (nw::arange(n) % 3 == 1).untyped();
    const any_array before =
        nw::detail::full(n, plain.type, nw::detail::scalar(true), nw::default_device());
    const any_array out = before.copy();
    call(c.op, c.operands, {.out = &out, .where = &mask});
    const any_array want = call(op_code::where, {mask, to_array(plain), before});
    EXPECT_TRUE(equal(out, want));
    // Without out=, what is not chosen is zero.
    const any_array zeros =
        nw::detail::full(n, plain.type, nw::detail::scalar(false), nw::default_device());
    EXPECT_TRUE(equal(call(c.op, c.operands, {.where = &mask}),
                      call(op_code::where, {mask, to_array(plain), zeros})));
  });
}

// Every operand arrives pending, from where(true, x, x), and the result joins another op.
TEST(ufuncs, fuse_without_a_difference) {
  const any_array yes = nw::full<bool>(nw::shape(), true).untyped();
  for_each_row([&](const golden_call& c, const golden_array&) {
    const golden_array plain = to_golden(call(c.op, c.operands));
    std::vector<any_array> pending;
    std::vector<nw::detail::operand> operands;
    for (const any_array& x : c.operands) pending.push_back(call(op_code::where, {yes, x, x}));
    for (any_array& x : pending) operands.push_back(temporary(x));
    any_array result = nw::detail::elementwise(c.op, operands);
    EXPECT_TRUE(result.is_pending());
    EXPECT_FALSE(pending[0].valid()) << "not absorbed";
    any_array other = to_array(plain);
    nw::detail::operand three[] = {named(yes), temporary(result), named(other)};
    EXPECT_TRUE(equal(nw::detail::elementwise(op_code::where, three), plain));
  });
}

}  // namespace
