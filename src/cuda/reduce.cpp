// Reductions: a kernel ahead of time where the operand is one array of a type that NumPy's rule
// takes, else a fused kernel, else the value is stored first and then reduced.
#include <algorithm>
#include <numwarp/error.hpp>
#include <optional>

#include "cuda/codegen_formula.hpp"
#include "cuda/jit.hpp"
#include "cuda/reduce_layout.hpp"
#include "cuda/registry.hpp"
#include "plan/layout.hpp"

namespace numwarp::cuda_backend {

using plan::step_kind;

namespace {

bool asks_for_truth(reduce_code op) {
  return op == reduce_code::any || op == reduce_code::all || op == reduce_code::count_nonzero;
}

// The input that is reduced as it is, or converted as NumPy's rule does; or nothing.
std::optional<int> plain_input(const plan::reduction& p) {
  const auto& steps = p.program->steps;
  const plan::step* s = &steps[std::size_t(p.step)];
  if (s->kind == step_kind::cast && s->type == p.compute) s = &steps[std::size_t(s->args[0])];
  if (s->kind != step_kind::load) return std::nullopt;
  const dtype compute =
      asks_for_truth(p.op) ? dtype::bool_ : numwarp::resolve(p.op, s->type).compute;
  if (compute != p.compute) return std::nullopt;
  return s->args[0];
}

// Launches a kernel on a launch laid out, and joins its partial results by merge(grid).
template <class Launch, class Merge>
void launch_and_join(const launch_context& c, reduction_launch& l, std::int64_t accumulator_bytes,
                     const Launch& launch, const Merge& merge) {
  core::reduction_header& h = l.head();
  h.errors = static_cast<core::error_record*>(c.error_slot);
  if (h.splits > 1)
    h.partial = static_cast<char*>(c.borrow(h.outer * h.splits * accumulator_bytes));
  launch();
  if (h.splits == 1) return;
  std::int64_t group = 1;
  const std::int64_t full = std::int64_t(c.multiprocessors) * 2048;
  while (group < 256 && group * 2 <= h.splits && h.outer <= full / (group * 2)) group *= 2;
  h.group = unsigned(group);
  const std::int64_t each = 256 / group;
  merge(grid_shape{(h.outer + each - 1) / each, 256, 1});
}

// With a reducer of the library.
template <class Launch>
void launch_and_join(const launch_context& c, const plan::reduction& p, reduction_launch& l,
                     const Launch& launch) {
  const auto& own = reduce_kernels_for(p.op, p.compute);
  if (l.head().splits > 1 && !own.merge)
    throw type_error(std::string(p.name) + ": no kernel for this type on cuda");
  launch_and_join(c, l, own.accumulator_bytes, launch, [&](const grid_shape& g) {
    launch_prebuilt(c, own.merge, g, l.parameters(), p.name);
  });
}

bool run_plain(const launch_context& c, const plan::reduction& p) {
  const auto input = plain_input(p);
  if (!input || !reducible(p, 1)) return false;
  const auto& k = reduce_kernels_for(p.op, p.inputs[std::size_t(*input)].type);
  const bool columns = plan::by_columns(p);
  const void* kernel = columns ? k.columns : k.rows;
  if (!kernel) return false;
  reduction_launch l;
  lay_out(l, p, std::span(&*input, 1), columns, k.width, c.multiprocessors);
  launch_and_join(c, p, l, [&] { launch_prebuilt(c, kernel, l.grid, l.parameters(), p.name); });
  return true;
}

fused_kernel& fused_for(const launch_context& c, const plan::reduction& p, bool columns) {
  const stored_value stored[] = {{p.step, p.compute}};
  std::string key = program_key(*p.program, stored);
  key += columns ? 'C' : 'R';
  key += char(p.op);
  const auto fill = [&](fused_kernel& made) {
    made.functor = write_functor(*p.program, stored);
    made.width = fused_reduction_width(made.functor);
    made.source =
        reduction_source(made.functor, reducer_text(p.op, p.compute), columns, made.width);
  };
  return find_fused(c, std::move(key), std::ref(fill));
}

// Columns give no index along the kept axis, so a program that asks for it goes by rows.
bool goes_by_columns(const plan::reduction& p) {
  return plan::by_columns(p) && !p.program->uses_index();
}

bool run_fused(const launch_context& c, const plan::reduction& p, bool wait) {
  const bool columns = goes_by_columns(p);
  fused_kernel& k = fused_for(c, p, columns);
  if (!reducible(p, int(k.functor.inputs.size()))) return false;
  const void* handle = wait ? build_handle(k) : ready_handle(k);
  if (!handle) return false;
  reduction_launch l;
  lay_out(l, p, k.functor.inputs, columns, k.width, c.multiprocessors);
  fill_constants(k.functor, *p.program, l.constants(int(k.functor.inputs.size())));
  launch_and_join(c, p, l, [&] { launch_handle(c, handle, l.grid, l.parameters(), p.name); });
  return true;
}

// A plan that reduces an array of the values of `p`, which is stored in the order of the inputs.
struct stored_reduction {
  plan::program load;
  plan::elementwise store;
  plan::reduction reduce;
};
void store_first(const plan::reduction& p, char* memory, stored_reduction& s) {
  dims order;  // axes, slowest in memory first
  const bool columns = goes_by_columns(p);
  const int n = p.shape.size(), first = columns ? p.kept : 0;
  for (int i = 0; i < n; ++i) order.push_back((first + i) % n);
  dims strides = p.shape;
  std::int64_t step = itemsize(p.compute);
  for (int i = n - 1; i >= 0; --i) {
    strides[int(order[i])] = step;
    step *= p.shape[int(order[i])];
  }
  s.store.shape = p.shape;
  s.store.inputs = p.inputs;
  s.store.outputs.push_back({{memory, strides, p.compute}, p.step});
  s.store.program = p.program;
  s.store.name = p.name;
  plan::collapse(s.store);
  s.reduce = p;
  s.reduce.inputs = {{memory, strides, p.compute}};
  s.reduce.step = s.load.load(0, p.compute);
  s.reduce.program = &s.load;
  // Dense axes merge to one kept and one reduced axis.
  plan::collapse(s.reduce);
}

void run_stored(const launch_context& c, const plan::reduction& p) {
  const std::int64_t bytes = p.outer * p.count * itemsize(p.compute);
  stored_reduction s;
  store_first(p, static_cast<char*>(c.borrow(std::max<std::int64_t>(bytes, 1))), s);
  if (p.count > 0) run_elementwise(c, s.store);
  if (!run_plain(c, s.reduce)) {
    throw type_error(std::string(p.name) + ": no kernel for this type on cuda");
  }
}

// The formula's kernel of one kind: 'R' rows, 'C' columns, 'M' the merge of partial results.
fused_kernel& formula_kernel(const launch_context& c, const plan::reduction& p, char what) {
  const auto fill = [&](fused_kernel& made) {
    const plan::formula& f = *p.formula->of;
    made.functor = write_formula(f, p.formula->parameters, p.compute);
    made.width = fused_reduction_width(made.functor);
    made.source = what == 'M'
                      ? merge_source(made.functor, formula_reducer, p.compute)
                      : reduction_source(made.functor, formula_reducer, what == 'C', made.width);
    made.user_options = f.options;
    made.on_disk = !f.reads_files();
  };
  return find_fused(c, formula_key(*p.formula) + char(p.compute) + what, std::ref(fill));
}

void run_formula(const launch_context& c, const plan::reduction& p) {
  const bool columns = plan::by_columns(p);
  fused_kernel& k = formula_kernel(c, p, columns ? 'C' : 'R');
  const int inputs = int(k.functor.inputs.size());
  if (!reducible(p, inputs) ||
      !reduction_launch::holds(std::size_t(inputs), p.formula->words.size())) {
    throw value_error(std::string(p.name) + ": too many axes or parameters for one kernel");
  }
  const void* const handle = demand_handle(k, p.name);
  reduction_launch l;
  lay_out(l, p, k.functor.inputs, columns, k.width, c.multiprocessors);
  std::copy(p.formula->words.begin(), p.formula->words.end(), l.constants(inputs));
  const void* const merge =
      l.head().splits > 1 ? demand_handle(formula_kernel(c, p, 'M'), p.name) : nullptr;
  launch_and_join(
      c, l, accumulator_bytes(p.compute),
      [&] { launch_handle(c, handle, l.grid, l.parameters(), p.name); },
      [&](const grid_shape& g) { launch_handle(c, merge, g, l.parameters(), p.name); });
}

}  // namespace

void run_reduction(const launch_context& c, const plan::reduction& p) {
  if (p.formula) return run_formula(c, p);
  if (run_plain(c, p) || run_fused(c, p, false)) return;
  try {
    run_stored(c, p);
  } catch (const out_of_memory&) {
    // No room for the values: then the kernel that does without is worth waiting for.
    if (!run_fused(c, p, true)) throw;
  }
}

}  // namespace numwarp::cuda_backend
