// NumPy 2's result types for a call of a ufunc, for the compiler and for run time alike.
#pragma once

#include <numwarp/core/ops.hpp>

namespace numwarp::detail {

using core::op_code;

// What an operand brings to the result's type: an array (or a strong scalar) its dtype, a weak
// scalar only its kind.
struct type_argument {
  dtype type;
  bool strong;
  char kind;
};

// The type of a lone Python scalar of that kind.
constexpr dtype python_type(char kind) {
  return kind == 'b'   ? dtype::bool_
         : kind == 'c' ? dtype::complex128
         : kind == 'f' ? dtype::float64
                       : dtype::int64;
}

// NEP 50: the strong operands promote each other, then weak scalars raise the kind at most.
// where's condition takes no part.
constexpr dtype promote_arguments(op_code op, const type_argument* args, int n) {
  bool any = false;
  dtype t{};
  const int first = op == op_code::where ? 1 : 0;
  for (int k = first; k < n; ++k) {
    if (!args[k].strong) continue;
    t = any ? core::promote_for(op, t, args[k].type) : args[k].type;
    any = true;
  }
  for (int k = first; k < n; ++k) {
    if (args[k].strong) continue;
    t = any ? promote_weak(t, args[k].kind) : python_type(args[k].kind);
    any = true;
  }
  return t;
}

// Ufuncs find a loop for any two types; where takes their common type, which bfloat16 may lack.
constexpr bool promotable_arguments(op_code op, const type_argument* args, int n) {
  return op != op_code::where || n < 3 || !args[1].strong || !args[2].strong ||
         promotable(args[1].type, args[2].type);
}

// b < u < i < f < c: what same_kind casting allows is to go up.
constexpr int casting_rank(dtype t) {
  return kind(t) == 'b' ? 0 : kind(t) == 'u' ? 1 : kind(t) == 'i' ? 2 : kind(t) == 'f' ? 3 : 4;
}
constexpr bool can_cast_same_kind(dtype from, dtype to) {
  return casting_rank(from) <= casting_rank(to);
}
// Every value of `from` is one of `to`.
constexpr bool can_cast_safely(dtype from, dtype to) {
  return promotable(from, to) && promote(from, to) == to;
}

}  // namespace numwarp::detail
