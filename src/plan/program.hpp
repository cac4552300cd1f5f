// The body of an elementwise operation: a straight-line list of steps, each making one value an
// element. Pure data: a backend interprets it or writes a kernel from it.
#pragma once

#include <cstdint>
#include <cstring>
#include <numwarp/core/ops.hpp>
#include <numwarp/detail/function_calls.hpp>
#include <numwarp/dtype.hpp>
#include <span>
#include <string>
#include <type_traits>

#include "plan/small_vector.hpp"

namespace numwarp::plan {

using core::op_code;

enum class step_kind : std::uint8_t {
  load,      // element of input args[0]
  constant,  // `value`
  index,     // linear index (C order) of the element, as int64
  cast,      // args[0] converted to `type`
  op,        // `op` on args, evaluated at type `compute`
  call       // a user's body on args; `value` holds its address
};

using detail::compiled_body;
inline constexpr int max_args = detail::max_parameters;

// Room for one element of any type, held as bytes.
struct constant_bits {
  alignas(16) unsigned char bytes[16] = {};
  friend bool operator==(const constant_bits&, const constant_bits&) = default;
};

struct step {
  step_kind kind = step_kind::load;
  op_code op{};
  dtype type{};     // of the value made
  dtype compute{};  // the type the op's formula is evaluated at
  std::int16_t args[max_args] = {-1, -1, -1, -1, -1, -1};
  constant_bits value;

  // Whether it is made from other steps.
  bool computed() const {
    return kind == step_kind::op || kind == step_kind::cast || kind == step_kind::call;
  }
  const compiled_body& called() const;
  friend bool operator==(const step& a, const step& b) {
    return std::memcmp(&a, &b, sizeof(step)) == 0;
  }
};
static_assert(std::has_unique_object_representations_v<step>);

struct program {
  small_vector<step, 8> steps;

  // Appends s unless an equal step exists; returns its index.
  int add(const step& s);
  int load(int input, dtype t);
  int constant(dtype t, const constant_bits& v);
  // The value `from` as type t: itself where it already has that type.
  int cast(int from, dtype t);
  int op(op_code code, dtype compute, dtype result, const int* args, int n);
  int call(const compiled_body& body, const int* args);
  // Appends the steps of `other`; its input i becomes input_map[i]. Returns the new index of each
  // of its steps.
  small_vector<int, 8> append(const program& other, std::span<const int> input_map);
  // The same where its input i is the value of step values[i].
  small_vector<int, 8> append_on(const program& other, std::span<const int> values);

  // Ops, casts and calls: what is done for an element.
  int op_count() const;
  // Whether a step asks for the place of the element, which ties the axes to their order.
  bool uses_index() const;
  // True where every op is one of + - * and casts: cheap enough to be evaluated more than once.
  bool cheap() const;
};

// Most inputs and ops of one program; a kernel's parameters must hold every input as strided.
inline constexpr int max_inputs = 48;
inline constexpr int max_ops = 96;

// The canonical text: equal texts mean equal kernels. "v0=load f32 0;v1=const f32 3f800000;..."
std::string to_string(const program& p);

}  // namespace numwarp::plan
