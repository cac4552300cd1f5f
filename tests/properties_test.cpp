// Overlap: every op writing into every overlapping view of its operands equals the op on copies.
// And the same bits by every form of call.
#include "support/golden_ufuncs.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::slice;
using nw::core::op_code;

namespace {

using items = std::vector<nw::detail::subscript>;

struct view_of {
  const char* name;
  any_array (*see)(const any_array&);
};

// Views of one shape, (5, 5), of a (11, 11) array.
const std::vector<view_of> views = {
    {"corner",
     [](const any_array& a) {
       return subscript(a, {slice(0, 5), slice(0, 5)});
     }},
    {"shifted down",
     [](const any_array& a) {
       return subscript(a, {slice(1, 6), slice(0, 5)});
     }},
    {"shifted up",
     [](const any_array& a) {
       return subscript(a, {slice(0, 5), slice(1, 6)});
     }},
    {"transposed",
     [](const any_array& a) {
       return subscript(a, {slice(0, 5), slice(0, 5)}).transpose();
     }},
    {"reversed",
     [](const any_array& a) {
       return subscript(a, {slice(4, nw::none, -1), slice(0, 5)});
     }},
    {"turned",
     [](const any_array& a) {
       return subscript(a, {slice(4, nw::none, -1), slice(4, nw::none, -1)});
     }},
    {"every other",
     [](const any_array& a) {
       return subscript(a, {slice(0, 10, 2), slice(1, 11, 2)});
     }},
    {"diagonal pairs",
     [](const any_array& a) {
       return subscript(a, {slice(3, 8), slice(2, 7)});
     }},
    {"elsewhere",
     [](const any_array& a) {
       return subscript(a, {slice(6, 11), slice(6, 11)});
     }},
    {"one row",
     [](const any_array& a) {
       return subscript(a, {2, slice(0, 5)}).broadcast_to({5, 5});
     }},
};

any_array base(nw::dtype t) {
  const auto x = nw::arange<double>(121);
  const auto v = nw::remainder(x * 37.0, 11.0) + 1;
  return (t == nw::dtype::bool_ ? nw::greater(v, 5).untyped() : v.untyped().astype(t))
      .reshape({11, 11});
}

class overlap : public ::testing::TestWithParam<nw::dtype> {};

INSTANTIATE_TEST_SUITE_P(all, overlap,
                         ::testing::Values(nw::dtype::bool_, nw::dtype::uint8, nw::dtype::int64,
                                           nw::dtype::float16, nw::dtype::float32,
                                           nw::dtype::complex128),
                         [](const auto& p) { return std::string(nw::name(p.param)); });

// out is a view of the operands' buffer; `right` is what stands in the buffer afterwards.
void check(op_code op, nw::dtype t, const view_of& x, const view_of& y, const view_of& to) {
  const any_array clean = base(t), used = base(t);
  const any_array result = call(op, {x.see(clean).copy(), y.see(clean).copy()});
  nw::detail::assign(to.see(clean), named(result), "test");
  const any_array out = to.see(used);
  call(op, {x.see(used), y.see(used)}, {.out = &out});
  EXPECT_TRUE(equal(used, clean)) << nw::core::op_name(op) << " of " << x.name << ", " << y.name
                                  << " to " << to.name;
}

TEST_P(overlap, of_out_and_operands_is_harmless) {
  for (int code = 0; code < nw::core::op_count; ++code) {
    const op_code op = op_code(code);
    nw::dtype compute{}, result{};
    if (nw::core::op_arity(op) != 2 || !nw::core::resolve(op, GetParam(), compute, result))
      continue;
    if (!nw::detail::can_cast_same_kind(result, GetParam())) continue;
    const bool thorough = op == op_code::subtract || op == op_code::bitwise_xor;
    for (std::size_t i = 0; i < views.size(); ++i) {
      for (std::size_t k = 0; k + 1 < views.size(); ++k) {  // the last one is read-only
        for (std::size_t j = 0; j < views.size(); ++j) {
          if (!thorough && j != (i + k) % views.size()) continue;
          check(op, GetParam(), views[i], views[j], views[k]);
        }
      }
    }
  }
}

TEST_P(overlap, of_assignments_is_harmless) {
  for (const view_of& from : views) {
    for (std::size_t k = 0; k + 1 < views.size(); ++k) {
      const any_array clean = base(GetParam()), used = base(GetParam());
      nw::detail::assign(views[k].see(clean), named(from.see(clean).copy()), "test");
      nw::detail::assign(views[k].see(used), named(from.see(used)), "test");
      EXPECT_TRUE(equal(used, clean)) << from.name << " to " << views[k].name;
    }
  }
}

TEST(overlap_in_place, of_large_arrays) {
  auto x = (nw::arange(10000).reshape({100, 100}) * 1).compute();
  x += x.T();
  EXPECT_EQ(x.sum().item(), 99990000);
  EXPECT_TRUE((x == x.T()).all().item());
  for (const std::int64_t n : {5, 1000, 300001}) {
    const auto up = (nw::arange(n) * 1).compute(), down = (nw::arange(n) * 1).compute();
    up(slice(1, nw::none)) = up(slice(0, -1));
    EXPECT_TRUE((up(slice(1, nw::none)) == nw::arange(n - 1)).all().item()) << n;
    EXPECT_EQ(up(0).item(), 0);
    down(slice(0, -1)) = down(slice(1, nw::none));
    EXPECT_TRUE((down(slice(0, -1)) == nw::arange(1, n)).all().item()) << n;
    down(nw::ellipsis) = down(slice(nw::none, nw::none, -1));
    EXPECT_EQ(down(-1).item(), 1) << n;
  }
  auto y = nw::ones<float>(1000);
  y(slice(0, 999)) += y(slice(1, 1000)) * 2;
  EXPECT_EQ(y.sum().item(), 999 * 3 + 1);
}

TEST(overlap_in_place, of_pending_readers) {
  auto a = (nw::arange(6) * 1).compute();
  const auto before = a + 10;  // pending, reads a
  a += 100;
  EXPECT_EQ(before.to_vector(), (std::vector<nw::int64>{10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(a.to_vector(), (std::vector<nw::int64>{100, 101, 102, 103, 104, 105}));
}

// where= and out= see each other's buffers too.
TEST(overlap_in_place, of_a_mask) {
  const auto m = nw::array({true, false, true, true});
  const auto want = nw::logical_not(m.copy(), {.out = m.copy(), .where = m.copy()}).to_vector();
  nw::logical_not(m, {.out = m, .where = m});
  EXPECT_EQ(m.to_vector(), want);
  const auto shifted = nw::array({true, false, true, false, true});
  const auto head = shifted(slice(0, 4)), tail = shifted(slice(1, 5));
  const auto right =
      nw::logical_not(head.copy(), {.out = tail.copy(), .where = head.copy()}).to_vector();
  nw::logical_not(head, {.out = tail, .where = head});
  EXPECT_EQ(tail.to_vector(), right);
}

TEST(forms_of_call, of_every_op_give_one_result) {
  for_each_row([](const golden_call& c, const golden_array&) {
    const golden_array plain = to_golden(call(c.op, c.operands));
    const any_array yes = nw::full<bool>(nw::shape(), true).untyped();
    EXPECT_TRUE(equal(call(c.op, c.operands, {.where = &yes}), plain));
    const any_array wide = nw::detail::full({2, c.operands[0].size()}, nw::dtype::complex128, true,
                                            nw::default_device());
    const any_array out = subscript(wide, {1});
    call(c.op, c.operands, {.out = &out});
    EXPECT_TRUE(equal(out, to_array(plain).astype(nw::dtype::complex128)));
  });
}

}  // namespace
