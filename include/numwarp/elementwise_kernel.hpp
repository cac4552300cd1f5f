// Elementwise functions and reductions written as CUDA C++ on elements: CuPy's ElementwiseKernel
// and ReductionKernel.
//
//   const nw::elementwise_kernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)",
//                                             "squared_diff");
//   auto z = squared_diff.as<float>(a, b);  // one launch; a and b broadcast
//   const nw::reduction_kernel norm("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "norm");
//   auto y = norm.as<float>(a);
//
// Parameters are "type name", separated by commas. A type is an element type's name (float32,
// int64, complex64 ...), which the argument must have, or a capital letter for any one type, which
// is a name in the text, too. "raw T x" is an array of any shape that the text indexes: x[k] in C
// order, x(i, j), x.shape(0), x.size(); see core/strided_array.hpp.
//
// The text is compiled for the types of the first call, inside the library's own kernels and with
// their flags (no contraction: "--fmad=true" among the options allows it), and kept in memory and
// on disk. It sees CUDA's functions, numwarp::float16 and bfloat16 (write T(exp(x)): functions give
// float) and numwarp::core::complex, for which exp, log, sqrt, sin and their kind exist.
//
// Arguments are arrays and numbers, which take the parameter's type. They run on the arrays'
// device, a CUDA device: on the CPU, and where NVRTC is not installed, a call throws device_error.
// Use NW_FUNCTION for a function that runs on both and joins other operations in one kernel.
// compile_error holds the compiler's log, whose lines are those of the text. Never waits.
#pragma once

#include <array>
#include <numwarp/ndarray.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace numwarp {

namespace plan {
struct formula;
}

struct formula_options {
  std::string preamble = {};              // before the kernel: #include, functions, constants
  std::vector<std::string> options = {};  // for NVRTC: "-DTILE=16", "--fmad=true"
};
struct reduction_formula_options {
  std::string reduce_type = {};  // of a and b; the output's type if empty
  std::string preamble = {};
  std::vector<std::string> options = {};
};

struct elementwise_launch_options {
  std::optional<std::int64_t> size = {};  // of the index space, where all arrays are raw
};
struct reduction_launch_options {
  numwarp::axes axis = {};  // all
  bool keepdims = false;
};

namespace detail {

const plan::formula* make_formula(const std::string& in, const std::string& out,
                                  const std::string& operation, const std::string& name,
                                  formula_options&& o);
const plan::formula* make_formula(const std::string& in, const std::string& out,
                                  const std::string& map, const std::string& reduce,
                                  const std::string& post_map, const std::string& identity,
                                  const std::string& name, reduction_formula_options&& o);
// `expected`: how many outputs the caller takes; 0 for any number.
std::vector<any_array> run_formula(const plan::formula& f, std::span<operand> arguments,
                                   const elementwise_launch_options& o, std::size_t expected);
any_array run_formula(const plan::formula& f, std::span<operand> arguments,
                      const reduction_launch_options& o);

}  // namespace detail

// A handle; copies mean the same kernel.
class elementwise_kernel {
 public:
  // `operation`: statements that set the outputs from the inputs. They see i, the element's index
  // in C order, and n, the number of elements. Throws value_error for a list of parameters that
  // cannot be read.
  elementwise_kernel(const std::string& in_params, const std::string& out_params,
                     const std::string& operation, const std::string& name = "elementwise_kernel",
                     formula_options o = {})
      : formula_(detail::make_formula(in_params, out_params, operation, name, std::move(o))) {}

  // The inputs, or the inputs and then arrays for all outputs. Arrays that are not raw broadcast;
  // the outputs have their shape. The text finds in an output that was given its old elements, in a
  // new one zeros. An input that shares memory with an output in another order is copied first.
  // Throws type_error for arguments of other types or number, value_error for shapes that do not
  // fit and for a kernel of several outputs, device_error for arrays on two devices.
  template <operand_argument... A> any_array operator()(A&&... arguments) const {
    return std::move(call({}, 1, std::forward<A>(arguments)...)[0]);
  }
  // Results as ndarray<T>, several as a tuple: auto [q, r] = k.as<float, int>(a, b).
  template <element... T, operand_argument... A>
  requires(sizeof...(T) > 0) auto as(A&&... arguments) const {
    const auto made = call({}, sizeof...(T), std::forward<A>(arguments)...);
    if constexpr (sizeof...(T) == 1) {
      return (ndarray<T>(made[0]), ...);
    } else {
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return std::tuple{ndarray<T>(made[K])...};
      }
      (std::index_sequence_for<T...>());
    }
  }
  // With keywords; all outputs.
  template <operand_argument... A>
  std::vector<any_array> launch(const elementwise_launch_options& o, A&&... arguments) const {
    return call(o, 0, std::forward<A>(arguments)...);
  }

 private:
  template <class... A>
  std::vector<any_array> call(const elementwise_launch_options& o, std::size_t expected,
                              A&&... arguments) const {
    std::array<detail::operand, sizeof...(A)> list{
        detail::to_operand(std::forward<A>(arguments))...};
    return detail::run_formula(*formula_, list, o, expected);
  }
  const plan::formula* formula_;
};

// A handle; copies mean the same kernel.
class reduction_kernel {
 public:
  // Expressions: `map` makes a value of the inputs, `reduce` joins two, a and b, and `identity`
  // changes nothing; empty, there is none, and an empty array throws value_error. `post_map` is a
  // statement that sets the one output from a, and sees n, the number of elements that were joined.
  // The order of joins depends on the shape alone.
  reduction_kernel(const std::string& in_params, const std::string& out_params,
                   const std::string& map, const std::string& reduce, const std::string& post_map,
                   const std::string& identity, const std::string& name = "reduction_kernel",
                   reduction_formula_options o = {})
      : formula_(detail::make_formula(in_params, out_params, map, reduce, post_map, identity, name,
                                      std::move(o))) {}

  // Over all axes. Arguments and errors are those of an elementwise_kernel; one input at least is
  // an array that is not raw.
  template <operand_argument... A> any_array operator()(A&&... arguments) const {
    return launch({}, std::forward<A>(arguments)...);
  }
  template <element T, operand_argument... A> ndarray<T> as(A&&... arguments) const {
    return ndarray<T>(launch({}, std::forward<A>(arguments)...));
  }
  // Over some axes: k.launch({.axis = {0}, .keepdims = true}, a). Throws axis_error.
  template <operand_argument... A>
  any_array launch(const reduction_launch_options& o, A&&... arguments) const {
    std::array<detail::operand, sizeof...(A)> list{
        detail::to_operand(std::forward<A>(arguments))...};
    return detail::run_formula(*formula_, list, o);
  }

 private:
  const plan::formula* formula_;
};

}  // namespace numwarp
