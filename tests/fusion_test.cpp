// A fused statement has the bits of the same statement computed step by step, whatever its ops, the
// layouts and the types of its operands: random trees over all ops of floating types.
#include <gtest/gtest.h>

#include <cstring>
#include <numwarp/numwarp.hpp>
#include <random>
#include <support/counting.hpp>
#include <vector>

namespace nw = numwarp;

namespace {

using nw::any_array;
using nw::detail::operand;
using op_code = nw::core::op_code;

const op_code all_ops[] = {
#define NW_UNARY(name, rule, ...) op_code::name,
#define NW_BINARY(name, rule, ...) op_code::name,
#define NW_TERNARY(name, rule, ...) op_code::name,
#include <numwarp/core/ops.def>
};

// The same value twice: of temporaries that fuse, and of names that were computed one by one.
struct value {
  any_array fused, plain;
};

class trees {
 public:
  explicit trees(unsigned seed) : random_(seed) {
    for (const nw::dtype t : {nw::dtype::float32, nw::dtype::float64, nw::dtype::float16}) {
      auto whole = nw::arange<double>(-700, 700).reshape({7, 200}) / 97.0;
      const any_array a = whole.untyped().astype(t).compute();
      leaves_.push_back(a);
      leaves_.push_back(
          nw::ndarray<double>(a.astype(nw::dtype::float64)).T().copy().T().untyped().astype(t));
      leaves_.push_back(whole(3).untyped().astype(t));                              // (200,)
      leaves_.push_back(whole(nw::ellipsis, nw::slice(5, 6)).untyped().astype(t));  // (7, 1)
      leaves_.push_back(whole(2, 9).untyped().astype(t));                           // 0-d
      leaves_.push_back(whole(nw::ellipsis, nw::slice(nw::none, nw::none, -1)).untyped().astype(t));
    }
    auto wide = nw::arange<float>(2800).reshape({7, 400});
    leaves_.push_back(wide(nw::ellipsis, nw::slice(nw::none, nw::none, 2)).untyped());
    for (auto& leaf : leaves_) leaf.compute();
  }

  value tree(int depth) {
    if (depth == 0) return leaf();
    for (;;) {
      const op_code op = all_ops[pick(std::size(all_ops))];
      std::vector<value> args;
      for (int k = 0; k < nw::core::op_arity(op); ++k)
        args.push_back(tree(pick(std::size_t(depth))));
      if (op == op_code::where) args[0] = positive(std::move(args[0]));
      try {
        return apply(op, args);
      } catch (const nw::type_error&) {
        // NumPy has no loop for these types, bit operations on floats for example.
      }
    }
  }

 private:
  int pick(std::size_t n) { return int(random_() % n); }
  value leaf() {
    const any_array& a = leaves_[std::size_t(pick(leaves_.size()))];
    return {a, a};
  }
  value positive(value v) {
    any_array zero = nw::array(0.0f).untyped();
    std::vector<value> args{std::move(v), {zero, zero}};
    return apply(op_code::not_equal, args);
  }
  static value apply(op_code op, std::vector<value>& args) {
    std::vector<operand> plain, fused;
    for (value& v : args) {
      plain.push_back({&v.plain, false, {}});
      fused.push_back({&v.fused, true, {}});
    }
    value out;
    out.plain = nw::detail::elementwise(op, plain).compute();
    out.fused = nw::detail::elementwise(op, fused);
    return out;
  }

  std::mt19937 random_;
  std::vector<any_array> leaves_;
};

template <class T> bool is_nan(T x) { return x != x; }

template <class T> void expect_same(const any_array& x, const any_array& y) {
  const auto a = nw::ndarray<T>(x).to_vector(), b = nw::ndarray<T>(y).to_vector();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const T u = a[i], v = b[i];
    if (std::memcmp(&u, &v, sizeof(T)) == 0 || (is_nan(u) && is_nan(v))) continue;
    FAIL() << "element " << i << ": fused " << float(u) << ", step by step " << float(v);
  }
}

void expect_same_bits(const value& v) {
  ASSERT_EQ(v.plain.type(), v.fused.type());
  ASSERT_EQ(v.plain.shape(), v.fused.shape());
  switch (v.plain.type()) {
#define NW_DTYPE(tag, type, name, letter, npy)                           \
  case nw::dtype::tag:                                                   \
    if constexpr (nw::kind(nw::dtype::tag) != 'c') {                     \
      return expect_same<nw::type_of<nw::dtype::tag>>(v.fused, v.plain); \
    }                                                                    \
    break;
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
}

TEST(fusion, random_statements_have_the_bits_of_their_steps) {
  trees make(1);
  int fused = 0;
  for (int i = 0; i < 400; ++i) {
    const value v = make.tree(1 + i % 5);
    fused += v.fused.is_pending();
    const auto count = nw::testing::launches([&] { v.fused.compute(); });
    EXPECT_LE(count, 1);
    expect_same_bits(v);
    if (HasFailure()) FAIL() << "tree " << i;
  }
  EXPECT_GT(fused, 300);
}

TEST(fusion, reductions_of_statements_have_the_bits_of_stored_ones) {
  trees make(2);
  for (int i = 0; i < 100; ++i) {
    value v = make.tree(1 + i % 4);
    if (nw::kind(v.plain.type()) != 'f') continue;
    const nw::detail::reduce_options over{.axis = nw::axes(v.plain.ndim() > 1 ? i % 2 : 0)};
    if (v.plain.ndim() == 0) continue;
    const auto op = i % 4 < 2 ? nw::reduce_code::sum : nw::reduce_code::var;
    const any_array plain = nw::detail::reduce(op, {&v.plain, false, {}}, over);
    const any_array fused = nw::detail::reduce(op, {&v.fused, true, {}}, over);
    expect_same_bits({fused, plain});
    if (HasFailure()) FAIL() << "tree " << i;
  }
}

}  // namespace
