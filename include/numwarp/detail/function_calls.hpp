// What function.hpp calls: a user's function becomes steps of a statement, either the ops of its
// expression or one call of its compiled body.
#pragma once

#include <cstdint>
#include <functional>
#include <numwarp/core/body.hpp>
#include <numwarp/detail/call.hpp>
#include <span>
#include <string_view>

namespace numwarp {

namespace plan {
struct program;
}

namespace detail {

inline constexpr int max_parameters = 6;

// What the compiler of kernels gets of a function with statements.
struct function_text {
  const char* name;
  const char* parameters = "";  // "auto x, auto y"
  const char* body = "";        // "{ return x; }"
  const char* file = "";
  int line = 0;
};

// A body for one list of types. It lives as long as the application's code.
struct compiled_body {
  function_text text;
  dtype result;
  int n;
  dtype types[max_parameters];
  bool plain[max_parameters];  // a C++ number, as which the body sees it
  // The same for the CPU: out[i] = body(in[0][i], ...). `out` may be one of the inputs.
  void (*loop)(void* out, const void* const* in, std::int64_t n);
  // Equal for equal texts and types.
  std::uint64_t id;
};

// FNV-1a with 64 bits: names of kernels and of their files, not a protection.
inline constexpr std::uint64_t hash_start = 14695981039346656037u;
constexpr std::uint64_t hash_byte(unsigned char byte, std::uint64_t h) {
  return (h ^ byte) * 1099511628211u;
}
constexpr std::uint64_t hash_text(std::string_view text, std::uint64_t h = hash_start) {
  for (const char c : text) h = hash_byte(static_cast<unsigned char>(c), h);
  return h;
}
constexpr std::uint64_t hash_of(const compiled_body& b) {
  std::uint64_t h = hash_text(b.text.body, hash_text(b.text.parameters, hash_text(b.text.name)));
  h = hash_byte(static_cast<unsigned char>(b.result), h);
  for (int k = 0; k < b.n; ++k)
    h = hash_byte(static_cast<unsigned char>(int(b.types[k]) * 2 + b.plain[k]), h);
  return h;
}

// A function called with operands of certain types. `trace` appends its steps to a program whose
// inputs are the operands, and returns the last: the value, of type `result`.
struct function_call {
  const char* name;
  dtype result;
  int (*trace)(plan::program& p, std::span<const operand> operands);
};
any_array call_function(const function_call& f, std::span<operand> operands,
                        const call_options& options);

// What `trace` is made of. An argument of an op is a step, or a number where step is -1.
struct traced_argument {
  int step = -1;
  scalar value;
};
int trace_operand(plan::program& p, int k, dtype t);
int trace_number(plan::program& p, const scalar& s, dtype t);
int trace_op(plan::program& p, op_code op, dtype compute, dtype result,
             std::span<const traced_argument> arguments);
int trace_cast(plan::program& p, int step, dtype t);
int trace_body(plan::program& p, const compiled_body& b, std::span<const operand> operands);

// f(out, in, n) for stretches of a new array on the CPU, of the operands' common shape; in[k] has
// the elements of operand k, or nothing for a number.
using host_loop = std::function<void(void* out, const void* const* in, std::int64_t n)>;
any_array map_on_host(std::span<const operand> operands, dtype result, const host_loop& f);

}  // namespace detail
}  // namespace numwarp
