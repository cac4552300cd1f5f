// Fused kernels compiled by NVRTC for sm_90, as the library does it. Needs no GPU.
#include <gtest/gtest.h>

#include <algorithm>
#include <numwarp/function.hpp>
#include <numwarp/ndarray.hpp>

#include "cuda/codegen.hpp"
#include "cuda/jit_nvrtc.hpp"

namespace numwarp::cuda_backend {
namespace {

using core::op_code;

void expect_compiles(const std::string& source, const std::string& what) {
  const compiled c = compile_kernel(source, 90);
  EXPECT_GT(c.code.size(), 1000u) << what << '\n' << c.log.substr(0, 3000);
  EXPECT_LE(c.log.size(), 1u) << what << '\n' << c.log.substr(0, 3000);
}

// Kernels of at most eight ops each, so that none takes long: all ops that compute in `t`.
std::vector<std::string> sources_of_all_ops(dtype t) {
  std::vector<std::string> sources;
  plan::program p;
  std::vector<stored_value> stored;
  const auto flush = [&] {
    if (!stored.empty())
      sources.push_back(elementwise_source(write_functor(p, stored), int(stored.size()), 1));
    p = {};
    stored.clear();
  };
  for (int code = 0; code < core::op_count; ++code) {
    const op_code op = op_code(code);
    dtype compute, result;
    if (!core::resolve(op, t, compute, result) || compute != t) continue;
    int args[3];
    for (int k = 0; k < core::op_arity(op); ++k) {
      args[k] = p.cast(p.load(k, t), core::arg_dtype(op, k, t));
    }
    stored.push_back({p.op(op, compute, result, args, core::op_arity(op)), result});
    if (stored.size() == 8) flush();
  }
  flush();
  return sources;
}

class nvrtc : public testing::Test {
  void SetUp() override {
    if (!nvrtc_available()) GTEST_SKIP() << "NVRTC is not installed";
  }
};

TEST_F(nvrtc, compiles_every_op_of_every_dtype_inside_the_kernel) {
  for (int tag = 0; tag < dtype_count; ++tag) {
    for (const std::string& source : sources_of_all_ops(dtype(tag))) {
      expect_compiles(source, std::string(name(dtype(tag))));
    }
  }
}

// In its own type; NumPy has these ufuncs' at for arrays of other types, too.
TEST_F(nvrtc, compiles_updates_of_ops_without_a_kernel) {
  for (const op_code op : {op_code::power, op_code::arctan2, op_code::less, op_code::logical_not,
                           op_code::sqrt, op_code::left_shift, op_code::conjugate}) {
    for (const dtype t :
         {dtype::bool_, dtype::uint8, dtype::float16, dtype::float64, dtype::complex64}) {
      dtype compute, result;
      if (!core::resolve(op, t, compute, result)) continue;
      expect_compiles(update_source(op, t, compute),
                      std::string(core::op_name(op)) + ' ' + std::string(name(t)));
    }
  }
}

TEST_F(nvrtc, compiles_source_of_the_user) {
  const char* const source =
      "template <class T> __global__ void fill(T* x) { *x = VALUE; }\n"
      "extern \"C\" __global__ void zero(float* x) { *x = 0; }\n";
  const compiled c = compile_source(source, 90, {"-DVALUE=3"}, {"fill<float>", "fill<double>"});
  EXPECT_GT(c.code.size(), 1000u) << c.log;
  EXPECT_EQ(c.lowered, (std::vector<std::string>{"_Z4fillIfEvPT_", "_Z4fillIdEvPT_"}));
  const compiled old = compile_source(source, 90, {"-DVALUE=3", "-std=c++14"}, {});
  EXPECT_GT(old.code.size(), 500u) << old.log;
  const compiled bad = compile_source("__global__ void f() { VALUE }", 90, {}, {});
  EXPECT_TRUE(bad.code.empty());
  EXPECT_NE(bad.log.find("source.cu(1): error"), std::string::npos) << bad.log;
}

TEST_F(nvrtc, sources_of_the_user_see_the_portable_core) {
  const compiled c = compile_source(
      "#include <numwarp/core/random.hpp>\n"
      "#include <numwarp/core/strided_array.hpp>\n"
      "using namespace numwarp;\n"
      "extern \"C\" __global__ void f(strided_array<float, 2> x, strided_array<const double, 1> "
      "y,\n"
      "                             float16* h, unsigned long seed) {\n"
      "  const long i = threadIdx.x;\n"
      "  const core::random::words w = core::random::block(seed, i);\n"
      "  x(i, 0) = core::random::unit(w.a) * float(y[i]) + float(h[i]);\n"
      "  h[i] = float16(core::random::unit(core::random::wide(w.c, w.d)));\n"
      "}\n",
      90, {"-default-device"}, {}, "mine.cu");
  EXPECT_GT(c.code.size(), 1000u) << c.log;
  EXPECT_LE(c.log.size(), 1u) << c.log;
  const compiled bad = compile_source("int x = ;", 90, {}, {}, "dir/mine.cu");
  EXPECT_NE(bad.log.find("dir/mine.cu(1): error"), std::string::npos) << bad.log;
}

TEST_F(nvrtc, compiles_every_reduction_over_a_fused_operand) {
  for (const auto& [op, compute] :
       {std::pair{reduce_code::sum, dtype::float32}, std::pair{reduce_code::var, dtype::complex64},
        std::pair{reduce_code::argmax, dtype::float64}, std::pair{reduce_code::any, dtype::bool_},
        std::pair{reduce_code::max, dtype::int32}}) {
    plan::program p;
    const int args[] = {p.load(0, compute), p.load(1, compute)};
    const stored_value stored[] = {{p.op(op_code::multiply, compute, compute, args, 2), compute}};
    const functor_text f = write_functor(p, stored);
    for (const bool columns : {false, true}) {
      expect_compiles(
          reduction_source(f, reducer_text(op, compute), columns, fused_reduction_width(f)),
          reduce_name(op));
    }
  }
}

TEST_F(nvrtc, compiles_casts_constants_and_the_index) {
  plan::program p;
  plan::step index;
  index.kind = plan::step_kind::index;
  index.type = index.compute = dtype::int64;
  const int i = p.cast(p.add(index), dtype::float16);
  const int c = p.constant(dtype::complex128, {});
  const int args[] = {p.cast(i, dtype::complex128), c};
  const stored_value stored[] = {
      {p.op(op_code::add, dtype::complex128, dtype::complex128, args, 2), dtype::bool_}};
  const functor_text f = write_functor(p, stored);
  EXPECT_TRUE(f.uses_index);
  EXPECT_EQ(f.constant_slots, 2);
  expect_compiles(elementwise_source(f, 1, fused_width(f, 1)), "index");
}

float of_the_application() { return 1; }
#define SCALE 0.5
NW_FUNCTION_BODY(leaky, (x, slope), {
  if (x > 0) return x * SCALE;  // a macro of the application
  return slope * x;
});
NW_FUNCTION_BODY(halvings, (x, most), {
  int n = 0;
  for (auto y = x; y > 1 && n < most; ++n) y /= 2;
  return n;
});
// All that a body may say: every name, operators, conversions, plain numbers.
NW_FUNCTION_BODY(all_of_it, (x, y), {
  auto sum = abs(x) + sqrt(y) * 2 - y / 3 + pow(x, 2) + astype<double>(x) + pi;
  sum += exp(-x);
  sum *= 2;
  const bool far = sum > inf || !(x == y);
  if (far && isfinite(x)) return where(x < y, sum, 0);
  return maximum(sum, double(int(y))) + sqrt(2.0);
});
NW_FUNCTION_BODY(conjugated, (z), { return z * conj(z) + real(z); });
NW_FUNCTION_BODY(host_only, (x), { return x + of_the_application(); });
constexpr int host_only_line = __LINE__ - 1;

// The source of a kernel that calls F on inputs of these types, and twice what it gives.
template <class F, class... A> std::string source_of() {
  any_array none;
  std::vector<detail::operand> operands{
      {detail::is_ndarray<A> ? &none : nullptr, false, detail::scalar(2)}...};
  plan::program p;
  const int made = detail::compiled_function<F>::template trace<A...>(p, operands);
  const dtype t = p.steps[std::size_t(made)].type;
  const int twice[] = {made, made};
  const stored_value stored[] = {{p.op(op_code::add, t, t, twice, 2), t}};
  return elementwise_source(write_functor(p, stored), 1, 2);
}

TEST_F(nvrtc, compiles_functions_with_statements) {
  expect_compiles(source_of<leaky_function, ndarray<float>, double>(), "leaky");
  expect_compiles(source_of<leaky_function, ndarray<float16>, ndarray<float16>>(), "leaky");
  expect_compiles(source_of<halvings_function, ndarray<bfloat16>, int>(), "halvings");
  expect_compiles(source_of<halvings_function, ndarray<double>, long>(), "halvings");
  expect_compiles(source_of<all_of_it_function, ndarray<double>, ndarray<float>>(), "all");
  expect_compiles(source_of<all_of_it_function, ndarray<float16>, ndarray<std::int64_t>>(), "all");
  expect_compiles(source_of<conjugated_function, ndarray<std::complex<float>>>(), "conjugated");
}

TEST_F(nvrtc, an_error_in_a_body_is_at_its_line_of_the_application) {
  const std::string source = source_of<host_only_function, ndarray<float>>();
  const compiled c = compile_kernel(source, 90);
  EXPECT_TRUE(c.code.empty());
  const std::string place = __FILE__ "(" + std::to_string(host_only_line) + "): error";
  EXPECT_NE(c.log.find(place), std::string::npos) << c.log;
  EXPECT_LT(std::count(c.log.begin(), c.log.end(), '\n'), 30) << c.log;
}

TEST_F(nvrtc, a_wrong_text_gives_a_log_and_no_code) {
  const compiled c = compile_kernel("#include \"elementwise.cuh\"\nint x = ;\n", 90);
  EXPECT_TRUE(c.code.empty());
  EXPECT_NE(c.log.find("error"), std::string::npos);
}

}  // namespace
}  // namespace numwarp::cuda_backend
