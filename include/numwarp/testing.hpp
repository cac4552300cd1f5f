// Assertions on arrays with NumPy's names, rules and messages: what numpy.testing is. They wait for
// the arrays and throw numwarp::error.
#pragma once

#include <numwarp/creation.hpp>
#include <string>

namespace numwarp::detail {

inline const any_array& compared(const any_array& a) { return a; }
template <element T> const any_array& compared(const ndarray<T>& a) { return a.untyped(); }
template <scalar_argument S> any_array compared(S value) { return array(value).untyped(); }

}  // namespace numwarp::detail

namespace numwarp::testing {

// |actual - desired| <= atol + rtol * |desired|. NaN equals NaN unless equal_nan is false.
struct allclose_options {
  double rtol = 1e-7;
  double atol = 0;
  bool equal_nan = true;
  std::string err_msg = {};
};

// Shapes must be equal, except that a 0-d side is compared with every element of the other.
void assert_allclose(const any_array& actual, const any_array& desired,
                     const allclose_options& options = {});
// Equal values; NaN equals NaN, and types may differ.
void assert_array_equal(const any_array& actual, const any_array& desired,
                        const std::string& err_msg = {});

// The same for arrays of known types and for scalars.
template <operand_argument A, operand_argument B>
void assert_allclose(const A& actual, const B& desired, const allclose_options& options = {}) {
  assert_allclose(numwarp::detail::compared(actual), numwarp::detail::compared(desired), options);
}
template <operand_argument A, operand_argument B>
void assert_array_equal(const A& actual, const B& desired, const std::string& err_msg = {}) {
  assert_array_equal(numwarp::detail::compared(actual), numwarp::detail::compared(desired),
                     err_msg);
}

}  // namespace numwarp::testing
