// Pending operations: what is fused, what is computed first, and when things are launched. Counted
// in launches and allocations.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <optional>
#include <support/counting.hpp>
#include <thread>

namespace nw = numwarp;
using nw::testing::allocations;
using nw::testing::launches;

namespace {

using array = nw::ndarray<float>;
using values = std::vector<float>;

array three(float x, float y, float z) { return nw::array<float>({x, y, z}); }

array gelu(const array& a) { return a * 0.5f * (nw::tanh(a * 0.8f) + 1.0f); }
array same(const array& a) { return a; }

class pending : public ::testing::Test {
 protected:
  array a = three(1, 2, 3), b = three(10, 20, 30);
};

TEST_F(pending, a_result_waits_until_it_is_read) {
  std::optional<array> c;
  EXPECT_EQ(0, launches([&] { c.emplace(a + b); }));
  EXPECT_TRUE(c->is_pending());
  EXPECT_EQ(1, launches([&] { EXPECT_EQ(22, c->item(1)); }));
  EXPECT_FALSE(c->is_pending());
  EXPECT_EQ(0, launches([&] { EXPECT_EQ((values{11, 22, 33}), c->to_vector()); }));
}

TEST_F(pending, an_unused_result_costs_nothing) {
  EXPECT_EQ(0, launches([&] { auto c = a + b; }));
  EXPECT_EQ(0, allocations([&] { auto c = a + b; }));
  nw::flush();
}

TEST_F(pending, a_statement_is_one_launch_and_one_allocation) {
  array c;
  EXPECT_EQ(1,
            allocations([&] { EXPECT_EQ(1, launches([&] { c = nw::sqrt(a * a + 1) - b / 2; })); }));
  EXPECT_FALSE(c.is_pending()) << "assigning to a name launches";
  EXPECT_FLOAT_EQ(std::sqrt(5.0f) - 10, c.item(1));
}

TEST_F(pending, fuses_across_functions) {
  auto c = gelu(a) + b;
  EXPECT_EQ(1, launches([&] { c.compute(); }));
  // `same` copies its argument, which therefore has two owners: launched before the product.
  std::optional<array> d;
  EXPECT_EQ(1, launches([&] { d.emplace(same(gelu(a) + b) * 2); }));
  EXPECT_EQ(1, launches([&] { d->compute(); }));
}

TEST_F(pending, a_name_used_three_times_is_computed_once) {
  auto y = nw::exp(a);
  array c;
  EXPECT_EQ(2, launches([&] { c = y * y + y; }));
  EXPECT_FALSE(y.is_pending());
  EXPECT_EQ(1, launches([&] { c = y - 1; }));
}

TEST_F(pending, second_names_are_not_absorbed) {
  auto y = a + b;
  auto z = y;
  auto w = std::move(y) * 2;
  EXPECT_FALSE(z.is_pending()) << "had a second owner";
  EXPECT_EQ((values{22, 44, 66}), w.to_vector());
  EXPECT_EQ((values{11, 22, 33}), z.to_vector());

  auto p = a + b;
  EXPECT_EQ((values{22, 44, 66}), (same(p) * 2).to_vector());
  EXPECT_EQ((values{11, 22, 33}), p.to_vector());

  auto q = a + b;
  const bool yes = p.size() == 3;
  auto r = (yes ? q : a) * 2;
  EXPECT_EQ((values{11, 22, 33}), q.to_vector());
  EXPECT_EQ((values{22, 44, 66}), r.to_vector());
}

TEST_F(pending, moved_names_are_consumed_once) {
  auto y = a + b;
  auto z = std::move(y) * 2;
  EXPECT_FALSE(y.valid());
  EXPECT_EQ(1, launches([&] { EXPECT_EQ((values{22, 44, 66}), z.to_vector()); }));

  auto p = a + b;
  auto q = std::move(p) * std::move(p);  // one handle twice is a name
  EXPECT_EQ((values{121, 484, 1089}), q.to_vector());
  auto r = a + b;
  auto s = nw::add(std::move(r), r);
  EXPECT_EQ((values{22, 44, 66}), s.to_vector());
}

TEST_F(pending, x_times_x_loads_once) {
  // Were x loaded anew each time, the 49th load would cut this statement; a * a is one op too.
  std::optional<array> c(a * a);
  for (int i = 0; i < 60; ++i) c.emplace(std::move(*c) + a * a);
  EXPECT_EQ(1, launches([&] { c->compute(); }));
  EXPECT_EQ(61 * 4, c->item(1));
}

TEST_F(pending, reductions_absorb_temporaries) {
  EXPECT_EQ(1, launches([&] {
              EXPECT_EQ(1, allocations([&] { EXPECT_EQ(140, nw::sum(a * b).item()); }));
            }));
  EXPECT_EQ(1, launches([&] { EXPECT_EQ(280, (a * b * 2).sum().item()); }));
  auto y = a * b;
  EXPECT_EQ(2, launches([&] { EXPECT_EQ(140, y.sum().item()); })) << "a name is computed";
  EXPECT_EQ(1, launches([&] { EXPECT_EQ(90, y.max().item()); }));
}

TEST_F(pending, writes_fuse_into_one_launch) {
  EXPECT_EQ(0, allocations([&] { EXPECT_EQ(1, launches([&] { a += b * 2; })); }));
  EXPECT_EQ((values{21, 42, 63}), a.to_vector());
  auto out = nw::zeros<float>(3);
  EXPECT_EQ(0, allocations([&] { EXPECT_EQ(1, launches([&] { out(nw::ellipsis) = a + b; })); }));
  EXPECT_EQ((values{31, 62, 93}), out.to_vector());
  auto wide = nw::zeros<double>(3);
  EXPECT_EQ(0, allocations([&] { EXPECT_EQ(1, launches([&] { wide(nw::ellipsis) = a * b; })); }));
  EXPECT_EQ(0,
            allocations([&] { EXPECT_EQ(1, launches([&] { nw::add(a, b * 3, {.out = out}); })); }));
  EXPECT_EQ((values{51, 102, 153}), out.to_vector());
}

TEST_F(pending, a_temporary_lends_its_buffer) {
  const nw::device_guard on_cpu{nw::cpu};  // foreign memory is the host's
  const auto make = [&] {
    auto sum = a + b;
    sum.compute();
    return sum;
  };
  array c;
  EXPECT_EQ(1, allocations([&] { c = make() * 2; })) << "the sum's buffer holds the product";
  EXPECT_EQ((values{22, 44, 66}), c.to_vector());
  // Named memory is never lent.
  auto y = make();
  EXPECT_EQ(1, allocations([&] { c = y * 2; }));
  EXPECT_EQ((values{11, 22, 33}), y.to_vector());
  // Nor exposed or foreign memory.
  auto e = make();
  const float* seen = e.mutable_data();
  auto kept = nw::wrap(seen, {3});
  EXPECT_EQ(1, allocations([&] { c = std::move(e) * 2; }));
  float mine[] = {1, 2, 3};
  auto w = nw::wrap(mine, {3}, {.stable = true});
  EXPECT_EQ(1, allocations([&] { c = std::move(w) * 2; }));
  EXPECT_EQ(2, mine[1]);
}

TEST_F(pending, expensive_broadcast_operands_are_computed_first) {
  auto m = nw::zeros<float>({4, 3});
  auto c = m + nw::exp(a);
  EXPECT_EQ(1, launches([&] { c.compute(); })) << "exp was launched at the call";
  auto d = m + (a * 2 + 1);
  EXPECT_EQ(1, launches([&] { d.compute(); }));
  EXPECT_EQ(1, launches([&] { auto e = m + nw::exp(a); }));
  EXPECT_EQ(0, launches([&] { auto e = m + (a * 2 + 1); })) << "cheap ones are evaluated again";
  auto row = nw::zeros<float>({1, 3});
  EXPECT_EQ(0, launches([&] { auto e = row + nw::exp(a); })) << "no element is used twice";
  EXPECT_EQ(5, d.item(2, 1));
}

TEST_F(pending, viewed_operands_are_computed_first) {
  auto m = nw::ones<float>({2, 3});
  EXPECT_EQ(1, launches([&] { auto v = (m + 1).T(); }));
  EXPECT_EQ(1, launches([&] { auto v = (m + 1).reshape({3, 2}) * 2; }));
  EXPECT_EQ(1, launches([&] { auto v = (m + 1)(0) * 2; }));
}

TEST_F(pending, statements_of_many_operands_are_cut) {
  std::vector<array> many;
  for (int i = 0; i < 60; ++i) many.push_back(three(float(i), 1, 1));
  std::optional<array> sum(many[0] + many[1]);
  const auto count = launches([&] {
    for (std::size_t i = 2; i < many.size(); ++i) sum.emplace(std::move(*sum) + many[i]);
    sum->compute();
  });
  EXPECT_EQ(60, sum->item(1));
  EXPECT_EQ(2, count);
}

// A chain that only moves, so that nothing but its length can end it.
TEST_F(pending, long_chains_neither_overflow_nor_grow) {
  nw::any_array x = a.untyped();
  const int length = 100000;
  const auto count = launches([&] {
    for (int i = 0; i < length; ++i) {
      nw::detail::operand two[] = {{&x, i > 0, {}}, {nullptr, false, nw::detail::scalar(1)}};
      x = nw::detail::elementwise(nw::core::op_code::add, two);
    }
  });
  EXPECT_NEAR(length / 96, count, 100);
  EXPECT_EQ(1.0f + length, array(x).item(0));
  // Casts alone must not make an endless program either.
  for (int i = 0; i < 5000; ++i) {
    x = nw::detail::cast({&x, true, {}}, i % 2 ? nw::dtype::float32 : nw::dtype::float64);
  }
  EXPECT_EQ(1.0f + length, array(x).item(0));
}

TEST_F(pending, the_seventeenth_root_launches_the_oldest) {
  nw::flush();
  std::vector<array> roots;
  for (int i = 0; i < 16; ++i) roots.push_back(a + float(i));
  EXPECT_TRUE(roots.front().is_pending());
  roots.push_back(a + 16.0f);
  EXPECT_FALSE(roots[0].is_pending());
  EXPECT_TRUE(roots[1].is_pending());
  // Dropped and computed roots do not count.
  roots[2].compute();
  roots.pop_back();
  roots.push_back(a + 17.0f);
  roots.push_back(a + 18.0f);
  EXPECT_TRUE(roots[1].is_pending());
  EXPECT_EQ(16, launches([] { nw::flush(); }));
}

TEST_F(pending, a_growing_statement_is_one_root) {
  nw::flush();
  auto first = a + 1;
  auto c = a * b + a - b + a - b + a - b + a - b + a - b + a - b + a - b + a - b + a - b;
  EXPECT_TRUE(c.is_pending());
  EXPECT_TRUE(first.is_pending());
}

TEST_F(pending, flush_and_synchronize_launch_this_threads_list_only) {
  nw::flush();
  auto c = a + b;
  EXPECT_EQ(0, launches([] { std::thread([] { nw::flush(); }).join(); }));
  EXPECT_EQ(1, launches([] { nw::flush(); }));
  auto d = a + b;
  EXPECT_EQ(1, launches([] { nw::synchronize(); }));
  EXPECT_FALSE(d.is_pending());
}

TEST_F(pending, a_threads_end_leaves_its_results_valid) {
  std::optional<array> c;
  std::thread([&] { c.emplace(a + b); }).join();
  EXPECT_TRUE(c->is_pending());
  EXPECT_EQ(0, launches([] { nw::flush(); }));
  EXPECT_EQ((values{11, 22, 33}), c->to_vector());
}

TEST_F(pending, divmod_is_one_node) {
  auto [q, r] = nw::divmod(b, a + 2);
  EXPECT_EQ(1, launches([&] { q.compute(); }));
  EXPECT_FALSE(r.is_pending());
  EXPECT_EQ((values{1, 0, 0}), r.to_vector());
  auto both = nw::divmod(b, a);
  auto doubled = std::move(both.first) * 2;  // not absorbed: the remainder needs the node
  EXPECT_EQ((values{20, 20, 20}), doubled.to_vector());
  EXPECT_EQ((values{0, 0, 0}), both.second.to_vector());
}

TEST_F(pending, conversions_of_temporaries_fuse) {
  EXPECT_EQ(1, launches([&] { (a * b).astype<double>().compute(); }));
  auto y = a * b;
  EXPECT_EQ(2, launches([&] { y.astype<double>().compute(); }));
}

TEST_F(pending, names_may_be_swapped_and_emptied) {
  auto c = a + b;
  std::swap(c, a);
  EXPECT_EQ((values{11, 22, 33}), a.to_vector());
  EXPECT_EQ((values{1, 2, 3}), c.to_vector());
  c = array();
  EXPECT_FALSE(c.valid());
  std::swap(a, c);
  EXPECT_FALSE(a.valid());
  EXPECT_TRUE(c.valid());
}

}  // namespace
