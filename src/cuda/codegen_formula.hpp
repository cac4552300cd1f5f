// Writes users' formulas as functors and reducers of the library's kernels. Pure text.
#pragma once

#include <span>
#include <string>

#include "cuda/codegen.hpp"
#include "plan/formula.hpp"

namespace numwarp::cuda_backend {

// The functor of a formula whose parameters are passed so, and the text that it calls: the user's
// own, at global scope, with #line directives that name the formula. Its inputs are those of the
// plan; the words of the call are its constants. `reduced`: the type of a reduction's a and b.
functor_text write_formula(const plan::formula& f,
                           std::span<const plan::bound_parameter> parameters, dtype reduced = {});
// Equal for launches that one kernel serves.
std::string formula_key(const plan::formula_call& call);

// The reducer that goes with it, as a type of the kernels: written into the functor's text.
inline constexpr const char* formula_reducer = "formula_reducer";
// Bytes of its accumulator, or more.
std::int64_t accumulator_bytes(dtype reduced);

}  // namespace numwarp::cuda_backend
