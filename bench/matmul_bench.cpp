// Matrix products: what is chosen by itself, and the tiled kernel where a library was chosen.
#include "harness.hpp"

namespace {

using bench::large;
using bench::small;

struct sizes {
  std::int64_t m, k, n;
  std::string name() const {
    if (m == k && k == n) return std::to_string(m);
    return std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  }
  double flops() const { return 2.0 * double(m) * double(k) * double(n); }
};

// Far fewer multiplications than elements of a cache could keep busy run back to back.
bool is_small(const sizes& s) { return s.flops() < 1e6; }

template <nw::element T>
void product(const std::string& type, const sizes& s, nw::matmul_algorithm algorithm,
             const std::string& suffix = {}) {
  const bool whole = nw::core::is_integer(nw::dtype_of<T>);
  const auto filled = [&](const nw::shape& shape, int seed) {
    const auto x = bench::values(shape, seed);
    auto y = (whole ? x * 9.0f : x).template astype<T>();
    y.compute();
    return y;
  };
  const auto a = filled({s.m, s.k}, 12), b = filled({s.k, s.n}, 13);
  const double flops = s.flops() * (nw::kind(nw::dtype_of<T>) == 'c' ? 4 : 1);
  const auto call = [=] { nw::matmul(a, b, {.algorithm = algorithm}).compute(); };
  const std::string name =
      (is_small(s) ? "small_matmul_" : "matmul_") + type + "_" + s.name() + suffix;
  if (is_small(s)) {
    small(name, call);
  } else {
    large(name, {0, flops}, call);
  }
}

const bool gpu = !nw::default_device().is_cpu();

std::vector<sizes> all_sizes() {
  const std::int64_t big = gpu ? 4096 : 1024;
  return {{1, 1, 1},          {31, 31, 31},       {33, 33, 33},
          {1000, 1000, 1000}, {big, big, big},    {big + 1, big + 1, big + 1},
          {big, 16, big},     {16, big * 16, 16}, {1, big, big}};
}

template <nw::element T> void of_type(const std::string& type) {
  for (const sizes& s : all_sizes()) {
    product<T>(type, s, nw::matmul_algorithm::automatic);
    if (!nw::core::is_integer(nw::dtype_of<T>))
      product<T>(type, s, nw::matmul_algorithm::tiled, "_tiled");
  }
}

const bench::group cases([] {
  of_type<float>("f32");
  of_type<double>("f64");
  of_type<nw::float16>("f16");
  of_type<nw::bfloat16>("bf16");
  of_type<nw::int32>("i32");
  of_type<nw::complex64>("c64");
});

}  // namespace
