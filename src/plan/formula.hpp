// Kernels that users write as a formula on elements: nw::elementwise_kernel and
// nw::reduction_kernel. Their parameter lists, the types that arguments give them, and what a
// launch passes beside arrays. Pure; a backend compiles the text.
#pragma once

#include <cstdint>
#include <numwarp/core/promotion.hpp>
#include <numwarp/dtype.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/small_vector.hpp"

namespace numwarp::plan {

// "T x": a type that the arguments decide. "float32 x": that type. "raw T x": an array that the
// formula indexes itself.
struct parameter {
  char placeholder = 0;  // a capital letter; 0 where the type is stated
  dtype type{};
  std::string name;
  bool raw = false;
};

// The parameters between the commas of `list`. Throws value_error, naming `function`, for what is
// none, for a type that is not there and for a name that is given twice.
std::vector<parameter> parse_parameters(std::string_view list, const std::string& function);
// "T" or "float32", as in a parameter.
parameter parse_type(std::string_view text, const std::string& function);

// Whether C++ text has `name` as a word of its own. Comments and strings count as text.
bool mentions(std::string_view text, std::string_view name);

struct formula {
  std::string name;
  std::vector<parameter> in, out;
  std::string body;  // statements; of a reduction the expression that it reduces
  std::string preamble;
  std::vector<std::string> options;  // for the compiler
  // A reduction: a and b joined, the result made of a, the value to start with (none where empty),
  // and the type of a and b.
  bool reduces = false;
  std::string reduce, post_map, identity;
  parameter reduced;

  // Equal for equal formulas, different for different ones, in this process.
  std::uint64_t id = 0;

  bool uses_index() const { return !reduces && mentions(body, "i"); }
  // Whether its text may include files that can change while the text does not.
  bool reads_files() const;
};

// Checks a formula and keeps it for as long as the process lives, once: kernels and reports of
// faults refer to it. Throws value_error.
const formula& intern(formula f);

// Types of all parameters, inputs first, for the arguments of a call: the inputs, or inputs and
// outputs. Arrays decide placeholders; scalars do where no array does. Throws type_error.
std::vector<dtype> resolve_types(const formula& f, std::span<const detail::type_argument> given);
dtype reduced_type(const formula& f, std::span<const dtype> types);

// How a parameter is passed.
struct bound_parameter {
  enum kind_t : unsigned char { element, value, raw };
  dtype type{};
  kind_t kind = element;
  bool kept = false;        // an output whose old elements are read
  bool contiguous = false;  // raw: in C order
  std::uint8_t rank = 0;    // raw: at least 1
  friend bool operator==(const bound_parameter&, const bound_parameter&) = default;
};

// Words of 8 bytes that such a parameter takes among the constants of a kernel: the value, or the
// address, shape and strides of a raw array.
int words_of(const bound_parameter& p);

// A launch of a formula, beside its plan. The plan's inputs are the inputs that are elements, then
// the outputs that are kept; its outputs are those that are elements.
struct formula_call {
  const formula* of = nullptr;
  small_vector<bound_parameter, 8> parameters;  // inputs, then outputs
  small_vector<std::uint64_t, 24> words;        // of all parameters in order; then the size
};

}  // namespace numwarp::plan
