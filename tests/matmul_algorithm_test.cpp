// algorithm=: BLAS and numwarp's own loops give the same products.
#include <numwarp/linalg.hpp>

#include "support/arrays.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::matmul_algorithm;

namespace {

// Small whole numbers: every order of summation gives the same bits.
any_array whole(const nw::shape& s, nw::dtype t, int seed) {
  std::int64_t n = 1;
  for (const std::int64_t extent : s) n *= extent;
  const auto i = nw::arange(n) * 7919 + seed;
  const any_array x = (i % 5 - 2).untyped();
  if (nw::kind(t) != 'c') return x.astype(t).compute().reshape(s);
  const auto z = nw::complex128(0, 1) * (i % 3 - 1) + (i % 5 - 2);
  return z.untyped().astype(t).compute().reshape(s);
}

bool has_blas(nw::dtype t) { return nw::kind(t) == 'f' || nw::kind(t) == 'c'; }

class algorithms : public ::testing::TestWithParam<int> {
 protected:
  nw::dtype type() const { return nw::dtype(GetParam()); }
  void compare(const any_array& a, const any_array& b) const {
    SCOPED_TRACE(to_string(a.shape()) + " @ " + to_string(b.shape()));
    const any_array want = nw::matmul(a, b);
    const tolerance t{.zero_signs = false};
    for (const auto algorithm : {matmul_algorithm::blas, matmul_algorithm::tiled}) {
      if (algorithm == matmul_algorithm::blas && !has_blas(type())) continue;
      EXPECT_TRUE(equal(nw::matmul(a, b, {.out = {}, .algorithm = algorithm}), want, t));
      EXPECT_TRUE(equal(nw::dot(a, b, {.out = {}, .algorithm = algorithm}), nw::dot(a, b), t));
      const any_array out = nw::detail::empty(want.shape(), want.type(), want.device());
      nw::matmul(a, b, {.out = out, .algorithm = algorithm});
      EXPECT_TRUE(equal(out, want, t));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(all, algorithms, ::testing::Range(0, int(nw::dtype_count)),
                         [](const auto& p) { return std::string(nw::name(nw::dtype(p.param))); });

TEST_P(algorithms, agree) {
  struct sizes {
    int m, k, n;
  };
  for (const auto& [m, k, n] : {sizes{1, 1, 1},
                                {3, 4, 5},
                                {31, 33, 32},
                                {100, 300, 70},
                                {1, 200, 50},
                                {50, 200, 1},
                                {1, 500, 1},
                                {130, 7, 130}}) {
    const any_array a = whole({m, k}, type(), 1), b = whole({k, n}, type(), 2);
    compare(a, b);
    compare(a.copy(nw::order::f), b);
    compare(whole({k, m}, type(), 3).transpose(), whole({n, k}, type(), 4).transpose());
  }
}

TEST_P(algorithms, agree_on_stacks_views_and_vectors) {
  const any_array a = whole({3, 1, 6, 40}, type(), 1), b = whole({2, 40, 33}, type(), 2);
  compare(a, b);
  compare(a.subscript(std::vector<nw::detail::subscript>{0, 0, nw::slice(0, 6, 2)}), b);
  compare(whole({40}, type(), 3), b);
  compare(a, whole({40}, type(), 4));
  compare(whole({0, 4}, type(), 5), whole({4, 3}, type(), 6));
  compare(whole({2, 0}, type(), 5), whole({0, 3}, type(), 6));
}

TEST_P(algorithms, that_a_type_lacks_are_refused) {
  const any_array a = whole({2, 2}, type(), 1);
  if (has_blas(type())) return;
  const std::string text = "algorithm blas has no products of " + std::string(nw::name(type()));
  EXPECT_TRUE(throws([&] { nw::matmul(a, a, {.out = {}, .algorithm = matmul_algorithm::blas}); },
                     "ValueError", "matmul: " + text));
  EXPECT_TRUE(throws([&] { nw::dot(a, a, {.out = {}, .algorithm = matmul_algorithm::blas}); },
                     "ValueError", "dot: " + text));
}

TEST(algorithm, is_a_keyword_of_typed_products) {
  const auto a = nw::array<float>({{1, 2}, {3, 4}});
  const auto out = nw::zeros<float>({2, 2});
  nw::matmul(a, a, {.out = out, .algorithm = matmul_algorithm::tiled});
  EXPECT_EQ(out.to_vector(), (std::vector<float>{7, 10, 15, 22}));
  EXPECT_EQ(nw::dot(a, a, {.algorithm = matmul_algorithm::blas}).to_vector(), out.to_vector());
  EXPECT_EQ(nw::outer(a, a, {.out = nw::zeros<float>({4, 4})}).item(3, 3), 16);
}

TEST(algorithm, keeps_special_values_of_floats) {
  const float inf = std::numeric_limits<float>::infinity();
  const auto a = nw::array<float>({{inf, 1}, {0, 2}});
  for (const auto algorithm : {matmul_algorithm::blas, matmul_algorithm::tiled}) {
    const auto c = nw::matmul(a, a, {.algorithm = algorithm});
    EXPECT_EQ(c.item(0, 0), inf);
    EXPECT_TRUE(std::isnan(c.item(1, 0)));
  }
}

}  // namespace
