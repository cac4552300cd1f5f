// take, put and their like against NumPy (golden/indexing_functions.txt), on every element type.
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

nw::index_mode mode_of(const std::string& text) {
  return text == "wrap"   ? nw::index_mode::wrap
         : text == "clip" ? nw::index_mode::clip
                          : nw::index_mode::raise;
}

// The arrays of nonzero as rows of one.
any_array as_rows(const std::vector<any_array>& list) {
  const any_array out =
      nw::detail::empty({list.size(), list[0].size()}, dtype::int64, list[0].device());
  for (std::size_t k = 0; k < list.size(); ++k)
    nw::detail::assign(subscript(out, {k}), named(list[k]), "test");
  return out;
}

// What a line calls. x[0] is what is written to or read; for choose it holds the indices.
any_array evaluate(const golden_fields& f, const std::vector<any_array>& x) {
  const std::string& name = f[0];
  std::optional<int> axis;
  if (f[2] != "none" && f[2] != "-") axis = std::stoi(f[2]);
  const nw::detail::index_options options{axis, nullptr, mode_of(f[3])};
  if (name == "take") return nw::detail::take(x[0], x[1], options);
  if (name == "take_along_axis") return nw::detail::take_along_axis(x[0], x[1], axis);
  if (name == "compress") return nw::detail::compress(x[1], x[0], options);
  if (name == "extract") return nw::detail::extract(x[1], x[0]);
  if (name == "choose") return nw::detail::choose(x[0], std::span(x).subspan(1), options);
  if (name == "nonzero") return as_rows(nw::detail::nonzero(x[0]));
  if (name == "flatnonzero") return nw::detail::flatnonzero(x[0]);
  if (name == "argwhere") return nw::detail::argwhere(x[0]);
  if (name == "put") nw::detail::put(x[0], x[1], named(x[2]), mode_of(f[3]));
  if (name == "put_along_axis") nw::detail::put_along_axis(x[0], x[1], named(x[2]), axis);
  if (name == "putmask") nw::detail::putmask(x[0], x[1], named(x[2]));
  if (name == "place") nw::detail::place(x[0], x[1], named(x[2]));
  return x[0];
}

std::vector<any_array> arrays_of(const golden_fields& f) {
  std::vector<any_array> x;
  for (const auto& text : recipe_detail::split(f[1], ';')) x.push_back(array_of(text).compute());
  return x;
}

// Of several bad indices a GPU reports any.
std::string our_text(const golden_fields& f) {
  std::string text = f[6];
  if (text.find("objects cannot be broadcast") != std::string::npos) return "broadcast";
  const auto at = text.find(" is out of bounds");
  if (text.find("index ") == 0 && !nw::default_device().is_cpu()) text.erase(0, at);
  if (text.back() == '.') text.pop_back();
  if (text.find("putmask: ") == 0 || text.find("place: ") == 0) text.erase(0, text.find(' ') + 1);
  return text;
}

bool writes(const std::string& name) { return name.find("p") == 0; }

TEST(indexing_functions, are_those_of_numpy) {
  for_each_device([] {
    int results = 0, errors = 0;
    for (const auto& f : golden_lines("indexing_functions.txt")) {
      SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2] + " " + f[3]);
      const auto x = arrays_of(f);
      if (f[4] == "error") {
        const golden_array before = to_golden(x[0]);
        EXPECT_TRUE(throws(
            [&] {
              evaluate(f, x);
              nw::synchronize();
            },
            f[5], our_text(f)));
        EXPECT_TRUE(equal(x[0], before)) << "changed by a call that threw";
        ++errors;
      } else {
        EXPECT_TRUE(equal(evaluate(f, x).astype(dtype::int64), golden_integers(f[4], f[5])));
        ++results;
      }
    }
    EXPECT_GT(results, 800);
    EXPECT_GT(errors, 300);
  });
}

TEST(indexing_functions, of_every_element_type) {
  for_each_device([] {
    for (int t = 0; t < nw::dtype_count; ++t) {
      const auto type = dtype(t);
      SCOPED_TRACE(std::string(nw::name(type)));
      int k = 0;
      for (const auto& f : golden_lines("indexing_functions.txt")) {
        const bool typed = f[0] == "take" || f[0] == "put" || f[0] == "take_along_axis" ||
                           f[0] == "compress" || f[0] == "place" || f[0] == "putmask";
        if (f[4] == "error" || !typed || ++k % 12 != 0) continue;
        SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2] + " " + f[3]);
        auto x = arrays_of(f);
        x[0] = x[0].astype(type).compute();
        EXPECT_TRUE(equal(evaluate(f, x), to_array(golden_integers(f[4], f[5])).astype(type)));
      }
      EXPECT_GT(k, 500);
    }
  });
}

// Into every second column of a larger array, whose other columns stay as they are.
TEST(indexing_functions, write_into_strided_arrays) {
  for_each_device([] {
    int k = 0;
    for (const auto& f : golden_lines("indexing_functions.txt")) {
      if (!writes(f[0]) || f[4] == "error" || f[4] == "-" || ++k % 3 != 0) continue;
      SCOPED_TRACE(f[0] + " " + f[1] + " " + f[2] + " " + f[3]);
      auto x = arrays_of(f);
      nw::shape wide = x[0].shape();
      wide[wide.size() - 1] *= 2;
      const any_array base = nw::detail::full(wide, dtype::int64, 99, nw::default_device());
      const any_array odd = subscript(base, {nw::ellipsis, nw::slice(1, nw::none, 2)});
      const any_array even = subscript(base, {nw::ellipsis, nw::slice(0, nw::none, 2)});
      nw::detail::assign(odd, named(x[0]), "test");
      x[0] = odd;
      EXPECT_TRUE(equal(evaluate(f, x), golden_integers(f[4], f[5])));
      EXPECT_TRUE(equal(even, nw::detail::full(even.shape(), dtype::int64, 99, even.device())));
    }
    EXPECT_GT(k, 300);
  });
}

using floats = nw::ndarray<float>;
using values = std::vector<float>;
using places = std::vector<nw::int64>;

TEST(indexing_functions, typed) {
  for_each_device([] {
    const floats m = nw::arange<float>(6).reshape({2, 3}).copy();
    const auto i = nw::array({2, 0});
    EXPECT_EQ((values{2, 0, 5, 3}), nw::take(m, i, 1).to_vector());
    EXPECT_EQ((values{2, 0}), m.take(i).to_vector());
    EXPECT_EQ((values{5, 5}),
              nw::take(m, nw::array({9, 5}), {.mode = nw::index_mode::clip}).to_vector());
    const floats out = nw::zeros<float>({2, 2});
    nw::take(m, i, {.axis = 1, .out = out});
    EXPECT_EQ((values{2, 0, 5, 3}), out.to_vector());
    EXPECT_THROW(nw::take(m, nw::array({0, 3}), {.axis = 1, .out = out}), nw::index_error);
    EXPECT_EQ((values{2, 0, 5, 3}), out.to_vector());
    EXPECT_EQ((values{2, 3}), nw::take_along_axis(m, nw::array({{2}, {0}})).to_vector());
    EXPECT_EQ((values{3, 4, 5}), nw::compress(nw::array({false, true}), m, 0).to_vector());
    EXPECT_EQ((values{4, 5}), nw::extract(m > 3, m).to_vector());
    nw::put(m, i, 7);
    m.put(nw::array({-1}), nw::array({8}), {.mode = nw::index_mode::raise});
    EXPECT_EQ((values{7, 1, 7, 3, 4, 8}), m.to_vector());
    nw::putmask(m, m > 6, -1);
    nw::place(m, m < 0, nw::array<float>({10, 20}));
    EXPECT_EQ((values{10, 1, 20, 3, 4, 10}), m.to_vector());
    nw::put_along_axis(m, nw::array({{0}, {1}}), 0, 1);
    EXPECT_EQ((values{0, 1, 20, 3, 0, 10}), m.to_vector());
    const auto [rows, columns] = nw::nonzero<2>(m);
    EXPECT_EQ((places{0, 0, 1, 1}), rows.to_vector());
    EXPECT_EQ((places{1, 2, 0, 2}), columns.to_vector());
    EXPECT_EQ(columns.to_vector(), nw::where(m != 0)[1].to_vector());
    EXPECT_EQ((places{1, 2, 3, 5}), nw::flatnonzero(m).to_vector());
    EXPECT_EQ(nw::shape(4, 2), nw::argwhere(m).shape());
    EXPECT_EQ((values{20, 1}), m(rows, columns)(nw::array({1, 0})).to_vector());
    EXPECT_EQ(
        (values{0, 5}),
        nw::choose(nw::array({0, 1}), {m(0, nw::slice(2)), nw::full<float>(2, 5)}).to_vector());
    EXPECT_EQ((values{3, 1, 10}), nw::array({1, 0, 1}).choose(m).to_vector());
    EXPECT_THROW(nw::nonzero<1>(m), nw::value_error);
  });
}

// Indices all over an array that no cache holds are taken region by region on a GPU.
template <class T, class Index> void take_from_large(std::int64_t bytes) {
  const std::int64_t size = bytes / std::int64_t(sizeof(T)), n = size / 8 + (1 << 20) + 7;
  const auto a = nw::arange<std::int64_t>(size).astype<T>().compute();
  const auto random = nw::random::default_rng(3).integers(size, {n}).compute();
  const auto check = [&](const nw::ndarray<std::int64_t>& given, nw::index_mode mode) {
    const auto got = nw::take(a, given.astype<Index>(), {.mode = mode});
    const auto want = nw::remainder(given, size).template astype<T>();
    EXPECT_EQ(0, nw::count_nonzero(got != want).item());
  };
  check(random, nw::index_mode::raise);
  check(nw::where(random % 2 == 0, random, random - size), nw::index_mode::raise);
  check(random + size, nw::index_mode::wrap);
  check(nw::arange(std::min(n, size)), nw::index_mode::raise);
  random(n - 2) = size;
  const auto bad = [&] { nw::take(a, random.template astype<Index>()).to_vector(); };
  EXPECT_NE(std::string::npos,
            text_of<nw::index_error>(bad).find("index " + std::to_string(size) + " is out of"));
}
TEST(indexing_functions, take_from_large_arrays) {
  for_each_device([](nw::device d) {
    const std::int64_t bytes = std::int64_t(1) << (d == nw::cpu ? 20 : 26);
    take_from_large<nw::uint8, nw::int64>(bytes);
    take_from_large<nw::int16, nw::int32>(bytes);
    take_from_large<float, nw::int64>(bytes);
    take_from_large<double, nw::int32>(bytes);
    take_from_large<nw::complex64, nw::int64>(bytes);
  });
}

TEST(indexing_functions, refuse_what_cannot_be_written) {
  for_each_device([] {
    const floats a = nw::readonly(nw::arange<float>(4)), b = nw::arange<float>(4).copy();
    const auto i = nw::array({0});
    const std::string text = "assignment destination is read-only";
    EXPECT_EQ("put: " + text, text_of<nw::value_error>([&] { nw::put(a, i, 1); }));
    EXPECT_EQ("place: " + text, text_of<nw::value_error>([&] { nw::place(a, a > 9, 1); }));
    EXPECT_EQ("putmask: " + text, text_of<nw::value_error>([&] { nw::putmask(a, a > 9, 1); }));
    EXPECT_EQ("put_along_axis: " + text,
              text_of<nw::value_error>([&] { nw::put_along_axis(a, i, 1, 0); }));
    EXPECT_EQ("put: integer 300 out of bounds for int8",
              text_of<nw::overflow_error>([&] { nw::put(nw::zeros<nw::int8>(3), i, 300); }));
    EXPECT_EQ(1, launches([&] { nw::take(b, i).compute(); }));
    EXPECT_EQ(1, launches([&] { nw::put(b, i, 3); }));
    nw::put(b, nw::array({3, 2, 1}), b);
    EXPECT_EQ((values{3, 2, 1, 3}), b.to_vector());
  });
}

}  // namespace
