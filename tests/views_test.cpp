// Slicing, reshape, transpose and the like, and broadcasting, against NumPy: shapes, strides,
// elements, what is a view, and the errors (golden/views.txt, golden/broadcast.txt).
#include "support/recipes.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;

namespace {

any_array base_of(const std::vector<std::int64_t>& shape) {
  std::int64_t n = 1;
  for (const auto extent : shape) n *= extent;
  return nw::arange(n).untyped().reshape(shape);
}

bool is_strict(const std::string& text, const nw::shape& s, const nw::dims& strides) {
  const auto want = golden_numbers(text);
  for (int i = 0; i < s.size(); ++i) {
    if (s[i] > 1 && strides[i] != want[std::size_t(i)]) return false;
  }
  return int(want.size()) == s.size();
}

// Whether a write to the base shows in the view.
bool sees_writes(const any_array& base, const any_array& view) {
  const golden_array before = to_golden(view);
  nw::detail::assign(base, number(-1), "test");
  return to_golden(view).bytes != before.bytes;
}

TEST(views, are_those_of_numpy) {
  int views = 0, copies = 0;
  for (const auto& f : golden_lines("views.txt")) {
    if (f[0] != "view") continue;
    SCOPED_TRACE(f[1] + " " + f[2]);
    const any_array base = base_of(golden_numbers(f[1]));
    const any_array v = apply_recipe(base, f[2]);
    EXPECT_EQ(nw::to_string(v.shape()), nw::to_string(nw::shape(golden_numbers(f[4]))));
    const auto want = golden_numbers(f.size() > 6 ? f[6] : "-");
    EXPECT_EQ(to_golden(v).values<nw::int64>(), want);
    if (f[3] == "empty") continue;
    EXPECT_TRUE(is_strict(f[5], v.shape(), v.strides()))
        << nw::to_string(v.strides()) << ", not " << f[5];
    EXPECT_EQ(sees_writes(base, v), f[3] == "view");
    ++(f[3] == "view" ? views : copies);
  }
  EXPECT_GT(views, 400);
  EXPECT_GT(copies, 10);
}

// NumPy writes an unknown extent as newaxis or not at all, and has two spaces in one message.
std::string our_text(std::string text) {
  if (text.find("cannot reshape") == 0) text.resize(text.find("shape (") + 6);
  if (const auto at = text.find("  and"); at != std::string::npos) text.erase(at, 1);
  return text;
}

TEST(views, errors_are_those_of_numpy) {
  int errors = 0;
  for (const auto& f : golden_lines("views.txt")) {
    if (f[0] != "error") continue;
    SCOPED_TRACE(f[1] + " " + f[2]);
    const any_array base = base_of(golden_numbers(f[1]));
    EXPECT_TRUE(throws([&] { apply_recipe(base, f[2]); }, f[3], our_text(f[4])));
    ++errors;
  }
  EXPECT_GT(errors, 50);
}

any_array operand(int k, const std::string& shape) {
  const any_array i = base_of(golden_numbers(shape));
  if (k == 0) return i;
  return k == 1 ? (nw::ndarray<nw::int64>(i) + 100).untyped().compute()
                : (-1 - nw::ndarray<nw::int64>(i)).untyped().compute();
}

any_array evaluate(const std::string& what, const std::vector<any_array>& x) {
  using nw::core::op_code;
  if (what == "add") return call(op_code::add, x);
  if (what == "iadd") nw::detail::assign_op(op_code::add, x[0], named(x[1]));
  if (what == "assign") nw::detail::assign(x[0], named(x[1]), "operator=");
  if (what != "where") return x[0];
  const nw::ndarray<nw::int64> a(x[0]);
  return call(op_code::where, {(a % 3 == 0).untyped(), x[1], x[2]});
}

TEST(broadcasting, is_that_of_numpy) {
  int results = 0, errors = 0;
  for (const auto& f : golden_lines("broadcast.txt")) {
    if (f[0] == "broadcast_shapes") continue;
    SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2]);
    std::vector<any_array> x;
    const std::size_t n = f[0] == "where" ? 3 : 2;
    for (std::size_t k = 0; k < n; ++k) x.push_back(operand(int(k), f[k + 1]));
    if (f[n + 1] == "error") {
      const golden_array before = to_golden(x[0]);
      EXPECT_TRUE(throws([&] { evaluate(f[0], x); }, f[n + 2], f[n + 3]));
      EXPECT_TRUE(equal(x[0], before));
      ++errors;
      continue;
    }
    golden_array want;
    want.type = nw::dtype::int64;
    want.shape = golden_numbers(f[n + 1]);
    for (const std::int64_t v : golden_numbers(f.size() > n + 2 ? f[n + 2] : "-")) {
      want.bytes.append(reinterpret_cast<const char*>(&v), sizeof v);
    }
    EXPECT_TRUE(equal(evaluate(f[0], x), want));
    ++results;
  }
  EXPECT_GT(results, 70);
  EXPECT_GT(errors, 20);
}

TEST(broadcasting, of_arrays_of_several_types) {
  const auto a = nw::array({{1}, {2}});
  const auto b = nw::array<float>({3, 4, 5});
  const nw::broadcast both(a, b);
  EXPECT_EQ(both.shape(), nw::shape(2, 3));
  EXPECT_EQ(both.ndim(), 2);
  EXPECT_EQ(both.size(), 6);
  EXPECT_EQ(both.numiter(), 2);
  EXPECT_EQ(nw::broadcast(a.untyped()).size(), 2);
  EXPECT_THROW(nw::broadcast(nw::zeros(2), nw::zeros(3)), nw::value_error);
  const auto [x, y] = nw::broadcast_arrays(a, b);
  EXPECT_EQ(x.to_vector(), (std::vector<nw::int64>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(y.to_vector(), (std::vector<float>{3, 4, 5, 3, 4, 5}));
}

TEST(broadcasting, of_shapes_is_that_of_numpy) {
  for (const auto& f : golden_lines("broadcast.txt")) {
    if (f[0] != "broadcast_shapes") continue;
    const auto n = std::size_t(std::stoi(f[1]));
    std::vector<nw::shape> s;
    for (std::size_t k = 0; k < n; ++k) s.emplace_back(golden_numbers(f[2 + k]));
    const auto broadcast = [&] {
      if (n == 1) return nw::broadcast_shapes({s[0]});
      if (n == 2) return nw::broadcast_shapes({s[0], s[1]});
      if (n == 3) return nw::broadcast_shapes({s[0], s[1], s[2]});
      return nw::broadcast_shapes({s[0], s[1], s[2], s[3]});
    };
    if (f[2 + n] == "error") {
      EXPECT_TRUE(throws([&] { broadcast(); }, f[3 + n], "broadcast"));
    } else {
      EXPECT_EQ(broadcast(), nw::shape(golden_numbers(f[2 + n])));
    }
  }
}

TEST(broadcasting, gives_read_only_views) {
  const auto b = nw::broadcast_to(nw::ones<float>(1), 1000);
  EXPECT_FALSE(b.writeable());
  const std::string text = "assignment destination is read-only";
  EXPECT_TRUE(throws(
      [&] {
        nw::ndarray<float> c = b;
        c += 1;
      },
      "ValueError", text));
  EXPECT_TRUE(throws([&] { b(nw::slice(0, 3)) = 2.0f; }, "ValueError", text));
  EXPECT_TRUE(throws([&] { nw::add(b, b, {.out = b}); }, "ValueError", text));
  EXPECT_TRUE(throws([&] { b.fill(1); }, "ValueError", text));
  const auto two = nw::broadcast_arrays(nw::zeros<int>({3, 1}), nw::zeros<int>(4));
  EXPECT_EQ(two[0].shape(), nw::shape(3, 4));
  EXPECT_FALSE(two[1].writeable());
}

TEST(typed_views, follow_the_untyped_ones) {
  const auto a = nw::arange(24).reshape({2, 3, 4});
  EXPECT_EQ(a(1, nw::ellipsis, -1).to_vector(), (std::vector<nw::int64>{15, 19, 23}));
  EXPECT_EQ(a(nw::slice(nw::none, nw::none, -1), 0, nw::slice(2)).to_vector(),
            (std::vector<nw::int64>{12, 13, 0, 1}));
  EXPECT_EQ(a(0, nw::newaxis).shape(), nw::shape(1, 3, 4));
  EXPECT_EQ(a.T().shape(), nw::shape(4, 3, 2));
  EXPECT_EQ(nw::moveaxis(a, 0, -1).shape(), nw::shape(3, 4, 2));
  EXPECT_EQ(a.ravel(nw::order::f).to_vector(), a.T().flatten().to_vector());
  EXPECT_EQ(a.rows().size(), 2u);
  EXPECT_EQ(a.item(1, -1, 2), 22);
  EXPECT_EQ(nw::flip(a, 0)(0, 0, 0).item(), 12);
  const auto z = nw::array({nw::complex128(1, 2), nw::complex128(3, 4)});
  z.imag().fill(7);
  EXPECT_EQ(z(1).item(), nw::complex128(3, 7));
  EXPECT_EQ(nw::zeros<float>({2, 3}).view<nw::uint8>().shape(), nw::shape(2, 12));
}

}  // namespace
