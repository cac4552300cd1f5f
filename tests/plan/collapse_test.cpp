// Sorting and merging axes keeps the elements that are visited together together.
#include <gtest/gtest.h>

#include <algorithm>

#include "brute.hpp"
#include "plan/elementwise.hpp"
#include "plan/layout.hpp"

namespace plan = numwarp::plan;
using brute::list;
using numwarp::dims;

namespace {

// The offsets of all operands, element by element.
using tuples = std::vector<std::vector<std::int64_t>>;

tuples visit(const dims& shape, const std::vector<const dims*>& strides) {
  tuples out;
  brute::for_each_index(shape, [&](const dims& at) {
    out.emplace_back();
    for (const dims* s : strides) out.back().push_back(brute::dot(at, *s));
  });
  return out;
}

tuples visit(const plan::elementwise& p) {
  std::vector<const dims*> strides;
  for (const auto& o : p.outputs) strides.push_back(&o.strides);
  for (const auto& i : p.inputs) strides.push_back(&i.strides);
  return visit(p.shape, strides);
}

dims random_strides(brute::dice& roll, const dims& shape) {
  dims s = roll(0, 1) ? plan::c_strides(shape, 4) : plan::f_strides(shape, 4);
  for (std::int64_t& x : s) x *= roll(0, 3) ? 1 : roll(-2, 2);
  return s;
}

plan::elementwise random_plan(brute::dice& roll, const plan::program& program) {
  plan::elementwise p;
  p.shape = roll.shape(int(roll(0, 4)), 1, 3);
  p.program = &program;
  p.outputs.resize(1);
  p.outputs[0].strides = random_strides(roll, p.shape);
  p.inputs.resize(std::size_t(roll(0, 2)));
  for (auto& i : p.inputs) i.strides = random_strides(roll, p.shape);
  return p;
}

TEST(collapse, keeps_the_elements_of_a_statement) {
  brute::dice roll;
  const plan::program program{};
  int merged = 0;
  for (int k = 0; k < 5000; ++k) {
    plan::elementwise p = random_plan(roll, program);
    tuples before = visit(p);
    const int ndim = p.shape.size();
    collapse(p);
    tuples after = visit(p);
    EXPECT_EQ(p.size, std::int64_t(before.size()));
    merged += p.shape.size() < ndim;
    for (int i = 0; i < p.shape.size(); ++i) EXPECT_GT(p.shape[i], 1);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    ASSERT_EQ(before, after);
  }
  EXPECT_GT(merged, 2000);
}

TEST(collapse, keeps_their_order_where_the_index_counts) {
  brute::dice roll;
  plan::program program;
  plan::step index;
  index.kind = plan::step_kind::index;
  program.add(index);
  for (int k = 0; k < 2000; ++k) {
    plan::elementwise p = random_plan(roll, program);
    const tuples before = visit(p);
    collapse(p);
    ASSERT_EQ(before, visit(p));
  }
}

TEST(collapse, makes_one_axis_of_contiguous_operands) {
  const plan::program program{};
  const dims shape = list({3, 4, 5});
  for (const dims& strides : {plan::c_strides(shape, 4), plan::f_strides(shape, 4)}) {
    plan::elementwise p;
    p.shape = shape;
    p.program = &program;
    p.outputs.resize(1);
    p.inputs.resize(1);
    p.outputs[0].strides = p.inputs[0].strides = strides;
    collapse(p);
    EXPECT_EQ(p.shape, list({60}));
    EXPECT_EQ(p.outputs[0].strides, list({4}));
  }
}

// For every output element, what is reduced into it.
std::map<std::vector<std::int64_t>, tuples> segments(const plan::reduction& p) {
  std::map<std::vector<std::int64_t>, tuples> out;
  std::vector<const dims*> strides;
  for (const auto& i : p.inputs) strides.push_back(&i.strides);
  dims kept;
  for (int i = 0; i < p.kept; ++i) kept.push_back(p.shape[i]);
  brute::for_each_index(p.shape, [&](const dims& at) {
    std::int64_t to = 0;
    for (int i = 0; i < p.kept; ++i) to += at[i] * p.output.strides[i];
    std::vector<std::int64_t> from;
    for (const dims* s : strides) from.push_back(brute::dot(at, *s));
    out[{to}].push_back(from);
  });
  return out;
}

TEST(collapse, keeps_the_segments_of_a_reduction) {
  brute::dice roll;
  const plan::program program{};
  for (int k = 0; k < 5000; ++k) {
    const bool ordered = roll(0, 1) == 1;
    plan::reduction p;
    p.op = ordered ? numwarp::reduce_code::argmax : numwarp::reduce_code::sum;
    p.shape = roll.shape(int(roll(0, 4)), 1, 3);
    p.kept = int(roll(0, p.shape.size()));
    p.program = &program;
    dims kept;
    for (int i = 0; i < p.kept; ++i) kept.push_back(p.shape[i]);
    p.output.strides = plan::c_strides(kept, 8);
    p.inputs.resize(std::size_t(roll(1, 2)));
    for (auto& i : p.inputs) i.strides = random_strides(roll, p.shape);
    p.order = random_strides(roll, p.shape);
    auto before = segments(p);
    collapse(p);
    auto after = segments(p);
    EXPECT_EQ(p.order.size(), p.shape.size());
    EXPECT_EQ(p.output.strides.size(), p.kept);
    EXPECT_EQ(p.outer, std::int64_t(before.size()));
    ASSERT_EQ(before.size(), after.size());
    for (auto& [to, from] : before) {
      tuples now = after[to];
      EXPECT_EQ(p.count, std::int64_t(from.size()));
      if (!ordered) {
        std::sort(from.begin(), from.end());
        std::sort(now.begin(), now.end());
      }
      ASSERT_EQ(from, now);
    }
  }
}

}  // namespace
