// Subscripts with arrays among them, against NumPy (golden/indexing.txt): every order of every kind
// of item, in get, set and in-place form, errors included.
#include <support/counting.hpp>
#include <support/devices.hpp>
#include <support/errors.hpp>
#include <support/recipes.hpp>

namespace nw = numwarp;
using namespace numwarp::testing;
using numwarp_test::for_each_device;
using nw::any_array;
using nw::dtype;

namespace {

any_array counted_up(const std::vector<std::int64_t>& shape) {
  std::int64_t n = 1;
  for (const auto extent : shape) n *= extent;
  return nw::arange(n).untyped().reshape(shape);
}

// The items of a line; they point to arrays that live here.
struct subscripts {
  std::vector<any_array> arrays;
  std::vector<nw::detail::subscript> items;

  explicit subscripts(const std::string& text) {
    const auto parts = recipe_detail::split(text, ';');
    arrays.reserve(parts.size());
    for (const std::string& part : parts) {
      if (part.find(' ') == std::string::npos) {
        items.push_back(recipe_detail::item(part));
      } else {
        items.emplace_back(arrays.emplace_back(array_of(part)));
      }
    }
  }
};

any_array get(const std::string& shape, const std::string& items, dtype t = dtype::int64) {
  return counted_up(golden_numbers(shape)).astype(t).subscript(subscripts(items).items);
}

bool is_at(const golden_fields& f) { return f[0].find(".at") != std::string::npos; }

nw::core::op_code op_of(const std::string& name) {
  for (int k = 0; k < nw::core::op_count; ++k)
    if (nw::core::op_name(nw::core::op_code(k)) == name) return nw::core::op_code(k);
  throw std::runtime_error("no op " + name);
}

// What the line's statement does to `base`; waits.
void change(const golden_fields& f, const any_array& base) {
  const subscripts s(f[2]);
  const any_array values =
      (-1 - nw::ndarray<nw::int64>(counted_up(golden_numbers(f[3])))).untyped().astype(base.type());
  if (is_at(f)) {
    nw::detail::ufunc_at(op_of(f[0].substr(0, f[0].size() - 3)), base, s.items, named(values),
                         false);
    return nw::synchronize(base.device());
  }
  any_array chosen = base.subscript(s.items);
  if (f[0] == "set") {
    nw::detail::assign_to_temporary(chosen, named(values));
  } else {
    nw::detail::assign_op_to_temporary(nw::core::op_code::add, chosen, named(values));
  }
  nw::synchronize(base.device());
}

const std::vector<golden_fields>& lines() {
  static const auto all = golden_lines("indexing.txt");
  return all;
}

TEST(indexing, reads_are_those_of_numpy) {
  for_each_device([] {
    int results = 0, errors = 0;
    for (const auto& f : lines()) {
      if (f[0] != "get") continue;
      SCOPED_TRACE(f[1] + " " + f[2]);
      if (f[3] == "error") {
        const auto read = [&] {
          to_golden(get(f[1], f[2]));
          nw::synchronize();  // an empty result waits for nothing
        };
        EXPECT_TRUE(throws(read, f[4], f[5]));
        ++errors;
      } else {
        EXPECT_TRUE(equal(get(f[1], f[2]), golden_integers(f[3], f[4])));
        ++results;
      }
    }
    EXPECT_GT(results, 3400);
    EXPECT_GT(errors, 40);
  });
}

TEST(indexing, changes_are_those_of_numpy) {
  for_each_device([] {
    int results = 0, errors = 0;
    for (const auto& f : lines()) {
      if (f[0] == "get") continue;
      SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2] + " " + f[3]);
      const any_array base = counted_up(golden_numbers(f[1])).copy();
      const golden_array before = to_golden(base);
      if (f[4] == "error") {
        EXPECT_TRUE(throws([&] { change(f, base); }, f[5], f[6]));
        EXPECT_TRUE(equal(base, before)) << "changed by a statement that threw";
        ++errors;
      } else {
        change(f, base);
        EXPECT_TRUE(equal(base, golden_integers(f[1], f[4])));
        ++results;
      }
    }
    EXPECT_GT(results, 1300);
    EXPECT_GT(errors, 80);
  });
}

// The same on bases that are not contiguous: every second element of a larger array, backwards.
TEST(indexing, of_strided_arrays) {
  for_each_device([] {
    int k = 0;
    for (const auto& f : lines()) {
      if (f[f[0] == "get" ? 3 : 4] == "error" || f[1] == "-" || ++k % 7 != 0) continue;
      SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2]);
      const any_array plain = counted_up(golden_numbers(f[1]));
      std::vector<std::int64_t> wide(plain.shape().begin(), plain.shape().end());
      for (auto& n : wide) n *= 2;
      const any_array large = nw::detail::full(wide, dtype::int64, 7, nw::default_device());
      const std::vector<nw::detail::subscript> back(wide.size(), nw::slice(nw::none, nw::none, -2));
      const any_array base = large.subscript(back).transpose().copy(nw::order::c).transpose();
      nw::detail::assign(base, named(plain), "test");
      if (f[0] == "get") {
        EXPECT_TRUE(equal(base.subscript(subscripts(f[2]).items), golden_integers(f[3], f[4])));
      } else {
        change(f, base);
        EXPECT_TRUE(equal(base, golden_integers(f[1], f[4])));
      }
    }
    EXPECT_GT(k, 3000);
  });
}

TEST(indexing, of_every_element_type) {
  for_each_device([] {
    for (int t = 0; t < nw::dtype_count; ++t) {
      const auto type = dtype(t);
      SCOPED_TRACE(std::string(nw::name(type)));
      int k = 0;
      for (const auto& f : lines()) {
        if (f[f[0] == "get" ? 3 : 4] == "error" || f[0] == "add" || is_at(f) || ++k % 60 != 0)
          continue;
        SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2]);
        if (f[0] == "get") {
          EXPECT_TRUE(
              equal(get(f[1], f[2], type), to_array(golden_integers(f[3], f[4])).astype(type)));
          continue;
        }
        const any_array base = counted_up(golden_numbers(f[1])).astype(type).compute();
        change(f, base);
        // Values that were converted on their way in: unsigned ones wrap, bools are true.
        EXPECT_TRUE(equal(base, to_array(golden_integers(f[1], f[4])).astype(type)));
      }
      EXPECT_GT(k, 4000);
    }
  });
}

using floats = nw::ndarray<float>;
using values = std::vector<float>;

class index_arrays : public ::testing::Test {
 protected:
  template <class F> void on_each_device(const F& f) {
    for_each_device([&] {
      a = nw::arange<float>(6).copy();
      m = nw::arange<float>(12).reshape({3, 4}).copy();
      f();
    });
  }
  floats a, m;
};

TEST_F(index_arrays, typed) {
  on_each_device([&] {
    EXPECT_EQ((values{5, 0, 3}), a(nw::array({-1, 0, 3})).to_vector());
    EXPECT_EQ((values{1, 9}), m(nw::array<nw::int8>({0, 2}), 1).to_vector());
    const auto rows = nw::array({2, 0});
    EXPECT_EQ(nw::shape(2, 2), m(rows, nw::slice(1, 3)).shape());
    m(rows, nw::slice(1, 3)) = 0;
    m(rows) += nw::array<float>({1, 2, 3, 4});
    EXPECT_EQ((values{1, 2, 3, 7, 4, 5, 6, 7, 9, 2, 3, 15}), m.to_vector());
    const any_array untyped = rows.untyped();
    EXPECT_EQ((values{9, 1}), m(untyped, 0).to_vector());
  });
}

TEST_F(index_arrays, the_last_of_equal_indices_wins) {
  on_each_device([&] {
    const std::int64_t n = 100000, few = 37;
    const auto places = (nw::arange(n) * 7919 % few).compute();
    const auto target = nw::zeros<nw::int64>(few);
    target(places) = nw::arange(n);
    std::vector<nw::int64> last(static_cast<std::size_t>(few));
    for (std::int64_t i = 0; i < n; ++i) last[std::size_t(i * 7919 % few)] = i;
    EXPECT_EQ(last, target.to_vector());
    const auto wide = nw::zeros<nw::int64>({few, 3});
    wide(places) = nw::arange(3 * n).reshape({n, 3});
    for (std::int64_t i = 0; i < few; ++i) EXPECT_EQ(3 * last[std::size_t(i)] + 2, wide.item(i, 2));
    target(places) += 1;  // buffered: once each
    EXPECT_EQ(last[3] + 1, target.item(3));
  });
}

TEST_F(index_arrays, that_share_memory) {
  on_each_device([&] {
    a(nw::slice(1, nw::none)) = a(nw::slice(0, -1));
    EXPECT_EQ((values{0, 0, 1, 2, 3, 4}), a.to_vector());
    const auto order = nw::array({5, 4, 3, 2, 1, 0});
    a(order) = a;
    EXPECT_EQ((values{4, 3, 2, 1, 0, 0}), a.to_vector());
    const auto i = nw::array({3, 2, 1, 0});
    i(i) = i(nw::slice(nw::none, nw::none, -1));
    EXPECT_EQ((std::vector<nw::int64>{3, 2, 1, 0}), i.to_vector());
    i(i(nw::slice(0, 2))) = 9;
    EXPECT_EQ((std::vector<nw::int64>{3, 2, 9, 9}), i.to_vector());
    m(nw::array({0, 1}), nw::slice()) = m(nw::array({1, 2}));
    EXPECT_EQ((values{4, 5, 6, 7, 8, 9, 10, 11, 8, 9, 10, 11}), m.to_vector());
  });
}

TEST_F(index_arrays, are_read_at_the_call) {
  on_each_device([&] {
    const auto i = nw::array({0, 1});
    auto chosen = a(i), sum = a(i) + 10;
    i(nw::ellipsis) = 5;
    a(nw::ellipsis) = -1;
    EXPECT_EQ((values{0, 1}), chosen.to_vector());
    EXPECT_EQ((values{10, 11}), sum.to_vector());
    chosen += 1;
    EXPECT_EQ((values{1, 2}), chosen.to_vector());
    EXPECT_EQ(-1, a.item(0));
  });
}

TEST_F(index_arrays, updates_of_equal_places_add_up) {
  on_each_device([&] {
    const std::int64_t n = 5000, few = 7;
    const auto to = (nw::arange(n) * 7919 % few).compute();
    const auto counts = nw::zeros<nw::int64>(few);
    nw::add.at(counts, to, 1);
    EXPECT_EQ((std::vector<nw::int64>{715, 714, 715, 714, 714, 714, 714}), counts.to_vector());
    const auto atomic = nw::zeros<nw::int64>(few);
    nw::add.at(atomic, to, 1, {.atomic = true});
    EXPECT_EQ(counts.to_vector(), atomic.to_vector());
    // Floating sums depend on the order: that of the indices, on every device.
    const auto terms = (1.0f / (nw::arange<float>(n) + 1)).compute();
    const auto sums = nw::zeros<float>(few);
    nw::add.at(sums, to, terms);
    values want(static_cast<std::size_t>(few));
    for (std::int64_t i = 0; i < n; ++i)
      want[std::size_t(i * 7919 % few)] += 1.0f / (float(i) + 1.0f);
    EXPECT_EQ(want, sums.to_vector());
    nw::maximum.at(m, nw::index(nw::array({0, 2, 0}), nw::slice(1, 3)),
                   nw::array<float>({{7}, {8}, {6.5f}}));
    EXPECT_EQ((values{0, 7, 7, 3, 4, 5, 6, 7, 8, 9, 10, 11}), m.to_vector());
    nw::subtract.at(a, a > 3, 1);
    nw::add.at(a, nw::slice(0, 2), 10);
    nw::multiply.at(a, nw::array({1, 1, 1}), 2);
    EXPECT_EQ((values{10, 88, 2, 3, 3, 4}), a.to_vector());
    nw::negative.at(a, nw::array({0, 1, 1, 2, 2, 2}));
    nw::sqrt.at(a, nw::slice(5, 6));
    EXPECT_EQ((values{-10, 88, -2, 3, 3, 2}), a.to_vector());
    const auto numbers = nw::array({5, 6, 7});
    nw::power.at(numbers, nw::array({0, 0, 2}), 2);
    EXPECT_EQ((std::vector<nw::int64>{625, 6, 49}), numbers.to_vector());
    nw::add.at(m, nw::array({0}), nw::array<double>({0.5, 0.25, 0, 0}));  // computed in float64
    EXPECT_EQ((values{0.5, 7.25, 7, 3}), m(0).to_vector());
  });
}

TEST_F(index_arrays, updates_of_every_type) {
  for_each_device([] {
    for (int t = 0; t < nw::dtype_count; ++t) {
      const auto type = dtype(t);
      SCOPED_TRACE(std::string(nw::name(type)));
      const auto i = nw::array({2, 0, 2, 2, 1});
      const auto v = nw::array({1, 2, 3, 0, 1});
      for (const auto op : {nw::core::op_code::add, nw::core::op_code::maximum,
                            nw::core::op_code::fmin, nw::core::op_code::multiply,
                            nw::core::op_code::not_equal, nw::core::op_code::logical_not}) {
        const auto start = nw::array({1, 2, 3}).untyped().astype(type).compute();
        const auto by = v.untyped().astype(type).compute();
        const any_array got = start.copy();
        const nw::detail::subscript items[] = {i.untyped()};
        nw::detail::ufunc_at(op, got, items, named(by), false);
        const any_array want = start.copy();  // one after the other
        for (int k = 0; k < 5; ++k) {
          const nw::detail::subscript one[] = {i.item(k)};
          nw::detail::ufunc_at(op, want, one, named(subscript(by, {k})), false);
        }
        EXPECT_TRUE(equal(got, want)) << nw::core::op_name(op);
      }
    }
  });
}

TEST_F(index_arrays, updates_refuse) {
  on_each_device([&] {
    const auto i = nw::array({0, 1, 0});
    EXPECT_EQ("add: array is not broadcastable to correct shape, got (2,) for (3,)",
              text_of<nw::value_error>([&] { nw::add.at(a, i, nw::ones<float>(2)); }));
    EXPECT_EQ("add: assignment destination is read-only",
              text_of<nw::value_error>([&] { nw::add.at(nw::readonly(a), i, 1); }));
    EXPECT_EQ(
        "add: Cannot cast ufunc 'add' output from dtype('float64') to dtype('int64') with casting "
        "rule 'same_kind'",
        text_of<nw::type_error>([&] { nw::add.at(nw::zeros<nw::int64>(3), i, 1.5); }));
    EXPECT_EQ(
        "sqrt: Cannot cast ufunc 'sqrt' output from dtype('float64') to dtype('int64') with "
        "casting rule 'same_kind'",
        text_of<nw::type_error>([&] { nw::sqrt.at(nw::zeros<nw::int64>(3), i); }));
    EXPECT_EQ("power: Integers to negative integer powers are not allowed, got -2",
              text_of<nw::value_error>([&] { nw::power.at(nw::ones<nw::int64>(3), i, -2); }));
    EXPECT_EQ("add: index 6 is out of bounds for axis 0 with size 6", text_of<nw::index_error>([&] {
                nw::add.at(a, nw::array({0, 6}), 1);
                nw::synchronize();
              }));
    EXPECT_EQ((values{0, 1, 2, 3, 4, 5}), a.to_vector());
  });
}

TEST_F(index_arrays, launches) {
  on_each_device([&] {
    const auto i = nw::array({0, 1});
    EXPECT_EQ(1, launches([&] { a(i).compute(); }));
    EXPECT_EQ(1, launches([&] { a(i) = 7; }));
    EXPECT_EQ(1, launches([&] { a(i) = nw::array<float>({1, 2}); }));
    EXPECT_EQ(0, allocations([&] { a(i) = 7; }));
    EXPECT_EQ(3, launches([&] { a(i) += 1; }));
    EXPECT_TRUE((a(i) + 1).is_pending());
  });
}

TEST_F(index_arrays, errors) {
  on_each_device([&] {
    using namespace nw;
    const auto i = array({0, 1});
    EXPECT_EQ("operator=: assignment destination is read-only",
              text_of<value_error>([&] { readonly(a)(i) = 1; }));
    EXPECT_EQ("add: assignment destination is read-only", text_of<value_error>([&] {
                broadcast_to(a, {2, 6})(i) += 1;
              }));
    EXPECT_EQ("operator=: integer 300 out of bounds for int8",
              text_of<overflow_error>([&] { zeros<int8>(2)(i) = 300; }));
    EXPECT_EQ("subscript: arrays used as indices must be of integer (or boolean) type, got float32",
              text_of<index_error>([&] { a(m.untyped()); }));
    EXPECT_EQ("subscript: the array is null (default-constructed or moved from)",
              text_of<value_error>([&] { a(ndarray<int>()); }));
    EXPECT_EQ("operator=: the array is null (default-constructed or moved from)",
              text_of<value_error>([&] { a(i) = ndarray<float>(); }));
    EXPECT_EQ("subscript: index 6 is out of bounds for axis 0 with size 6",
              text_of<index_error>([&] {
                a(array({1, 6})).to_vector();
              }));
    EXPECT_EQ("operator=: index -7 is out of bounds for axis 0 with size 6",
              text_of<index_error>([&] {
                a(array({1, -7})) = 5;
                synchronize();
              }));
    EXPECT_EQ((values{0, 1, 2, 3, 4, 5}), a.to_vector());
  });
}

TEST_F(index_arrays, of_many_axes) {
  on_each_device([&] {
    nw::shape s(nw::dims(12, 2));
    const auto base = nw::arange(4096).reshape(s).copy();
    std::vector<nw::detail::subscript> items;
    const auto one = nw::array({1, 0});
    for (int k = 0; k < 12; ++k) {
      if (k % 2 == 0) {
        items.emplace_back(one.untyped());
      } else {
        items.push_back(nw::slice(nw::none, nw::none, -1));
      }
    }
    const any_array v = base.untyped().subscript(items);
    EXPECT_EQ(nw::to_string(v.shape()), "(2, 2, 2, 2, 2, 2, 2)");
    const auto flat = nw::ndarray<nw::int64>(v).to_vector();
    EXPECT_EQ(flat.front(), 4095);
    EXPECT_EQ(flat.back(), 0);
  });
}

}  // namespace
