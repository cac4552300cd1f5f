// arange, linspace, eye and full against NumPy (golden/creation.npz), and arrays from host data.
#include <list>
#include <span>

#include "support/arrays.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::detail::scalar;

namespace {

// An int of Python, or a float.
scalar number_of(const std::string& text) {
  if (text == "True" || text == "False") return scalar(text == "True");
  if (text.find_first_of(".en") != std::string::npos) {
    return scalar(std::strtod(text.c_str(), nullptr));
  }
  if (text[0] != '-' && std::stoull(text) > std::uint64_t(INT64_MAX))
    return scalar(std::stoull(text));
  return scalar(std::stoll(text));
}

nw::dtype type_or(const std::string& text, nw::dtype otherwise) {
  return text == "-" ? otherwise : golden_type(text);
}

nw::dtype type_of(std::initializer_list<scalar> scalars) {
  for (const scalar& s : scalars) {
    if (s.kind == 'f') return nw::dtype::float64;
    if (s.kind == 'u') return nw::dtype::uint64;
    if (s.kind == 'b') return nw::dtype::bool_;
  }
  return nw::dtype::int64;
}

// Our message has the words of NumPy's that name values and types.
std::string words(const golden_array& error) {
  const std::string text = error.error_message();
  if (text.find("division by zero") != std::string::npos) return "step must not be zero";
  if (text.find("Python int too large") == 0) return "out of bounds for ";
  if (text.find("Python integer ") == 0) return text.substr(7);
  return text.substr(0, text.find_last_not_of('.') + 1);
}

any_array make(const golden_fields& f) {
  if (f[0] == "arange") {
    const scalar start = number_of(f[3]), stop = number_of(f[4]), step = number_of(f[5]);
    return nw::detail::arange(start, stop, step, type_or(f[2], type_of({start, stop, step})),
                              nw::default_device());
  }
  if (f[0] == "linspace") {
    return nw::detail::linspace(number_of(f[3]), number_of(f[4]), std::stoll(f[5]), f[6] == "1",
                                type_or(f[2], nw::dtype::float64), nw::default_device());
  }
  if (f[0] == "eye") {
    const std::int64_t rows = std::stoll(f[3]);
    return nw::detail::eye(rows, f[4] == "-" ? rows : std::stoll(f[4]), std::stoll(f[5]),
                           type_or(f[2], nw::dtype::float64), nw::default_device());
  }
  const scalar value = number_of(f[4]);
  return nw::detail::full(golden_numbers(f[3]), type_or(f[2], type_of({value})), value,
                          nw::default_device());
}

TEST(creation, is_that_of_numpy) {
  int made = 0, refused = 0;
  for (const auto& f : golden_lines("creation.txt")) {
    std::string row;
    for (const auto& field : f) row += field + '|';
    SCOPED_TRACE(row);
    // ml_dtypes takes no integer above 2^63 - 1, and bool meets the limit of a C long.
    if (f[0] == "full" && (f[2] == "bfloat16" || f[2] == "bool") && f[4] == "9223372036854775808")
      continue;
    const auto& arrays = golden("creation.npz");
    if (const auto error = arrays.find(f[1] + "/error"); error != arrays.end()) {
      const bool zero_step = error->second.error_class() == "ZeroDivisionError";
      EXPECT_TRUE(throws([&] { make(f).compute(); },
                         zero_step ? "ValueError" : error->second.error_class(),
                         words(error->second)));
      ++refused;
    } else {
      EXPECT_TRUE(equal(make(f), golden("creation.npz", f[1] + "/out")));
      ++made;
    }
  }
  EXPECT_GT(made, 250);
  EXPECT_GT(refused, 20);
}

std::vector<nw::int64> counted(std::int64_t n) { return nw::arange(n).to_vector(); }

TEST(arrays, of_nested_lists) {
  const auto a = nw::array({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(a.shape(), nw::shape(2, 3));
  EXPECT_EQ(a.to_vector(), (std::vector<nw::int64>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(nw::array({{{1.5}, {2.5}}}).shape(), nw::shape(1, 2, 1));
  EXPECT_EQ(nw::array<float>({{1, 2}, {3, 4}}).to_vector(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(nw::array({true, false}).to_vector(), (std::vector<bool>{true, false}));
  static_assert(std::is_same_v<decltype(nw::array({1}))::value_type, nw::int64>);
  static_assert(std::is_same_v<decltype(nw::array({1.0}))::value_type, double>);
  static_assert(std::is_same_v<decltype(nw::array({1.0f}))::value_type, float>);
  EXPECT_EQ(nw::array(3.5).shape(), nw::shape());
  EXPECT_EQ(nw::array(3.5).item(), 3.5);
}

TEST(arrays, of_ragged_lists_are_refused) {
  const std::string text = "inhomogeneous shape";
  EXPECT_TRUE(throws([] { nw::array({{1, 2}, {3}}); }, "ValueError", text));
  EXPECT_TRUE(throws([] { nw::array({{1, 2}, {3, 4, 5}}); }, "ValueError", text));
  EXPECT_TRUE(throws([] { nw::array<float>({{1, 2}, {3}}); }, "ValueError", text));
  EXPECT_TRUE(throws([] { nw::array<float>({{1, 2}, 3}); }, "ValueError", text));
  EXPECT_TRUE(throws([] { nw::array({{{1}, {2}}, {{3}, {4, 5}}}); }, "ValueError", text));
}

TEST(arrays, of_host_ranges) {
  const std::vector<float> v{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(nw::array(v).to_vector(), v);
  EXPECT_EQ(nw::array(v, nw::shape(2, 3))(1).to_vector(), (std::vector<float>{4, 5, 6}));
  EXPECT_EQ(nw::array(std::span<const float>(v).subspan(1, 2)).to_vector(),
            (std::vector<float>{2, 3}));
  EXPECT_EQ(nw::array(v.data(), {3, 2}).shape(), nw::shape(3, 2));
  EXPECT_EQ(nw::array(std::list<long long>{1, 2, 3}).to_vector(),
            (std::vector<nw::int64>{1, 2, 3}));
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(nw::array(bits).to_vector(), bits);
  EXPECT_TRUE(throws([&] { nw::array(v, nw::shape(4)); }, "ValueError",
                     "cannot reshape array of size 6 into shape"));
  EXPECT_EQ(nw::array(std::vector<double>()).shape(), nw::shape(0));
}

TEST(arrays, of_host_ranges_are_converted_as_by_astype) {
  const std::vector<double> v{1.9, -2.5, 300, std::nan("")};
  EXPECT_EQ(nw::array<nw::int8>(v).to_vector(), (std::vector<nw::int8>{1, -2, 127, 0}));
  EXPECT_EQ(nw::array<float>(std::vector<int>{1, 2, 3, 4}, nw::shape(2, 2)).to_vector(),
            (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(nw::array<nw::int8>(std::vector<int>{300, -1}).to_vector(),
            (std::vector<nw::int8>{44, -1}));
  EXPECT_EQ(nw::array<double>(std::span<const double>(v).first(2)).to_vector(),
            (std::vector<double>{1.9, -2.5}));
  EXPECT_EQ(nw::array<float>(std::list<long long>{1, 2}).to_vector(), (std::vector<float>{1, 2}));
  EXPECT_EQ(nw::array<int>(std::vector<bool>{true, false}).to_vector(), (std::vector<int>{1, 0}));
  EXPECT_EQ(nw::array<bool>(v).to_vector(), std::vector<bool>(4, true));
  EXPECT_EQ(nw::array<float>(std::vector<nw::complex64>{{1, 2}}).to_vector(),
            std::vector<float>{1});
  EXPECT_EQ(nw::array<nw::complex128>(std::vector<int>{2}).item(), nw::complex128(2));
  EXPECT_EQ(float(nw::array<nw::float16>(std::vector<double>{1e9, 0.5}).item(1)), 0.5f);
  const int fixed[] = {1, 2, 3};
  EXPECT_EQ(nw::array<double>(fixed).to_vector(), (std::vector<double>{1, 2, 3}));
  const auto a = nw::array<float>(v);
  EXPECT_FALSE(a.is_pending()) << "the host's memory has been read";
  EXPECT_TRUE(throws([&] { nw::array<float>(v, nw::shape(3)); }, "ValueError",
                     "array: cannot reshape array of size 4 into shape (3,)"));
}

TEST(arrays, asarray_with_a_type) {
  const auto a = nw::array({1.5, 2.5});
  EXPECT_EQ(nw::asarray<double>(a).data(), a.data()) << "the same array";
  EXPECT_EQ(nw::asarray<float>(a).to_vector(), (std::vector<float>{1.5f, 2.5f}));
  EXPECT_EQ(nw::asarray<float>(std::vector<int>{1, 2}).to_vector(), (std::vector<float>{1, 2}));
  EXPECT_EQ(nw::asarray(std::vector<int>{1, 2}).to_vector(), (std::vector<int>{1, 2}));
  EXPECT_EQ(nw::asarray(2.5).item(), 2.5);
  const float x[] = {1, 2, 3, 4};
  EXPECT_EQ(nw::asarray(x, {2, 2}).shape(), nw::shape(2, 2));
  EXPECT_TRUE(throws(
      [&] {
        nw::asarray(std::vector<int>{1, 2}, nw::shape(3));
      },
      "ValueError", "asarray: cannot reshape array of size 2 into shape (3,)"));
}

template <class T> void round_trip() {
  std::vector<T> v;
  for (int i = 0; i < 77; ++i) v.push_back(T(nw::core::cast<float>(i % 2)));
  EXPECT_TRUE(nw::array(v).to_vector() == v);
  EXPECT_TRUE(nw::array(v)(nw::slice(nw::none, nw::none, -1)).to_vector() ==
              std::vector<T>(v.rbegin(), v.rend()));
}

TEST(arrays, come_back_as_vectors) {
  round_trip<bool>();
  round_trip<nw::int8>();
  round_trip<nw::uint64>();
  round_trip<float>();
  round_trip<nw::complex128>();
  const auto f = nw::array({{1, 2}, {3, 4}}).copy(nw::order::f);
  EXPECT_EQ(f.to_vector(), (std::vector<nw::int64>{1, 2, 3, 4}));
}

TEST(arrays, wrap_memory_of_others) {
  std::vector<float> mine{1, 2, 3, 4};
  const auto a = nw::wrap(mine.data(), {2, 2});
  const auto sum = a + 1;
  mine[0] = 10;  // a stays readable as it was at the call
  EXPECT_EQ(sum.to_vector(), (std::vector<float>{2, 3, 4, 5}));
  EXPECT_EQ(a.item(0, 0), 10);
  a(1, 1) = 7;
  EXPECT_EQ(mine[3], 7);
  const float* fixed = mine.data();
  const auto read_only = nw::wrap(fixed, {4});
  EXPECT_FALSE(read_only.writeable());
  EXPECT_TRUE(throws([&] { read_only(0) = 1; }, "ValueError", "read-only"));
}

TEST(creation, by_typed_functions) {
  EXPECT_EQ(nw::zeros({2, 3}).to_vector(), std::vector<double>(6, 0));
  EXPECT_EQ(nw::ones<nw::int8>(3).to_vector(), std::vector<nw::int8>(3, 1));
  EXPECT_EQ(nw::full<float>({2}, 0.5).to_vector(), std::vector<float>(2, 0.5f));
  EXPECT_EQ(nw::arange(2, 7, 2).to_vector(), (std::vector<nw::int64>{2, 4, 6}));
  EXPECT_EQ(nw::arange<float>(3).to_vector(), (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(nw::arange(0.0, 1.0, 0.25).to_vector(), (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(nw::linspace(0, 1, 5).to_vector(), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
  EXPECT_EQ(nw::linspace(0, 1, 4, {.endpoint = false}).to_vector(),
            (std::vector<double>{0, 0.25, 0.5, 0.75}));
  EXPECT_EQ(nw::identity<int>(2).to_vector(), (std::vector<int>{1, 0, 0, 1}));
  const auto f = nw::zeros<float>({2, 3}, nw::order::f);
  EXPECT_TRUE(f.is_f_contiguous());
  EXPECT_TRUE(nw::ones_like(f).is_f_contiguous());
  EXPECT_EQ(nw::full_like(f, 2.0f).to_vector(), std::vector<float>(6, 2));
  EXPECT_TRUE(nw::ascontiguousarray(f).is_c_contiguous());
  EXPECT_EQ(nw::arange(100000).to_vector()[99999], counted(100000).back());
  EXPECT_TRUE(throws(
      [] {
        nw::zeros({1l << 40, 1l << 40});
      },
      "ValueError", "maximum supported dimension exceeded"));
}

}  // namespace
