// The functors that ops.def expands to, and what a program must know of them at run time.
#pragma once

#include <numwarp/core/complex_math.hpp>
#include <numwarp/core/math.hpp>
#include <numwarp/core/type_rules.hpp>

namespace numwarp::core {

enum class op_code : unsigned char {
#define NW_UNARY(name, rule, ...) name,
#define NW_BINARY(name, rule, ...) name,
#define NW_TERNARY(name, rule, ...) name,
#include <numwarp/core/ops.def>
  count_
};
inline constexpr int op_count = int(op_code::count_);

namespace op {

// Ops that move or step the bits of a half instead of going through float.
constexpr bool works_on_bits(op_code code) {
  return code == op_code::where || code == op_code::nextafter;
}

// A half is computed in float; what comes out in float is rounded to the half.
template <op_code Code, class T>
using formula_type = conditional_t<works_on_bits(Code), T, compute_of<T>>;

template <class T> NW_HD bool rounded(bool x) { return x; }
template <class T, class R> NW_HD auto rounded(R x) { return conditional_t<is_half<T>, T, R>(x); }

#define NW_UNARY(name, rule_, ...)                                            \
  struct name {                                                               \
    static constexpr int arity = 1;                                           \
    static constexpr op_code code = op_code::name;                            \
    using rule = rules::rule_;                                                \
    template <class T> NW_HD static auto formula(T a) { return __VA_ARGS__; } \
    template <class T> NW_HD static auto call(T a) {                          \
      return rounded<T>(formula(formula_type<code, T>(a)));                   \
    }                                                                         \
  };
#define NW_BINARY(name, rule_, ...)                                                   \
  struct name {                                                                       \
    static constexpr int arity = 2;                                                   \
    static constexpr op_code code = op_code::name;                                    \
    using rule = rules::rule_;                                                        \
    template <class T> NW_HD static auto formula(T a, T b) { return __VA_ARGS__; }    \
    template <class T> NW_HD static auto call(T a, T b) {                             \
      return rounded<T>(formula(formula_type<code, T>(a), formula_type<code, T>(b))); \
    }                                                                                 \
  };
#define NW_TERNARY(name, rule_, ...)                                                             \
  struct name {                                                                                  \
    static constexpr int arity = 3;                                                              \
    static constexpr op_code code = op_code::name;                                               \
    using rule = rules::rule_;                                                                   \
    template <class T> using first = conditional_t<code == op_code::where, bool, T>;             \
    template <class A, class T> NW_HD static auto formula(A a, T b, T c) { return __VA_ARGS__; } \
    template <class T> NW_HD static auto call(first<T> a, T b, T c) {                            \
      using F = formula_type<code, T>;                                                           \
      return rounded<T>(formula(first<F>(a), F(b), F(c)));                                       \
    }                                                                                            \
  };
#include <numwarp/core/ops.def>

}  // namespace op

// The rules as constants, for device code too, where a call of a host function is refused even in a
// constant expression. compute_tag is -1 where NumPy has no loop.
template <class Op, dtype Promoted> inline constexpr int compute_tag = Op::rule::compute(Promoted);
template <class Op, dtype Compute> inline constexpr dtype result_dtype = Op::rule::result(Compute);

// Not inside the functions: compilers would copy a table onto the stack at every call.
inline constexpr const char* op_names[] = {
#define NW_UNARY(name, rule, ...) #name,
#define NW_BINARY(name, rule, ...) #name,
#define NW_TERNARY(name, rule, ...) #name,
#include <numwarp/core/ops.def>
};
inline constexpr unsigned char op_arities[] = {
#define NW_UNARY(name, rule, ...) 1,
#define NW_BINARY(name, rule, ...) 2,
#define NW_TERNARY(name, rule, ...) 3,
#include <numwarp/core/ops.def>
};

// NumPy's name of the op.
constexpr const char* op_name(op_code code) { return op_names[int(code)]; }

constexpr int op_arity(op_code code) { return op_arities[int(code)]; }

// The dtype that operand k is converted to: the one the op computes in, but where's condition.
constexpr dtype arg_dtype(op_code code, int k, dtype compute) {
  return code == op_code::where && k == 0 ? dtype::bool_ : compute;
}

template <class Rule> constexpr bool resolve_by(dtype promoted, dtype& compute, dtype& result) {
  const int tag = Rule::compute(promoted);
  if (tag < 0) return false;
  compute = dtype(tag);
  result = Rule::result(compute);
  return true;
}

// The dtype an op computes in and the one that comes out; false where NumPy has no such loop.
constexpr bool resolve(op_code code, dtype promoted, dtype& compute, dtype& result) {
  switch (code) {
#define NW_UNARY(name, rule, ...) \
  case op_code::name:             \
    return resolve_by<rules::rule>(promoted, compute, result);
#define NW_BINARY(name, rule, ...) NW_UNARY(name, rule)
#define NW_TERNARY(name, rule, ...) NW_UNARY(name, rule)
#include <numwarp/core/ops.def>
    case op_code::count_:
      break;
  }
  return false;
}

// What an operand counts as when the operands of this op are promoted (see type_rules.hpp).
constexpr dtype operand_dtype(op_code code, dtype t) {
  switch (code) {
#define NW_UNARY(name, rule, ...) \
  case op_code::name:             \
    return rules::rule::operand(t);
#define NW_BINARY(name, rule, ...) NW_UNARY(name, rule)
#define NW_TERNARY(name, rule, ...) NW_UNARY(name, rule)
#include <numwarp/core/ops.def>
    case op_code::count_:
      break;
  }
  return t;
}

// promote() for the operands of one op.
constexpr dtype promote_for(op_code code, dtype a, dtype b) {
  return promote(operand_dtype(code, a), operand_dtype(code, b));
}

}  // namespace numwarp::core
