// The rows of golden/ufuncs.npz as calls.
#pragma once

#include "support/arrays.hpp"

namespace numwarp::testing {

using core::op_code;

// An op with its golden operands of one element type.
struct golden_call {
  op_code op;
  std::string name;
  dtype type;
  std::vector<any_array> operands;

  golden_call(op_code code, dtype t) : op(code), name(core::op_name(code)), type(t) {
    const int arity = core::op_arity(op);
    for (int i = 0; i < arity; ++i) {
      operands.push_back(to_array(golden_operand(name, std::string(numwarp::name(t)), arity, i)));
    }
  }
};

// f(call, wanted) for every op and type that NumPy has a loop for.
template <class F> void for_each_row(F f) {
  for (int code = 0; code < core::op_count; ++code) {
    const std::string op = core::op_name(op_code(code));
    for (int t = 0; t < dtype_count; ++t) {
      const std::string row = op + "/" + std::string(numwarp::name(dtype(t)));
      const auto& arrays = golden("ufuncs.npz");
      const auto found = arrays.find(row + "/out");
      if (found == arrays.end()) continue;
      SCOPED_TRACE(row);
      f(golden_call(op_code(code), dtype(t)), found->second);
    }
  }
}

}  // namespace numwarp::testing
