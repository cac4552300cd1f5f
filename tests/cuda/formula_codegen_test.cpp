// Users' formulas as kernels: the text, and whether NVRTC takes it. Needs no GPU.
#include <gtest/gtest.h>

#include "cuda/codegen_formula.hpp"
#include "cuda/jit_nvrtc.hpp"

namespace numwarp::cuda_backend {
namespace {

using plan::bound_parameter;

plan::formula make(const char* in, const char* out, const char* body) {
  plan::formula f;
  f.name = "f";
  f.in = plan::parse_parameters(in, "f");
  f.out = plan::parse_parameters(out, "f");
  f.body = body;
  return f;
}
plan::formula make_reduction(const char* in, const char* out, const char* map, const char* reduce,
                             const char* post_map, const char* identity) {
  plan::formula f = make(in, out, map);
  f.reduces = true;
  f.reduce = reduce;
  f.post_map = post_map;
  f.identity = identity;
  return f;
}

bound_parameter element(dtype t, bool kept = false) { return {t, bound_parameter::element, kept}; }
bound_parameter value(dtype t) { return {t, bound_parameter::value}; }
bound_parameter raw(dtype t, int rank, bool contiguous) {
  return {t, bound_parameter::raw, false, contiguous, std::uint8_t(rank)};
}

TEST(formula_codegen, calls_the_users_text_with_what_it_is_passed) {
  const plan::formula f = make("T x, T c, raw int32 y", "T z", "z = x * c + y[i]");
  const bound_parameter list[] = {element(dtype::float32), value(dtype::float32),
                                  raw(dtype::int32, 2, true), element(dtype::float32)};
  const functor_text t = write_formula(f, list);
  EXPECT_EQ(
      t.text,
      "struct fused {\n"
      "  using inputs = types<float>;\n"
      "  using outputs = types<float>;\n"
      "  template <class Lane> static NW_DEVICE void run(const Lane& lane) {\n"
      "    float out0{};\n"
      "    ::numwarp_map(lane.template in<0>(), lane.template constant<float, 0>(), "
      "*reinterpret_cast<const numwarp::strided_array<const int, 2, true>*>(lane.constants + 1), "
      "out0, lane.index(), lane.template constant<long, 6>());\n"
      "    lane.template out<0>(out0);\n"
      "  }\n};\n");
  EXPECT_EQ(t.constant_slots, 7);
  EXPECT_TRUE(t.uses_index);
  EXPECT_NE(t.prelude.find("\n#line 1 \"f\"\nz = x * c + y[i];\n"), t.prelude.npos) << t.prelude;
  EXPECT_NE(t.prelude.find("using T = float;\n"), t.prelude.npos);
}

TEST(formula_codegen, keys_tell_variants_apart) {
  plan::formula f = make("T x", "T z", "z = x");
  plan::formula_call a, b;
  a.of = b.of = &f;
  a.parameters = {element(dtype::float32), element(dtype::float32)};
  b.parameters = {value(dtype::float32), element(dtype::float32)};
  EXPECT_NE(formula_key(a), formula_key(b));
  b.parameters = {element(dtype::float32), element(dtype::float32, true)};
  EXPECT_NE(formula_key(a), formula_key(b));
  b.parameters = a.parameters;
  b.words.push_back(7);
  EXPECT_EQ(formula_key(a), formula_key(b));
}

class formula_nvrtc : public testing::Test {
  void SetUp() override {
    if (!nvrtc_available()) GTEST_SKIP() << "NVRTC is not installed";
  }

 protected:
  static void expect_compiles(const std::string& source,
                              const std::vector<std::string>& options = {}) {
    const compiled c = compile_kernel(source, 90, &options);
    EXPECT_GT(c.code.size(), 1000u) << c.log << '\n' << source;
    EXPECT_LE(c.log.size(), 1u) << c.log << '\n' << source;
  }
  static void expect_elementwise(const plan::formula& f, std::vector<bound_parameter> list,
                                 int outputs) {
    const functor_text t = write_formula(f, list);
    const int width = outputs > 0 ? fused_width(t, int(t.inputs.size()) + outputs) : 1;
    expect_compiles(elementwise_source(t, outputs, width), f.options);
  }
  static void expect_reduction(const plan::formula& f, std::vector<bound_parameter> list,
                               dtype reduced) {
    const functor_text t = write_formula(f, list, reduced);
    for (const bool columns : {false, true})
      expect_compiles(reduction_source(t, formula_reducer, columns, fused_reduction_width(t)));
    expect_compiles(merge_source(t, formula_reducer, reduced));
  }
};

TEST_F(formula_nvrtc, compiles_every_element_type) {
  const plan::formula f = make("T x, T y", "T z", "z = x * y + x");
  for (int t = 1; t < dtype_count; ++t) {  // T(int) of a bool would be a warning
    const dtype d = dtype(t);
    plan::formula g = f;
    if (itemsize(d) < 4 && kind(d) != 'f') g.body = "z = T(x * y + x)";
    expect_elementwise(g, {element(d), element(d), element(d)}, 1);
  }
  expect_elementwise(make("bool x", "bool z", "z = !x"),
                     {element(dtype::bool_), element(dtype::bool_)}, 1);
}

TEST_F(formula_nvrtc, compiles_raw_arrays_values_and_several_outputs) {
  plan::formula f = make("raw T x, Q k, float16 h", "T y, complex64 z",
                         "if (i > 0 && i + 1 < n) y = x[i - 1] + x(0, i) * T(k);\n"
                         "z = exp(numwarp::core::complex<float>(float(h), scale(2))) * z");
  f.preamble =
      "#include <cuda_fp16.h>\n__device__ float scale(int k) { return k * float(FACTOR); }";
  f.options = {"-DFACTOR=3"};
  expect_elementwise(f,
                     {raw(dtype::float64, 2, false), value(dtype::int64), element(dtype::float16),
                      element(dtype::float64), element(dtype::complex64, true)},
                     2);
  expect_elementwise(make("raw T x", "raw T y", "y[i] = x[n - 1 - i]"),
                     {raw(dtype::int8, 1, true), raw(dtype::int8, 3, false)}, 0);
}

TEST_F(formula_nvrtc, compiles_random_numbers_of_the_library) {
  plan::formula f =
      make("uint64 seed", "float32 u",
           "u = numwarp::core::random::unit(numwarp::core::random::block(seed, i).a)");
  f.preamble = "#include <numwarp/core/random.hpp>";
  expect_elementwise(f, {value(dtype::uint64), element(dtype::float32)}, 1);
}

TEST_F(formula_nvrtc, compiles_reductions) {
  expect_reduction(make_reduction("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0"),
                   {element(dtype::float32), element(dtype::float32)}, dtype::float32);
  expect_reduction(
      make_reduction("T x, float64 w", "float64 y", "x * w", "a + b", "y = a / n", "0"),
      {element(dtype::int16), value(dtype::float64), element(dtype::float64)}, dtype::float64);
  expect_reduction(make_reduction("T x", "T y", "x", "a < b ? a : b", "y = a", ""),
                   {element(dtype::int8), element(dtype::int8)}, dtype::int8);
  expect_reduction(
      make_reduction("T x, raw T t", "T y", "x * t[0]", "a * b", "y = a", "1"),
      {element(dtype::complex128), raw(dtype::complex128, 1, true), element(dtype::complex128)},
      dtype::complex128);
}

TEST_F(formula_nvrtc, errors_are_of_the_users_lines) {
  const auto log = [](const plan::formula& f, std::vector<bound_parameter> list) {
    const functor_text t = write_formula(f, list, dtype::float32);
    const std::vector<std::string> none;
    return compile_kernel(f.reduces ? reduction_source(t, formula_reducer, false, 1)
                                    : elementwise_source(t, 1, 1),
                          90, &none)
        .log;
  };
  const std::vector<bound_parameter> list{element(dtype::float32), element(dtype::float32)};
  std::string text = log(make("T x", "T z", "z = x;\nz = nonsense"), list);
  EXPECT_EQ(text.find("f(2): error: "), 0u) << text;
  text = log(make_reduction("T x", "T y", "x", "a +\nwrong", "y = a", "0"), list);
  EXPECT_EQ(text.find("f: reduce(2): error: "), 0u) << text;
  plan::formula f = make("T x", "T z", "z = x");
  f.preamble = "\n\nint g() { return wrong; }";
  text = log(f, list);
  EXPECT_EQ(text.find("f: preamble(3): error: "), 0u) << text;
}

}  // namespace
}  // namespace numwarp::cuda_backend
