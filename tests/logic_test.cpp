// isclose, array_equal and their relatives against NumPy (golden/logic.txt).
#include "support/arrays.hpp"
#include "support/counting.hpp"
#include "support/devices.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::detail::scalar;

namespace {

any_array input(const std::string& type) { return to_array(golden("logic.npz", "in/" + type)); }

any_array counted(const std::string& type, const std::string& shape) {
  const nw::shape s(golden_numbers(shape));
  std::int64_t n = 1;
  for (const std::int64_t d : s) n *= d;
  return (nw::arange(n) % 3).reshape(s).untyped().astype(golden_type(type));
}

any_array truth(bool value) { return nw::array(value).untyped(); }

any_array result_of(const golden_fields& f) {
  const std::string& name = f[0];
  if (name == "isclose") {
    const any_array a = input(f[2]).expand_dims(1), b = input(f[3]);
    return nw::detail::isclose(
        named(a), named(b),
        {.rtol = std::stod(f[4]), .atol = std::stod(f[5]), .equal_nan = f[6] == "1"});
  }
  if (name == "array_equal")
    return truth(nw::detail::array_equal(counted(f[2], f[3]), counted(f[4], f[5]), false));
  if (name == "array_equiv")
    return truth(nw::detail::array_equiv(counted(f[2], f[3]), counted(f[4], f[5])));
  const any_array a = input(f[2]);
  if (name == "isposinf" || name == "isneginf")
    return nw::detail::is_infinite(a, name == "isneginf", name.c_str());
  if (name == "isreal" || name == "iscomplex")
    return nw::detail::has_imaginary(a, name == "iscomplex", name.c_str());
  const bool whole = f[3].find_first_of(".in") == std::string::npos;
  const scalar s = whole ? scalar(std::stoll(f[3])) : scalar(std::stod(f[3]));
  return name == "isclose_scalar" ? nw::detail::isclose(named(a), number(s), {})
                                  : nw::detail::isclose(number(s), named(a), {});
}

TEST(logic, is_that_of_numpy) {
  numwarp_test::for_each_device([] {
    int rows = 0;
    for (const auto& f : golden_lines("logic.txt")) {
      std::string row;
      for (const auto& field : f) row += field + '|';
      SCOPED_TRACE(row);
      const auto& arrays = golden("logic.npz");
      const auto error = arrays.find(f[1] + "/error");
      if (error != arrays.end()) {
        EXPECT_TRUE(throws([&] { result_of(f); }, error->second.error_class(),
                           error->second.error_message().substr(0, 30)));
      } else {
        EXPECT_TRUE(equal(result_of(f), golden("logic.npz", f[1] + "/out")));
      }
      ++rows;
    }
    EXPECT_GT(rows, 200);
  });
}

TEST(logic, is_written_as_in_numpy) {
  numwarp_test::for_each_device([] {
    const double nan = std::nan("");
    const auto a = nw::array({1.0, 2.0, nan}), b = nw::array({1.0, 2.00001, nan});
    EXPECT_EQ(nw::isclose(a, b).to_vector(), (std::vector<bool>{true, true, false}));
    EXPECT_FALSE(nw::allclose(a, b));
    EXPECT_TRUE(nw::allclose(a, b, {.equal_nan = true}));
    EXPECT_TRUE(nw::allclose(a(nw::slice(1)) * 2.0, 2));
    EXPECT_FALSE(nw::array_equal(a, a));
    EXPECT_TRUE(nw::array_equal(a, a, {.equal_nan = true}));
    EXPECT_FALSE(nw::array_equal(a, b, {.equal_nan = true}));
    EXPECT_TRUE(nw::array_equiv(nw::ones<int>({2, 3}), nw::ones<float>(3)));
    EXPECT_EQ(nw::isposinf(nw::array({1.0, HUGE_VAL})).to_vector(),
              (std::vector<bool>{false, true}));
    EXPECT_EQ(nw::iscomplex(nw::array<nw::complex64>({{1, 0}, {0, 1}})).shape(), nw::shape(2, 2));
    EXPECT_EQ(launches([&] { nw::allclose(a, b); }), 1);
    EXPECT_EQ(launches([&] { nw::isclose(a * 2.0, b + a).compute(); }), 1);
    EXPECT_TRUE(throws([&] { nw::isclose(a, nw::ones(2)); }, "ValueError",
                       "isclose: operands could not be broadcast together with shapes (3,) (2,)"));
    EXPECT_TRUE(throws([&] { nw::allclose(a, nw::ndarray<double>()); }, "ValueError", "null"));
  });
}

}  // namespace
