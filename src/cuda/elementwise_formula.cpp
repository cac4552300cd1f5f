#include "cuda/elementwise_formula.hpp"

#include <algorithm>
#include <numwarp/error.hpp>

#include "cuda/codegen_formula.hpp"
#include "cuda/jit.hpp"

namespace numwarp::cuda_backend {

namespace {

fused_kernel& kernel_of(const launch_context& c, const plan::formula_call& call, int outputs) {
  const auto fill = [&](fused_kernel& made) {
    made.functor = write_formula(*call.of, call.parameters);
    const bool has_elements = outputs > 0;  // else every operand is raw or a value
    made.width =
        has_elements ? fused_width(made.functor, int(made.functor.inputs.size()) + outputs) : 1;
    made.source = elementwise_source(made.functor, outputs, made.width);
    made.user_options = call.of->options;
    made.on_disk = !call.of->reads_files();
  };
  return find_fused(c, formula_key(call), std::ref(fill));
}

// The operands in the kernel's order. A formula without any has one, which it never looks at.
plan::small_vector<source, 8> sources_of(const plan::elementwise& p) {
  static constexpr plan::constant_bits nothing{};
  plan::small_vector<source, 8> list;
  for (const auto& v : p.inputs) list.push_back({v.data, &v.strides, v.type, nullptr});
  for (const auto& v : p.outputs) list.push_back({v.data, &v.strides, v.type, nullptr});
  if (list.empty()) list.push_back({nullptr, nullptr, dtype::uint8, &nothing});
  return list;
}

}  // namespace

void run_formula(const launch_context& c, const plan::elementwise& p, std::int64_t index_base) {
  const plan::formula_call& call = *p.formula;
  const auto sources = sources_of(p);
  if (!elementwise_launch::holds(sources.size(), call.words.size())) {
    throw value_error(std::string(p.name) + ": too many parameters for one kernel");
  }
  fused_kernel& k = kernel_of(c, call, int(p.outputs.size()));
  const void* const handle = demand_handle(k, p.name);
  elementwise_launch l;
  lay_out(l, p.shape, sources, k.width, k.functor.uses_index);
  l.head().index_base = index_base;
  l.head().errors = static_cast<core::error_record*>(c.error_slot);
  l.head().where = reinterpret_cast<std::uintptr_t>(p.name);
  std::copy(call.words.begin(), call.words.end(), l.constants(int(sources.size())));
  launch_handle(c, handle, l.grid, l.parameters(), p.name);
}

}  // namespace numwarp::cuda_backend
