// The function objects on ndarray<T>, block sizes, and the errors that depend on values.
#include <numeric>

#include "support/golden_ufuncs.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::core::op_code;

namespace {

void check_typed(const golden_call& c, const any_array& typed, nw::dtype element) {
  SCOPED_TRACE(c.name + " of " + std::string(nw::name(c.type)));
  EXPECT_EQ(typed.type(), element);
  EXPECT_TRUE(equal(typed, call(c.op, c.operands)));
}

template <class Op, class T> consteval bool has_loop() {
  nw::dtype compute{}, result{};
  return nw::core::resolve(Op::code, nw::dtype_of<T>, compute, result);
}

template <class Op, class T, class Function> void typed_call(const Function& f) {
  if constexpr (has_loop<Op, T>()) {
    const std::string op = nw::core::op_name(Op::code), type(nw::name(nw::dtype_of<T>));
    if (golden("ufuncs.npz").count(op + "/" + type + "/out") == 0) return;
    const golden_call c{Op::code, nw::dtype_of<T>};
    const auto x = [&]<class U = T>(std::size_t i) { return nw::ndarray<U>(c.operands[i]); };
    const auto check = [&]<class R>(const nw::ndarray<R>& r) {
      check_typed(c, r.untyped(), nw::dtype_of<R>);
    };
    if constexpr (Op::arity == 1) {
      check(f(x(0)));
    } else if constexpr (Op::arity == 2) {
      check(f(x(0), x(1)));
    } else if constexpr (Op::code == op_code::where) {
      check(f(nw::ndarray<bool>(c.operands[0]), x(1), x(2)));
    } else {
      check(f(x(0), x(1), x(2)));
    }
  }
}

template <class T> void all_ops() {
#define NW_UNARY(name, rule, ...) typed_call<nw::core::op::name, T>(nw::name);
#define NW_BINARY(name, rule, ...) NW_UNARY(name, rule)
#define NW_TERNARY(name, rule, ...) NW_UNARY(name, rule)
#include <numwarp/core/ops.def>
}

TEST(typed_ufuncs, of_bool) { all_ops<bool>(); }
TEST(typed_ufuncs, of_int8) { all_ops<nw::int8>(); }
TEST(typed_ufuncs, of_uint64) { all_ops<nw::uint64>(); }
TEST(typed_ufuncs, of_bfloat16) { all_ops<nw::bfloat16>(); }
TEST(typed_ufuncs, of_float32) { all_ops<float>(); }
TEST(typed_ufuncs, of_complex128) { all_ops<nw::complex128>(); }

// The loops' own results against the formula for each element, over sizes around the blocks.
template <class Op, class T> void check_sizes(tolerance near = {}) {
  using C = typename nw::detail::core_type<T>::type;
  for (const std::int64_t n : {0, 1, 31, 32, 33, 1023, 1024, 1025, (1 << 20) + 3}) {
    std::vector<C> x(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] = nw::core::cast<C>(double((i * 2654435761u) % 251) / 16 -
                               (nw::kind(nw::dtype_of<T>) == 'u' ? 0 : 7));
    }
    const any_array a = nw::detail::from_host(x.data(), n, nw::dtype_of<T>, nw::default_device());
    std::vector<any_array> operands(std::size_t(Op::arity), a);
    if (Op::arity == 2) operands[1] = a.flip();
    const golden_array got = to_golden(call(Op::code, operands));
    ASSERT_EQ(got.size(), n);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto want = [&] {
        if constexpr (Op::arity == 1) return Op::template call<C>(x[i]);
        if constexpr (Op::arity == 2) return Op::template call<C>(x[i], x[x.size() - 1 - i]);
      }();
      using R = typename nw::detail::public_type<std::remove_cvref_t<decltype(want)>>::type;
      golden_array g, w;
      R value, right;
      std::memcpy(static_cast<void*>(&value), got.bytes.data() + i * sizeof(R), sizeof(R));
      std::memcpy(static_cast<void*>(&right), &want, sizeof(R));
      wrong += !detail_compare::same<R>(value, right, near);
    }
    EXPECT_EQ(wrong, 0) << nw::core::op_name(Op::code) << " of " << n << ' '
                        << nw::name(nw::dtype_of<T>);
  }
}

TEST(typed_ufuncs, of_all_sizes) {
  check_sizes<nw::core::op::add, float>();
  check_sizes<nw::core::op::multiply, nw::int16>();
  check_sizes<nw::core::op::divide, nw::complex64>();
  check_sizes<nw::core::op::sqrt, double>();
  check_sizes<nw::core::op::exp, float>({.ulp = 4});
  check_sizes<nw::core::op::less, nw::int8>();
  check_sizes<nw::core::op::floor_divide, nw::int32>();
  check_sizes<nw::core::op::add, nw::float16>();
  check_sizes<nw::core::op::maximum, nw::bfloat16>();
  check_sizes<nw::core::op::absolute, nw::complex128>();
  check_sizes<nw::core::op::isnan, nw::float16>();
}

// The vector form of a loop and its tail give one element the same bits.
TEST(typed_ufuncs, do_not_depend_on_the_place_of_an_element) {
  for (int code = 0; code < nw::core::op_count; ++code) {
    for (const nw::dtype t : {nw::dtype::float32, nw::dtype::float64}) {
      nw::dtype compute{}, result{};
      if (!nw::core::resolve(op_code(code), t, compute, result)) continue;
      const any_array x =
          nw::detail::full(1037, t, nw::detail::scalar(0.7351), nw::default_device());
      const std::vector<any_array> operands(std::size_t(nw::core::op_arity(op_code(code))), x);
      const any_array all = call(op_code(code), operands);
      const any_array first = subscript(all, {0}).broadcast_to({1037});
      EXPECT_TRUE(equal(all, first)) << nw::core::op_name(op_code(code));
    }
  }
}

// Products are rounded before they are added: no instruction does both at once.
template <class T> void check_complex_products() {
  using C = std::complex<T>;
  auto random = nw::random::default_rng(5);
  std::vector<C> a, b, want;
  for (const auto& [x, y] : {std::pair(&a, 1.0), std::pair(&b, 3.0)}) {
    const auto parts = random.uniform(-y, y, {2000}).to_vector();
    for (std::size_t i = 0; i < 1000; ++i) x->emplace_back(T(parts[i]), T(parts[i + 1000]));
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    volatile T rr = a[i].real() * b[i].real(), ii = a[i].imag() * b[i].imag();
    volatile T ri = a[i].real() * b[i].imag(), ir = a[i].imag() * b[i].real();
    want.emplace_back(rr - ii, ri + ir);
  }
  const auto x = nw::array(a), y = nw::array(b);
  EXPECT_EQ((x * y).to_vector(), want);
  // Products of complex64 are carried in complex128.
  if (sizeof(T) == 8) {
    EXPECT_EQ(nw::stack({x, y}).prod(0).to_vector(), want);
  }
}
TEST(typed_ufuncs, complex_products_round_twice) {
  check_complex_products<float>();
  check_complex_products<double>();
}

template <class T> void check_integer_division() {
  const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  const auto a = nw::array(std::vector<T>{7, high, low, low, 0});
  const auto b = nw::array(std::vector<T>{0, 0, 0, T(-1), T(-1)});
  const bool is_signed = low < 0;
  // By zero: 0. The lowest by -1 wraps around.
  EXPECT_EQ(nw::floor_divide(a, b).to_vector(),
            (std::vector<T>{0, 0, 0, is_signed ? low : T(0), 0}));
  EXPECT_EQ(nw::remainder(a, b).to_vector(), (std::vector<T>{0, 0, 0, 0, 0}));
  EXPECT_EQ(nw::fmod(a, b).to_vector(), (std::vector<T>{0, 0, 0, 0, 0}));
  const auto both = nw::divmod(a, b);
  EXPECT_EQ(both.first.to_vector(), nw::floor_divide(a, b).to_vector());
  EXPECT_EQ(both.second.to_vector(), nw::remainder(a, b).to_vector());
}

TEST(typed_ufuncs, integer_division_has_no_trap) {
  check_integer_division<nw::int8>();
  check_integer_division<nw::int16>();
  check_integer_division<nw::int32>();
  check_integer_division<nw::int64>();
  check_integer_division<nw::uint8>();
  check_integer_division<nw::uint64>();
}

TEST(typed_ufuncs, floor_division_and_remainder_of_floats) {
  const auto a = nw::array(std::vector<float>{-4.4f, 1, -1, -1, 0.0f, -0.0f, 6, 7});
  const float inf = std::numeric_limits<float>::infinity();
  const auto b = nw::array(std::vector<float>{0.1f, inf, inf, -inf, 3, 3, -3, 0});
  const auto both = nw::divmod(a, b);
  const auto q = both.first.to_vector(), r = both.second.to_vector();
  const std::vector<float> quotients{-45, 0, -1, 0, 0, -0.0f, -2, inf};
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_EQ(q[i], quotients[i]) << i;
  EXPECT_EQ(r[1], 1);
  EXPECT_EQ(r[2], inf);
  EXPECT_EQ(r[3], -1);
  EXPECT_TRUE(std::signbit(r[6]) && r[6] == 0);
  EXPECT_TRUE(std::isnan(r[7]));
  EXPECT_TRUE(equal(nw::floor_divide(a, b).untyped(), both.first.untyped()));
  EXPECT_TRUE(equal(nw::remainder(a, b).untyped(), both.second.untyped()));
}

TEST(typed_ufuncs, negative_integer_powers_are_errors) {
  const nw::device_guard on_cpu{nw::cpu};  // a GPU finds them later: stream_threads_test
  const std::string text = "power: Integers to negative integer powers are not allowed";
  const auto a = nw::arange(5);
  const auto e = nw::array({2, 1, 0, -3, 2});
  EXPECT_TRUE(throws([&] { nw::power(a, e).compute(); }, "ValueError", text));
  EXPECT_TRUE(throws([&] { nw::power(a, -1); }, "ValueError", text));
  EXPECT_TRUE(throws([&] { nw::power(2, e).compute(); }, "ValueError", text));
  EXPECT_TRUE(throws([&] { nw::power(a, e * 3 + 1).compute(); }, "ValueError", text));
  // Nothing has been written by the statement that throws.
  const auto out = nw::zeros<nw::int64>(5);
  EXPECT_TRUE(throws([&] { nw::power(a, e, {.out = out}); }, "ValueError", text));
  EXPECT_EQ(out.to_vector(), std::vector<nw::int64>(5, 0));
  EXPECT_EQ(nw::power(a, 3).to_vector(), (std::vector<nw::int64>{0, 1, 8, 27, 64}));
  EXPECT_EQ(nw::power(nw::full<nw::int64>(1, 3), 39).item(), 4052555153018976267);
  EXPECT_EQ(nw::power(a, -1.0).to_vector()[2], 0.5);
}

TEST(typed_ufuncs, subnormals_are_kept) {
  const auto tiny = nw::full<float>(100, std::numeric_limits<float>::min());
  EXPECT_GT((tiny / 2).min().item(), 0.0f);
  EXPECT_EQ((tiny / 2 * 2 == tiny).all().item(), true);
}

}  // namespace
