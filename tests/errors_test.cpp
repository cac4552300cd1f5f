// What bad input gives: the class of the error, the text with its values, and that all goes on.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numwarp/numwarp.hpp>
#include <support/errors.hpp>

namespace nw = numwarp;
using nw::testing::text_of;

namespace {

using array = nw::ndarray<float>;

class errors : public ::testing::Test {
 protected:
  array a = nw::arange<float>(12).reshape({3, 4}).copy(), b = nw::ones<float>(5);
  void TearDown() override {  // whatever went wrong
    EXPECT_EQ(66, a.sum().item());
    EXPECT_EQ(6, (a + 1).item(1, 1));
  }
};

TEST_F(errors, shapes_that_do_not_broadcast) {
  EXPECT_EQ("add: operands could not be broadcast together with shapes (3,4) (5,)",
            text_of<nw::value_error>([&] { a + b; }));
  EXPECT_EQ("where: operands could not be broadcast together with shapes (3,4) (3,4) (5,)",
            text_of<nw::value_error>([&] { nw::where(a > 1, a, b); }));
  EXPECT_EQ("reshape: cannot reshape array of size 12 into shape (5,2)",
            text_of<nw::value_error>([&] {
              a.reshape({5, 2});
            }));
  EXPECT_NE("no error", text_of<nw::value_error>([&] { nw::broadcast_to(b, {4}); }));
  EXPECT_EQ("array: cannot reshape array of size 3 into shape (2, 2)",
            text_of<nw::value_error>([&] {
              nw::array(std::vector<float>{1, 2, 3}, nw::shape(2, 2));
            }));
}

TEST_F(errors, shapes_that_cannot_be) {
  EXPECT_EQ("zeros: negative dimensions are not allowed, got shape (2, -1)",
            text_of<nw::value_error>([&] {
              nw::zeros<float>({2, -1});
            }));
  EXPECT_NE("no error", text_of<nw::value_error>([&] {
              nw::zeros<float>({1LL << 40, 1LL << 40});
            }));
  EXPECT_NE("no error", text_of<nw::value_error>([&] { nw::zeros<float>(~0ull); }));
}

// Each function of a shape names itself, once, whatever it is built from.
TEST_F(errors, makers_name_themselves) {
  const nw::shape negative(2, -1), huge(1LL << 40, 1LL << 40);
  nw::shape deep;
  for (int i = 0; i < 65; ++i) deep.push_back(1);
  const std::vector<std::pair<std::string, std::function<void(const nw::shape&)>>> makers{
      {"empty", [](const nw::shape& s) { nw::empty<float>(s); }},
      {"zeros", [](const nw::shape& s) { nw::zeros<float>(s); }},
      {"ones", [](const nw::shape& s) { nw::ones<float>(s); }},
      {"full", [](const nw::shape& s) { nw::full<float>(s, 3); }},
      {"full", [](const nw::shape& s) { nw::full(s, 3); }},
      {"empty_pinned", [](const nw::shape& s) { nw::empty_pinned<float>(s); }},
      {"zeros_pinned", [](const nw::shape& s) { nw::zeros_pinned<float>(s); }},
      {"array", [](const nw::shape& s) { nw::array(std::vector<float>(3), s); }},
      {"array", [](const nw::shape& s) { nw::array<double>(std::vector<float>(3), s); }},
      {"asarray", [](const nw::shape& s) { nw::asarray(std::vector<float>(3), s); }},
      {"wrap", [this](const nw::shape& s) { nw::wrap(a.mutable_data(), s); }},
  };
  for (const auto& [name, make] : makers) {
    for (const nw::shape& s : {negative, huge, deep}) {
      const std::string text = text_of<nw::value_error>([&] { make(s); });
      EXPECT_EQ(0u, text.find(name + ": ")) << text;
      EXPECT_EQ(std::string::npos, text.find(name + ":", name.size())) << text;
    }
  }
}

TEST_F(errors, makers_of_ranges_name_themselves) {
  const double nan = std::nan("");
  EXPECT_EQ("arange: cannot compute length", text_of<nw::value_error>([&] { nw::arange(nan); }));
  EXPECT_EQ("arange: cannot compute length",
            text_of<nw::value_error>([&] { nw::arange(0.0, nan, 1.0); }));
  EXPECT_EQ("arange: step must not be zero",
            text_of<nw::value_error>([&] { nw::arange(0, 5, 0); }));
  const auto begins = [](const std::string& name, const std::string& text) {
    EXPECT_EQ(0u, text.find(name + ": ")) << text;
    EXPECT_EQ(std::string::npos, text.find(name + ":", name.size())) << text;
  };
  begins("arange", text_of<nw::value_error>([] { nw::arange(1e300); }));
  begins("arange", text_of<nw::value_error>([] { nw::arange(INT64_MAX); }));
  begins("linspace", text_of<nw::value_error>([] { nw::linspace(0, 1, -1); }));
  begins("linspace", text_of<nw::value_error>([] { nw::linspace(0, 1, INT64_MAX); }));
  begins("eye", text_of<nw::value_error>([] { nw::eye(-1); }));
  begins("eye", text_of<nw::value_error>([] { nw::eye(1LL << 40); }));
  begins("identity", text_of<nw::value_error>([] { nw::identity(-1); }));
  begins("full", text_of<nw::overflow_error>([] { nw::full<nw::int8>(3, 300); }));
  begins("full_like",
         text_of<nw::overflow_error>([] { nw::full_like(nw::zeros<nw::int8>(3), 300); }));
  begins("fill", text_of<nw::overflow_error>([] { nw::zeros<nw::int8>(3).fill(300); }));
  begins("array", text_of<nw::value_error>([] { nw::array({{1, 2}, {3}}); }));
}

// Memory that no machine has: the function that asked for it, with shape and type.
TEST_F(errors, out_of_memory_names_the_function) {
  const std::int64_t n = std::int64_t(1) << 45;
  const std::string text =
      ": Unable to allocate an array with shape (35184372088832,) and data type int8: ";
  const auto expect = [&](const std::string& name, auto f) {
    EXPECT_EQ(0u, text_of<nw::out_of_memory>(f).find(name + text)) << text_of<nw::out_of_memory>(f);
  };
  expect("empty", [&] { nw::empty<nw::int8>(n); });
  expect("zeros", [&] { nw::zeros<nw::int8>(n); });
  expect("ones", [&] { nw::ones<nw::int8>(n); });
  expect("full", [&] { nw::full<nw::int8>(n, 1); });
  expect("arange", [&] { nw::arange<nw::int8>(n); });
  expect("linspace", [&] { nw::linspace<nw::int8>(0, 1, n); });
  const auto wide = nw::broadcast_to(nw::zeros<nw::int8>(1), {n});
  expect("copy", [&] { wide.copy(); });
  expect("positive", [&] { (+wide).compute(); });
}

TEST_F(errors, axes) {
  EXPECT_EQ("sum: axis 2 is out of bounds for array of dimension 2",
            text_of<nw::axis_error>([&] { a.sum(2); }));
  EXPECT_EQ("max: axis -3 is out of bounds for array of dimension 2",
            text_of<nw::axis_error>([&] { nw::max(a, -3); }));
  EXPECT_EQ("mean: duplicate value in 'axis': (1, -1)", text_of<nw::value_error>([&] {
              nw::mean(a, {1, -1});
            }));
  EXPECT_EQ("swapaxes: axis2: axis 5 is out of bounds for array of dimension 2",
            text_of<nw::axis_error>([&] { a.swapaxes(0, 5); }));
  EXPECT_EQ("max: zero-size array to reduction operation maximum which has no identity",
            text_of<nw::value_error>([&] { nw::zeros<float>(0).max(); }));
}

TEST_F(errors, indices) {
  EXPECT_EQ("subscript: index 3 is out of bounds for axis 0 with size 3",
            text_of<nw::index_error>([&] { a(3); }));
  EXPECT_EQ("subscript: index -5 is out of bounds for axis 1 with size 4",
            text_of<nw::index_error>([&] { a(0, -5); }));
  EXPECT_EQ("subscript: too many indices for array: array is 2-dimensional, but 3 were indexed",
            text_of<nw::index_error>([&] { a(0, 0, 0); }));
  EXPECT_EQ("item: index 4 is out of bounds for axis 1 with size 4",
            text_of<nw::index_error>([&] { a.item(0, 4); }));
  EXPECT_EQ("item: 2 indices are needed, got 1", text_of<nw::index_error>([&] { a.item(0); }));
  EXPECT_EQ("item: can only convert an array of size 1 to a scalar, got shape (3, 4)",
            text_of<nw::value_error>([&] { a.item(); }));
  EXPECT_EQ("slice: slice step cannot be zero",
            text_of<nw::value_error>([&] { a(nw::slice(0, 2, 0)); }));
  EXPECT_EQ("subscript: an index can only have a single ellipsis ('...')",
            text_of<nw::index_error>([&] { a(nw::ellipsis, nw::ellipsis); }));
}

TEST_F(errors, numbers_that_do_not_fit) {
  auto small = nw::ones<nw::int8>(2);
  EXPECT_EQ("add: integer 300 out of bounds for int8",
            text_of<nw::overflow_error>([&] { small + 300; }));
  EXPECT_EQ("subtract: integer -1 out of bounds for uint64",
            text_of<nw::overflow_error>([&] { nw::ones<nw::uint64>(2) - (-1); }));
  EXPECT_EQ("multiply: integer 300 out of bounds for int8",
            text_of<nw::overflow_error>([&] { small *= 300; }));
  EXPECT_EQ("fill: integer 300 out of bounds for int8",
            text_of<nw::overflow_error>([&] { small.fill(300); }));
  EXPECT_EQ("full: integer 256 out of bounds for uint8",
            text_of<nw::overflow_error>([&] { nw::full<nw::uint8>({2}, 256); }));
  EXPECT_TRUE(nw::all(small < 300).item()) << "comparisons are right, not refused";
  EXPECT_EQ("power: Integers to negative integer powers are not allowed, got -1",
            text_of<nw::value_error>([&] { nw::power(small, -1); }));
  EXPECT_EQ(1, small.item(0));
}

// Each public function names itself.
TEST_F(errors, null_arrays) {
  const array null;
  const auto expect = [](const std::string& name, auto f) {
    EXPECT_EQ(name + ": the array is null (default-constructed or moved from)",
              text_of<nw::value_error>(f));
  };
  expect("shape", [&] { null.shape(); });
  expect("strides", [&] { null.strides(); });
  expect("ndim", [&] { null.ndim(); });
  expect("size", [&] { null.size(); });
  expect("nbytes", [&] { null.nbytes(); });
  expect("device", [&] { null.device(); });
  expect("writeable", [&] { null.writeable(); });
  expect("is_c_contiguous", [&] { null.is_c_contiguous(); });
  expect("is_pending", [&] { null.is_pending(); });
  expect("is_f_contiguous", [&] { null.is_f_contiguous(); });
  expect("flags", [&] { null.flags(); });
  expect("flags", [&] { null.base(); });
  expect("compute", [&] { null.compute(); });
  expect("subscript", [&] { null(0); });
  expect("subscript", [&] { null(nw::zeros<bool>(2)); });
  expect("subscript", [&] { a(nw::ndarray<bool>()); });
  expect("item", [&] { null.item(); });
  expect("item", [&] { null.item(0); });
  expect("data", [&] { null.data(); });
  expect("mutable_data", [&] { null.mutable_data(); });
  expect("write", [&] { null.write(); });
  expect("to_vector", [&] { null.to_vector(); });
  expect("reshape", [&] { null.reshape({1}); });
  expect("transpose", [&] { null.T(); });
  expect("squeeze", [&] { null.squeeze(); });
  expect("swapaxes", [&] { null.swapaxes(0, 1); });
  expect("moveaxis", [&] { nw::moveaxis(null, 0, 1); });
  expect("expand_dims", [&] { nw::expand_dims(null, 0); });
  expect("broadcast_to", [&] { nw::broadcast_to(null, {2}); });
  expect("flip", [&] { nw::flip(null); });
  expect("readonly", [&] { null.readonly(); });
  expect("real", [&] { null.real(); });
  expect("imag", [&] { null.imag(); });
  expect("view", [&] { null.view<nw::int32>(); });
  expect("rows", [&] { null.rows(); });
  expect("copy", [&] { null.copy(); });
  expect("astype", [&] { null.astype<double>(); });
  expect("astype", [&] { array().astype<double>(); });
  expect("to", [&] { null.to(nw::cpu); });
  expect("fill", [&] { null.fill(1); });
  expect("empty_like", [&] { nw::empty_like(null); });
  expect("zeros_like", [&] { nw::zeros_like(null); });
  expect("ones_like", [&] { nw::ones_like(null); });
  expect("full_like", [&] { nw::full_like(null, 2); });
  expect("ravel", [&] { null.ravel(); });
  expect("flatten", [&] { null.flatten(); });
  expect("asnumpy", [&] { nw::asnumpy(null); });
  expect("ascontiguousarray", [&] { nw::ascontiguousarray(null); });
  expect("matmul", [&] { nw::matmul(null, a); });
  expect("dot", [&] { nw::dot(a, null); });
  expect("inner", [&] { nw::inner(a, null); });
  expect("vdot", [&] { nw::vdot(null, a); });
  expect("outer", [&] { nw::outer(a, null); });
  expect("sum", [&] { null.sum(); });
  expect("sum", [&] { nw::sum(null, 0); });
  expect("argmax", [&] { nw::argmax(null); });
  expect("exp", [&] { nw::exp(null); });
  expect("add", [&] { null + 1; });
  expect("add", [&] { 1 + null; });
  expect("add", [&] { a + null; });
  expect("divmod", [&] { nw::divmod(a, null); });
  expect("add", [&] { a += null; });
  expect("operator=", [&] { a(0) = null; });
  array moved = a.copy();
  const array taken = std::move(moved);
  expect("multiply", [&] { moved * 2; });  // NOLINT(bugprone-use-after-move)
  array target;
  expect("add", [&] { target += 1; });
}

TEST_F(errors, devices_that_are_not_there) {
  if (nw::is_available(nw::cuda(0))) GTEST_SKIP() << "this machine has one";
  const auto has_reason = [](const std::string& text) {
    return text.find("cuda:0") != std::string::npos && text.size() > std::string("cuda:0: ").size();
  };
  EXPECT_PRED1(has_reason, text_of<nw::device_error>([&] { a.to(nw::cuda(0)); }));
  EXPECT_PRED1(has_reason,
               text_of<nw::device_error>([&] { nw::zeros<float>(2, nw::order::c, nw::cuda(0)); }));
  EXPECT_PRED1(has_reason, text_of<nw::device_error>([&] { nw::array({1, 2}, nw::cuda(0)); }));
  EXPECT_PRED1(has_reason, text_of<nw::device_error>([&] { nw::device_guard guard(nw::cuda(0)); }));
  EXPECT_PRED1(has_reason, text_of<nw::device_error>([&] { nw::synchronize(nw::cuda(0)); }));
  EXPECT_TRUE(nw::is_available(nw::default_device()));
}

TEST_F(errors, untyped_arrays_are_checked_when_they_run) {
  const nw::any_array text = a.untyped();
  EXPECT_NE("no error", text_of<nw::type_error>([&] { nw::ndarray<double> d(text); }));
  EXPECT_NE("no error", text_of<nw::type_error>([&] { nw::bitwise_and(text, text); }));
  EXPECT_NE("no error", text_of<nw::value_error>([&] { nw::add(nw::any_array(), text); }));
}

TEST_F(errors, threads) {
  EXPECT_EQ("set_num_threads: at least one thread is needed, got 0",
            text_of<nw::value_error>([] { nw::set_num_threads(0); }));
  EXPECT_GE(nw::get_num_threads(), 1);
}

TEST_F(errors, all_are_errors_of_the_library) {
  EXPECT_THROW(a + b, nw::error);
  EXPECT_THROW(a.sum(7), nw::value_error);
  EXPECT_THROW(a(9), std::runtime_error);
}

}  // namespace
