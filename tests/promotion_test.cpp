// Result types and values of ops on two types, and on arrays with scalars, against NumPy
// (golden/promote.npz, golden/promote.txt).
#include <array>
#include <utility>

#include "support/arrays.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::core::op_code;

namespace {

const std::vector<std::string> ops = {"add",  "subtract", "divide", "power",
                                      "less", "equal",    "maximum"};

op_code code_of(const std::string& name) {
  for (int c = 0; c < nw::core::op_count; ++c) {
    if (name == nw::core::op_name(op_code(c))) return op_code(c);
  }
  throw std::runtime_error("no op " + name);
}

std::string name_of(int t) { return std::string(nw::name(nw::dtype(t))); }

tolerance tolerance_of(const std::string& op, nw::dtype result) {
  tolerance t;
  const bool complex = nw::kind(result) == 'c';
  // NumPy takes the square root for a scalar 0.5, also of -0.0.
  if (op == "maximum" || op == "power") t.zero_signs = false;
  if (op == "divide" && complex) t.ulp = 4;
  if (op == "power" && complex) t.ulp = 256;
  if (op == "power" && nw::kind(result) == 'f') t.ulp = 4;
  return t;
}

// Our message has the words of NumPy's that name values and types.
std::string words(const golden_array& error) {
  const std::string text = error.error_message();
  if (text.find("Python int too large") == 0) return "out of bounds for ";
  if (text.find("Python integer ") == 0) return text.substr(7);
  if (text.find("Integers to negative") == 0)
    return "Integers to negative integer powers are not allowed";
  return text.substr(0, text.find(", use"));
}

// What `call` gives must be <row>/out or throw <row>/error.
template <class F> void check(const std::string& op, const std::string& row, F f) {
  SCOPED_TRACE(row);
  const auto& arrays = golden("promote.npz");
  if (const auto error = arrays.find(row + "/error"); error != arrays.end()) {
    EXPECT_TRUE(throws([&] { f().compute(); }, error->second.error_class(), words(error->second)));
    return;
  }
  const golden_array& want = golden("promote.npz", row + "/out");
  EXPECT_TRUE(equal(f(), want, tolerance_of(op, want.type)));
}

TEST(promotion, of_types_is_that_of_numpy) {
  int pairs = 0;
  for (const auto& f : golden_lines("promote.txt")) {
    if (f[0] != "promote") continue;
    const nw::dtype a = golden_type(f[1]), b = golden_type(f[2]);
    EXPECT_EQ(nw::promotable(a, b), f[3] != "none") << f[1] << ' ' << f[2];
    if (f[3] != "none") {
      EXPECT_EQ(nw::name(nw::promote(a, b)), f[3]) << f[1] << ' ' << f[2];
    }
    ++pairs;
  }
  EXPECT_EQ(pairs, 225);
}

TEST(promotion, of_two_arrays_is_that_of_numpy) {
  for (int l = 0; l < nw::dtype_count; ++l) {
    for (int r = 0; r < nw::dtype_count; ++r) {
      for (const std::string& op : ops) {
        const any_array x = to_array(golden("promote.npz", "inputs/" + name_of(l) + "/value"));
        const any_array y = to_array(golden(
            "promote.npz", "inputs/" + name_of(r) + (op == "power" ? "/exponent" : "/value")));
        const any_array column = subscript(x, {nw::ellipsis, nw::newaxis});
        check(op, op + "/" + name_of(l) + "/" + name_of(r), [&] {
          return call(code_of(op), {column, y}).reshape(-1);
        });
      }
    }
  }
}

nw::detail::scalar scalar_of(const golden_fields& f) {
  if (f[2] == "bool") return nw::detail::scalar(f[3] == "True");
  if (f[2] == "float") return nw::detail::scalar(std::stod(f[3]));
  if (f[2] == "complex") {
    const auto comma = f[3].find(',');
    return nw::detail::scalar(
        nw::complex128(std::stod(f[3].substr(0, comma)), std::stod(f[3].substr(comma + 1))));
  }
  if (f[3][0] != '-' && std::stoull(f[3]) > std::uint64_t(INT64_MAX)) {
    return nw::detail::scalar(std::stoull(f[3]));
  }
  return nw::detail::scalar(std::stoll(f[3]));
}

any_array with_scalar(const std::string& op, const any_array& a, nw::detail::scalar s) {
  const bool left = op.rfind("r_", 0) == 0;
  nw::detail::operand operands[] = {named(a), number(s)};
  if (left) std::swap(operands[0], operands[1]);
  return nw::detail::elementwise(code_of(left ? op.substr(2) : op), operands);
}

TEST(promotion, of_arrays_and_scalars_is_that_of_numpy) {
  std::vector<std::string> all = ops;
  all.insert(all.end(), {"r_subtract", "r_less"});
  for (const auto& f : golden_lines("promote.txt")) {
    if (f[0] != "scalar") continue;
    for (int t = 0; t < nw::dtype_count; ++t) {
      const any_array a = to_array(golden("promote.npz", "inputs/" + name_of(t) + "/scalar"));
      // ml_dtypes takes no integer above 2^63 - 1, and gives float32 for a float.
      const bool odd = nw::dtype(t) == nw::dtype::bfloat16;
      if (odd && (f[2] == "float" || f[2] == "complex" || std::stoi(f[1]) == 12 ||
                  std::stoi(f[1]) == 13)) {
        EXPECT_EQ(with_scalar("add", a, scalar_of(f)).type(),
                  f[2] == "complex" ? nw::dtype::complex64 : nw::dtype::bfloat16);
        continue;
      }
      for (const std::string& op : all) {
        // NumPy meets the limit of a C long before it compares.
        const bool compares = op == "less" || op == "equal" || op == "r_less";
        if (nw::dtype(t) == nw::dtype::bool_ && compares && scalar_of(f).kind == 'u') continue;
        check(op, "scalar/" + op + "/" + name_of(t) + "/" + f[1],
              [&] { return with_scalar(op, a, scalar_of(f)); });
      }
    }
  }
}

// The compiler's result types are those of run time, for all pairs of types and ops of each rule.
template <class Op, std::size_t... I>
constexpr std::array<int, sizeof...(I)> tags_of_pairs(std::index_sequence<I...>) {
  constexpr std::size_t n = std::size_t(nw::dtype_count);
  return {nw::detail::result_tag<Op, nw::ndarray<nw::type_of<nw::dtype(I / n)>>,
                                 nw::ndarray<nw::type_of<nw::dtype(I % n)>>>()...};
}
template <class Op, class S, std::size_t... I>
constexpr std::array<int, sizeof...(I)> tags_beside_scalar(std::index_sequence<I...>) {
  return {nw::detail::result_tag<Op, nw::ndarray<nw::type_of<nw::dtype(I)>>, S>()...};
}

int tag_at_run_time(op_code op, std::vector<nw::detail::operand> operands) {
  try {
    return int(nw::detail::elementwise(op, operands).type());
  } catch (const nw::type_error&) {
    return -1;
  }
}

template <class Op, class S> void check_scalar(S value) {
  constexpr auto tags = tags_beside_scalar<Op, S>(std::make_index_sequence<nw::dtype_count>());
  for (int t = 0; t < nw::dtype_count; ++t) {
    const any_array a = nw::detail::full(1, nw::dtype(t), true, nw::default_device());
    EXPECT_EQ(tags[std::size_t(t)],
              tag_at_run_time(Op::code, {named(a), number(nw::detail::scalar(value))}))
        << nw::core::op_name(Op::code) << ' ' << name_of(t);
  }
}

template <class Op> void check_tags() {
  constexpr auto tags =
      tags_of_pairs<Op>(std::make_index_sequence<std::size_t(nw::dtype_count * nw::dtype_count)>());
  for (int i = 0; i < int(tags.size()); ++i) {
    const any_array a =
        nw::detail::full(1, nw::dtype(i / nw::dtype_count), true, nw::default_device());
    const any_array b =
        nw::detail::full(1, nw::dtype(i % nw::dtype_count), true, nw::default_device());
    EXPECT_EQ(tags[std::size_t(i)], tag_at_run_time(Op::code, {named(a), named(b)}))
        << nw::core::op_name(Op::code) << ' ' << nw::name(a.type()) << ' ' << nw::name(b.type());
  }
  check_scalar<Op>(true);
  check_scalar<Op>(1);
  check_scalar<Op>(std::uint8_t(1));
  check_scalar<Op>(1.0f);
  check_scalar<Op>(nw::complex64(1, 0));
  check_scalar<Op>(nw::float16(1));
  check_scalar<Op>(nw::bfloat16(1));
}

TEST(promotion, is_the_same_for_the_compiler) {
  check_tags<nw::core::op::add>();
  check_tags<nw::core::op::subtract>();
  check_tags<nw::core::op::divide>();
  check_tags<nw::core::op::floor_divide>();
  check_tags<nw::core::op::power>();
  check_tags<nw::core::op::arctan2>();
  check_tags<nw::core::op::less>();
  check_tags<nw::core::op::bitwise_and>();
  check_tags<nw::core::op::left_shift>();
  check_tags<nw::core::op::gcd>();
  static_assert(std::is_same_v<decltype(nw::zeros<float>(1) * 2.0)::value_type, float>);
  static_assert(std::is_same_v<decltype(nw::zeros<int>(1) * 2.0)::value_type, double>);
  static_assert(std::is_same_v<nw::result_type_t<nw::int64, nw::uint64>, double>);
}

// where has no loop of its own to fall back on: it takes the common type, and there may be none.
TEST(promotion, where_needs_a_common_type) {
  const any_array c = nw::detail::full(1, nw::dtype::bool_, true, nw::default_device());
  for (int l = 0; l < nw::dtype_count; ++l) {
    for (int r = 0; r < nw::dtype_count; ++r) {
      const any_array a = nw::detail::full(1, nw::dtype(l), true, nw::default_device());
      const any_array b = nw::detail::full(1, nw::dtype(r), true, nw::default_device());
      if (nw::promotable(nw::dtype(l), nw::dtype(r))) {
        EXPECT_EQ(call(op_code::where, {c, a, b}).type(), nw::promote(nw::dtype(l), nw::dtype(r)));
      } else {
        EXPECT_TRUE(throws([&] { call(op_code::where, {c, a, b}); }, "TypeError", "where: "));
      }
    }
  }
  using nw::core::op::where;
  static_assert(nw::detail::result_tag<where, nw::ndarray<bool>, nw::ndarray<nw::bfloat16>,
                                       nw::ndarray<nw::float16>>() == -1);
  static_assert(
      nw::detail::result_tag<where, nw::ndarray<bool>, nw::ndarray<nw::bfloat16>, int>() ==
      int(nw::dtype::bfloat16));
}

TEST(promotion, comparisons_are_exact) {
  const auto big = nw::full<nw::uint64>(1, (1ul << 63) + 1);
  const auto small = nw::array(std::vector<nw::int64>{-1, 0, INT64_MAX});
  EXPECT_EQ((small < big).to_vector(), std::vector<bool>(3, true));
  EXPECT_EQ((big <= small).to_vector(), std::vector<bool>(3, false));
  EXPECT_EQ((small.astype<nw::int8>() != big).to_vector(), std::vector<bool>(3, true));
  const auto bytes = nw::full<nw::int8>(1, 100);
  EXPECT_TRUE((bytes < 1000).item());
  EXPECT_TRUE((bytes > -1000).item());
  EXPECT_TRUE((-1000 < bytes).item());
  EXPECT_FALSE((bytes == 1000).item());
  EXPECT_TRUE((bytes != 356).item());
  EXPECT_FALSE((nw::full<nw::uint8>(1, 0) < -1).item());
  EXPECT_TRUE((nw::full<nw::int64>(1, -1) < UINT64_MAX).item());
}

}  // namespace
