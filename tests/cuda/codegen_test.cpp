// The texts of fused kernels, and the steps of unfused programs.
#include "cuda/codegen.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "cuda/elementwise_single.hpp"
#include "cuda/elementwise_slices.hpp"
#include "cuda/elementwise_steps.hpp"

namespace numwarp::cuda_backend {
namespace {

using core::op_code;

plan::constant_bits bits_of(float x) {
  plan::constant_bits b;
  std::memcpy(b.bytes, &x, sizeof x);
  return b;
}

// a * x + b for two inputs and a constant.
plan::program multiply_add(float x) {
  plan::program p;
  const int a = p.load(0, dtype::float32), c = p.constant(dtype::float32, bits_of(x));
  const int product[] = {a, c};
  const int m = p.op(op_code::multiply, dtype::float32, dtype::float32, product, 2);
  const int sum[] = {m, p.load(1, dtype::float32)};
  p.op(op_code::add, dtype::float32, dtype::float32, sum, 2);
  return p;
}

TEST(cuda_codegen, writes_each_step_once) {
  const plan::program p = multiply_add(2);
  const stored_value stored[] = {{int(p.steps.size()) - 1, dtype::float64}};
  const functor_text f = write_functor(p, stored);
  EXPECT_EQ(f.text,
            "struct fused {\n"
            "  using inputs = types<float, float>;\n"
            "  using outputs = types<double>;\n"
            "  template <class Lane> static NW_DEVICE void run(const Lane& x) {\n"
            "    const float v0 = x.template in<0>();\n"
            "    const float v1 = x.template constant<float, 0>();\n"
            "    const float v2 = call<op::multiply, float>(x, v0, v1);\n"
            "    const float v3 = x.template in<1>();\n"
            "    const float v4 = call<op::add, float>(x, v2, v3);\n"
            "    x.template out<0>(cast<double>(v4));\n"
            "  }\n};\n");
  EXPECT_EQ(f.inputs, (std::vector<int>{0, 1}));
  EXPECT_EQ(f.constant_slots, 1);
  EXPECT_EQ(fused_width(f, 3), 2);
}

TEST(cuda_codegen, constants_are_no_part_of_the_key) {
  const plan::program a = multiply_add(2), b = multiply_add(3);
  const stored_value stored[] = {{4, dtype::float32}}, other[] = {{4, dtype::float64}};
  EXPECT_EQ(program_key(a, stored), program_key(b, stored));
  EXPECT_NE(program_key(a, stored), program_key(a, other));
}

plan::compiled_body body_at(const char* text, int line) {
  plan::compiled_body b{{"f", "auto x, auto y", text, "an \"app\".cpp", line},
                        dtype::float64,
                        2,
                        {dtype::float32, dtype::float64},
                        {false, true},
                        nullptr,
                        0};
  b.id = detail::hash_of(b);
  return b;
}

TEST(cuda_codegen, writes_a_body_once_and_calls_it) {
  const plan::compiled_body here = body_at("{ return x; }", 7), there = body_at("{ return x; }", 8);
  const plan::compiled_body other = body_at("{ return y; }", 7);
  const auto call_twice = [](const plan::compiled_body& b) {
    plan::program p;
    const int x = p.load(0, dtype::float32), y = p.constant(dtype::float64, {});
    const int first[] = {x, y}, second[] = {p.cast(p.call(b, first), dtype::float32), y};
    p.call(b, second);
    return p;
  };
  const plan::program p = call_twice(here);
  const stored_value stored[] = {{int(p.steps.size()) - 1, dtype::float64}};
  const functor_text f = write_functor(p, stored);
  EXPECT_EQ(f.text,
            "struct f_0 : function_scope {\n"
            "#line 7 \"an \\\"app\\\".cpp\"\n"
            "static auto body(auto x, auto y) { return x; }\n"
            "#line 1 \"fused.cu\"\n"
            "};\n"
            "struct fused {\n"
            "  using inputs = types<float>;\n"
            "  using outputs = types<double>;\n"
            "  template <class Lane> static NW_DEVICE void run(const Lane& x) {\n"
            "    const float v0 = x.template in<0>();\n"
            "    const double v1 = x.template constant<double, 0>();\n"
            "    const double v2 = result_of(f_0::body(number<float>(v0), v1));\n"
            "    const float v3 = cast<float>(v2);\n"
            "    const double v4 = result_of(f_0::body(number<float>(v3), v1));\n"
            "    x.template out<0>(cast<double>(v4));\n"
            "  }\n};\n");
  // The place in the application is no part of what is compiled.
  const plan::program moved = call_twice(there), changed = call_twice(other);
  EXPECT_EQ(program_key(moved, stored), program_key(p, stored));
  EXPECT_NE(program_key(changed, stored), program_key(p, stored));
  const auto source = [&](const plan::program& q) {
    return elementwise_source(write_functor(q, stored), 1, 2);
  };
  EXPECT_NE(source(moved), source(p));
  EXPECT_EQ(without_places(source(moved)), without_places(source(p)));
  EXPECT_NE(without_places(source(changed)), without_places(source(p)));
}

TEST(cuda_codegen, a_user_function_is_no_single_kernel) {
  const plan::compiled_body b = body_at("{ return x; }", 7);
  plan::program p;
  const int args[] = {p.load(0, dtype::float32), p.constant(dtype::float64, {})};
  const int made = p.call(b, args);
  plan::elementwise e;
  const dims one(1, 4);
  e.shape = dims(1, 10);
  e.inputs = {{nullptr, one, dtype::float32}};
  e.outputs.push_back({{nullptr, one, dtype::float64}, made});
  e.program = &p;
  EXPECT_FALSE(as_single(e));
  e.outputs[0].step = p.cast(made, dtype::int32);
  EXPECT_FALSE(as_single(e));
  e.outputs[0].type = dtype::int32;
  EXPECT_FALSE(as_single(e));
}

TEST(cuda_codegen, steps_that_nobody_needs_are_left_out) {
  plan::program p = multiply_add(2);
  const int unused[] = {p.load(2, dtype::float32)};
  p.op(op_code::sin, dtype::float32, dtype::float32, unused, 1);
  const stored_value stored[] = {{4, dtype::float32}};
  const functor_text f = write_functor(p, stored);
  EXPECT_EQ(f.text.find("op::sin"), std::string::npos);
  EXPECT_EQ(f.inputs.size(), 2u);
}

TEST(cuda_codegen, a_value_keeps_its_buffer_until_its_last_reader) {
  plan::program p;
  const int a = p.load(0, dtype::float32);
  int v[6];
  v[0] = p.op(op_code::sin, dtype::float32, dtype::float32, &a, 1);
  for (int i = 1; i < 5; ++i)
    v[i] = p.op(op_code::cos, dtype::float32, dtype::float32, &v[i - 1], 1);
  const int last[] = {v[4], v[0]};
  v[5] = p.op(op_code::add, dtype::float32, dtype::float32, last, 2);
  const step_use use = uses_of(p, {v[5]});
  const buffer_plan plan = assign_buffers(p, use, {v[5]});
  EXPECT_EQ(plan.count, 3);
  for (int i = 1; i < 5; ++i) {
    EXPECT_NE(plan.buffer[std::size_t(v[i])], plan.buffer[std::size_t(v[0])]);
    EXPECT_NE(plan.buffer[std::size_t(v[i])], plan.buffer[std::size_t(v[i - 1])]);
  }
}

TEST(cuda_codegen, slices_cover_the_plan_in_order) {
  plan::program p;
  p.load(0, dtype::uint8);
  plan::elementwise e;
  char data[1];
  const std::int64_t shape[] = {3, 5, 7}, strides[] = {35, 7, 1};
  e.shape = dims(std::span(shape));
  e.inputs.push_back({data, dims(std::span(strides)), dtype::uint8});
  e.program = &p;
  e.size = 105;
  for (const std::int64_t most : {1, 4, 7, 20, 40, 200}) {
    std::int64_t next = 0;
    for_each_slice(e, 3, most, [&](const plan::elementwise& part, std::int64_t base) {
      EXPECT_EQ(base, next);
      EXPECT_EQ(part.inputs[0].data - data, base);
      EXPECT_LE(part.size, most);
      next += part.size;
    });
    EXPECT_EQ(next, 105);
  }
}

TEST(cuda_codegen, one_op_with_conversions_is_one_kernel) {
  plan::program p;
  const int a = p.cast(p.load(0, dtype::int32), dtype::float64), b = p.load(1, dtype::float64);
  const int args[] = {a, b};
  const int sum = p.op(op_code::add, dtype::float64, dtype::float64, args, 2);
  plan::elementwise e;
  const dims one(1, 8);
  e.shape = dims(1, 10);
  e.inputs = {{nullptr, one, dtype::int32}, {nullptr, one, dtype::float64}};
  e.outputs.push_back({{nullptr, one, dtype::float64}, sum});
  e.program = &p;
  const auto s = as_single(e);
  ASSERT_TRUE(s);
  EXPECT_FALSE(s->native);
  EXPECT_EQ(s->sources.size(), 3u);
  e.outputs[0].step = p.op(op_code::sqrt, dtype::float64, dtype::float64, &sum, 1);
  EXPECT_FALSE(as_single(e));
}

}  // namespace
}  // namespace numwarp::cuda_backend
