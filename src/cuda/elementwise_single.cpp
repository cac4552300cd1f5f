#include "cuda/elementwise_single.hpp"

#include <bit>

#include "cuda/copy.hpp"
#include "cuda/registry.hpp"

namespace numwarp::cuda_backend {

using plan::step;
using plan::step_kind;

namespace {

source input_source(const plan::elementwise& p, const step& load) {
  const plan::view& v = p.inputs[std::size_t(load.args[0])];
  return {v.data, &v.strides, v.type, nullptr};
}

// The operand that makes step `at`: memory or a constant, converted at most once to the step's
// type.
std::optional<source> operand_source(const plan::elementwise& p, int at) {
  const step& s = p.program->steps[std::size_t(at)];
  if (s.kind == step_kind::load) return input_source(p, s);
  if (s.kind == step_kind::constant) return source{nullptr, nullptr, s.type, &s.value};
  if (s.kind != step_kind::cast) return std::nullopt;
  const step& from = p.program->steps[std::size_t(s.args[0])];
  if (from.kind != step_kind::load) return std::nullopt;
  return input_source(p, from);
}

// Fills in an op and its operands.
bool take_op(const plan::elementwise& p, const step& s, single_op& out) {
  out.kind = step_kind::op;
  out.op = s.op;
  out.compute = s.compute;
  out.result = s.type;
  for (int k = 0; k < core::op_arity(s.op); ++k) {
    const auto from = operand_source(p, s.args[k]);
    if (!from) return false;
    out.sources.push_back(*from);
    out.native = out.native && from->type == core::arg_dtype(s.op, k, s.compute);
  }
  return true;
}

// The step whose value is stored, seen through a conversion to the output's own type.
int stored_step(const plan::elementwise& p, const plan::output_view& o) {
  const step& s = p.program->steps[std::size_t(o.step)];
  const bool through = s.kind == step_kind::cast && s.type == o.type &&
                       p.program->steps[std::size_t(s.args[0])].kind != step_kind::cast;
  return through ? s.args[0] : o.step;
}

}  // namespace

std::optional<single_op> as_single(const plan::elementwise& p) {
  if (p.outputs.size() != 1) return std::nullopt;
  const plan::output_view& o = p.outputs[0];
  const step& s = p.program->steps[std::size_t(stored_step(p, o))];
  single_op out;
  out.result = out.compute = s.type;
  if (s.kind == step_kind::op) {
    if (!take_op(p, s, out)) return std::nullopt;
    out.native = out.native && out.result == o.type;
  } else if (s.kind == step_kind::index) {
    out.kind = step_kind::index;
    if (o.type != dtype::int64) return std::nullopt;
  } else if (s.computed()) {
    return std::nullopt;  // two conversions one after the other, or a user's function
  } else {
    out.kind = s.type == o.type ? step_kind::load : step_kind::cast;
    out.result = o.type;
    out.sources.push_back(s.kind == step_kind::load ? input_source(p, s)
                                                    : source{nullptr, nullptr, s.type, &s.value});
  }
  out.sources.push_back({o.data, &o.strides, o.type, nullptr});
  return out;
}

namespace {

struct choice {
  const void* kernel = nullptr;
  int width = 1;
};

choice choose(const single_op& s) {
  if (s.kind == step_kind::op) {
    const auto& k = op_kernels_for(s.op, s.compute);
    return s.native ? choice{k.rows, k.width} : choice{k.converting, 1};
  }
  const auto& moves = move_kernels();
  if (s.kind == step_kind::index) return {moves.index.rows, moves.index.width};
  if (s.kind == step_kind::cast) {
    const auto& k = moves.cast[int(s.compute)][int(s.result)];
    return {k.rows, k.width};
  }
  const auto& k = moves.copy[std::countr_zero(unsigned(itemsize(s.result)))];
  return {k.rows, k.width};
}

}  // namespace

bool run_single(const launch_context& c, const dims& shape, const single_op& s, const char* name,
                std::int64_t index_base) {
  if (s.kind == step_kind::load && run_transpose(c, shape, s.sources[0], s.sources[1], name))
    return true;
  const choice use = choose(s);
  if (!use.kernel) return false;
  elementwise_launch l;
  lay_out(l, shape, s.sources, use.width, s.kind == step_kind::index);
  l.head().index_base = index_base;
  l.head().errors = static_cast<core::error_record*>(c.error_slot);
  l.head().where = reinterpret_cast<std::uintptr_t>(name);
  launch_prebuilt(c, use.kernel, l.grid, l.parameters(), name);
  return true;
}

}  // namespace numwarp::cuda_backend
