// Programs: equal steps are one, appended programs share them, and the text tells programs apart.
#include "plan/program.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace plan = numwarp::plan;
using numwarp::dtype;
using numwarp::core::op_code;

namespace {

plan::constant_bits bits(float x) {
  plan::constant_bits b;
  std::memcpy(b.bytes, &x, sizeof x);
  return b;
}

int binary(plan::program& p, op_code op, int a, int b) {
  const int args[] = {a, b};
  return p.op(op, dtype::float32, dtype::float32, args, 2);
}

TEST(program, equal_steps_are_one) {
  plan::program p;
  const int x = p.load(0, dtype::float32);
  EXPECT_EQ(p.load(0, dtype::float32), x);
  const int c = p.constant(dtype::float32, bits(2));
  EXPECT_EQ(p.constant(dtype::float32, bits(2)), c);
  EXPECT_NE(p.constant(dtype::float32, bits(3)), c);
  const int y = binary(p, op_code::multiply, x, c);
  EXPECT_EQ(binary(p, op_code::multiply, x, c), y);
  EXPECT_NE(binary(p, op_code::multiply, c, x), y);
  EXPECT_EQ(p.cast(x, dtype::float32), x);
  EXPECT_EQ(p.cast(x, dtype::float64), p.cast(x, dtype::float64));
  EXPECT_NE(p.constant(dtype::float32, bits(0.0f)), p.constant(dtype::float32, bits(-0.0f)));
}

TEST(program, appended_ones_share_steps) {
  plan::program p, q;
  binary(p, op_code::add, p.load(0, dtype::float32), p.load(1, dtype::float32));
  const int a = q.load(0, dtype::float32), b = q.load(1, dtype::float32);
  const int product = binary(q, op_code::multiply, binary(q, op_code::add, a, b), b);
  const std::size_t before = p.steps.size();
  const int inputs[] = {0, 1}, others[] = {1, 2};
  const auto same = p.append(q, inputs);
  EXPECT_EQ(p.steps.size(), before + 1);  // the sum was there
  EXPECT_EQ(same[std::size_t(product)], int(before));
  const auto turned = p.append(q, others);
  const plan::step& last = p.steps[std::size_t(turned[std::size_t(product)])];
  EXPECT_EQ(p.steps[std::size_t(last.args[1])].args[0], 2);
  EXPECT_EQ(p.op_count(), 4);
  // Arguments come before their users.
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    if (p.steps[i].kind != plan::step_kind::op) continue;
    for (const int arg : p.steps[i].args) EXPECT_LT(arg, int(i));
  }
}

TEST(program, cheap_ones_have_sums_and_products_only) {
  plan::program p;
  const int x = p.load(0, dtype::float32);
  binary(p, op_code::multiply, x, binary(p, op_code::add, x, x));
  p.cast(x, dtype::float64);
  EXPECT_TRUE(p.cheap());
  const int args[] = {x};
  p.op(op_code::exp, dtype::float32, dtype::float32, args, 1);
  EXPECT_FALSE(p.cheap());
}

TEST(program, text_is_canonical) {
  const auto build = [](dtype t, float c, op_code op) {
    plan::program p;
    const int x = p.cast(p.load(3, t), dtype::float32);
    binary(p, op, x, p.constant(dtype::float32, bits(c)));
    return to_string(p);
  };
  EXPECT_EQ(build(dtype::float32, 1, op_code::add),
            "v0=load float32 3;v1=const float32 0000803f;v2=add float32 v0 v1;");
  EXPECT_EQ(build(dtype::int8, 1, op_code::add),
            "v0=load int8 3;v1=cast float32 v0;v2=const float32 0000803f;v3=add float32 v1 v2;");
  EXPECT_EQ(build(dtype::int8, 1, op_code::add), build(dtype::int8, 1, op_code::add));
  EXPECT_NE(build(dtype::int8, 1, op_code::add), build(dtype::uint8, 1, op_code::add));
  EXPECT_NE(build(dtype::int8, 1, op_code::add), build(dtype::int8, 1, op_code::subtract));
  EXPECT_NE(build(dtype::int8, 0.0f, op_code::add), build(dtype::int8, -0.0f, op_code::add));
}

constexpr plan::compiled_body body_of(const char* text) {
  plan::compiled_body b{{"f", "auto x, auto y", text, "app.cpp", 7},
                        dtype::float32,
                        2,
                        {dtype::float32, dtype::float64},
                        {false, true},
                        nullptr,
                        0};
  b.id = numwarp::detail::hash_of(b);
  return b;
}
constexpr plan::compiled_body twice = body_of("{ return x * y; }");
constexpr plan::compiled_body other = body_of("{ return x + y; }");

TEST(program, calls_are_told_apart_by_their_text) {
  plan::program p;
  const int args[] = {p.load(0, dtype::float32), p.constant(dtype::float64, {})};
  const int a = p.call(twice, args);
  EXPECT_EQ(p.call(twice, args), a);
  EXPECT_NE(p.call(other, args), a);
  EXPECT_NE(twice.id, other.id);
  EXPECT_EQ(&p.steps[std::size_t(a)].called(), &twice);
  EXPECT_EQ(p.steps[std::size_t(a)].type, dtype::float32);
  EXPECT_EQ(p.op_count(), 2);
  EXPECT_FALSE(p.cheap());
  EXPECT_NE(plan::to_string(p).find("v2=call f(auto x, auto y){ return x * y; } float32 float32 "
                                    "float64! v0 v1;"),
            std::string::npos)
      << plan::to_string(p);
}

TEST(program, is_appended_on_values) {
  plan::program f, p;
  const int two = f.constant(dtype::float32, bits(2));
  const int product = binary(f, op_code::multiply, f.load(1, dtype::float32), two);
  const int sum = binary(f, op_code::add, product, f.load(0, dtype::float32));
  const int x = p.load(0, dtype::float32);
  const int values[] = {x, binary(p, op_code::subtract, x, x)};
  const auto at = p.append_on(f, values);
  const plan::step& last = p.steps[std::size_t(at[std::size_t(sum)])];
  EXPECT_EQ(last.args[0], at[std::size_t(product)]);
  EXPECT_EQ(last.args[1], values[0]);
  EXPECT_EQ(p.steps[std::size_t(last.args[0])].args[0], values[1]);
}

}  // namespace
