#include "cuda/elementwise_steps.hpp"

#include <algorithm>
#include <limits>
#include <numwarp/error.hpp>

#include "cuda/elementwise_single.hpp"
#include "cuda/elementwise_slices.hpp"
#include "cuda/jit.hpp"
#include "plan/layout.hpp"

namespace numwarp::cuda_backend {

using plan::step;
using plan::step_kind;

namespace {

// All temporaries together: they should stay in the second-level cache.
constexpr std::int64_t temporary_bytes = std::int64_t(32) << 20;

bool has_buffer(const step& s) { return s.computed() || s.kind == step_kind::index; }

}  // namespace

step_use uses_of(const plan::program& program, const std::vector<int>& wanted) {
  const auto& steps = program.steps;
  step_use use{std::vector<bool>(steps.size(), false), std::vector<int>(steps.size())};
  for (std::size_t i = 0; i < steps.size(); ++i) use.last[i] = int(i);
  for (int w : wanted) use.live[std::size_t(w)] = true;
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!use.live[i] || !steps[i].computed()) continue;
    for (int a : steps[i].args) {
      if (a < 0) continue;
      use.live[std::size_t(a)] = true;
      use.last[std::size_t(a)] = std::max(use.last[std::size_t(a)], int(i));
    }
  }
  return use;
}

buffer_plan assign_buffers(const plan::program& program, const step_use& use,
                           const std::vector<int>& kept) {
  buffer_plan plan{std::vector<int>(program.steps.size(), -1), 0, 1};
  std::vector<int> last = use.last, free_list;
  for (int k : kept) last[std::size_t(k)] = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    if (!use.live[i] || !has_buffer(program.steps[i])) continue;
    if (free_list.empty()) free_list.push_back(plan.count++);
    plan.buffer[i] = free_list.back();
    free_list.pop_back();
    plan.widest = std::max(plan.widest, itemsize(program.steps[i].type));
    for (std::size_t k = 0; k <= i; ++k) {
      const bool ends_here = plan.buffer[k] >= 0 && last[k] == int(i);
      if (ends_here) free_list.push_back(plan.buffer[k]);
    }
  }
  return plan;
}

namespace {

// Runs the steps over one slice.
class slice_runner {
 public:
  slice_runner(const launch_context& c, const plan::elementwise& p, std::int64_t index_base,
               const step_use& use, const buffer_plan& buffers, char* memory, std::int64_t room)
      : c_(c),
        p_(p),
        base_(index_base),
        use_(use),
        buffers_(buffers),
        memory_(memory),
        room_(room) {
    for (std::size_t i = 0; i < p.program->steps.size(); ++i) {
      strides_.push_back(plan::c_strides(p.shape, itemsize(p.program->steps[i].type)));
    }
  }

  void run() {
    const auto& steps = p_.program->steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (use_.live[i] && has_buffer(steps[i])) make(int(i));
    }
    for (const auto& o : p_.outputs) {
      if (!has_buffer(steps[std::size_t(o.step)]) || !in_place(o.step)) store(o);
    }
  }

 private:
  source value(int at) const {
    const step& s = p_.program->steps[std::size_t(at)];
    if (s.kind == step_kind::load) {
      const plan::view& v = p_.inputs[std::size_t(s.args[0])];
      return {v.data, &v.strides, v.type, nullptr};
    }
    if (s.kind == step_kind::constant) return {nullptr, nullptr, s.type, &s.value};
    return {memory_ + buffers_.buffer[std::size_t(at)] * room_, &strides_[std::size_t(at)], s.type,
            nullptr};
  }

  void make(int i) {
    const step& s = p_.program->steps[std::size_t(i)];
    if (s.kind == step_kind::call) return call(i);
    single_op one;
    one.kind = s.kind;
    one.op = s.op;
    one.compute = s.compute;
    one.result = s.type;
    if (s.computed()) {
      for (int a : s.args) {
        if (a >= 0) one.sources.push_back(value(a));
      }
    }
    one.sources.push_back(in_place(i) ? output() : value(i));
    launch(one);
  }

  // A user's function alone, in a kernel of its own.
  void call(int i) {
    const step& s = p_.program->steps[std::size_t(i)];
    plan::program alone;
    plan::elementwise p;
    int args[plan::max_args];
    for (int k = 0; k < s.called().n; ++k) {
      const source from = value(s.args[k]);
      if (from.constant) {
        args[k] = alone.constant(from.type, *from.constant);
      } else {
        args[k] = alone.load(int(p.inputs.size()), from.type);
        p.inputs.push_back({from.data, *from.strides, from.type});
      }
    }
    const source to = in_place(i) ? output() : value(i);
    // A call's value has a place.  NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker)
    p.outputs.push_back({{to.data, *to.strides, to.type}, alone.call(s.called(), args)});
    p.shape = p_.shape;
    p.size = p_.size;
    p.program = &alone;
    p.name = p_.name;
    run_compiled(c_, p, base_);
  }

  // A single output is the last step; where it needs no conversion it is made where it belongs.
  bool in_place(int i) const {
    return p_.outputs.size() == 1 && p_.outputs[0].step == i &&
           p_.outputs[0].type == p_.program->steps[std::size_t(i)].type;
  }
  source output() const {
    return {p_.outputs[0].data, &p_.outputs[0].strides, p_.outputs[0].type, nullptr};
  }

  // Outputs are written last: one may be the memory of an input.
  void store(const plan::output_view& o) {
    single_op one;
    one.sources.push_back(value(o.step));
    one.sources.push_back({o.data, &o.strides, o.type, nullptr});
    one.compute = one.sources[0].type;
    one.result = o.type;
    one.kind = one.compute == o.type ? step_kind::load : step_kind::cast;
    launch(one);
  }

  void launch(const single_op& one) {
    if (!run_single(c_, p_.shape, one, p_.name, base_)) {
      throw type_error(std::string(p_.name) + ": no kernel for an op of this type on cuda");
    }
  }

  const launch_context& c_;
  const plan::elementwise& p_;
  std::int64_t base_;
  const step_use& use_;
  const buffer_plan& buffers_;
  char* memory_;
  std::int64_t room_;  // bytes of one buffer
  std::vector<dims> strides_;
};

}  // namespace

void run_steps(const launch_context& c, const plan::elementwise& p, std::int64_t index_base) {
  std::vector<int> wanted;
  for (const auto& o : p.outputs) wanted.push_back(o.step);
  const step_use use = uses_of(*p.program, wanted);
  const buffer_plan buffers = assign_buffers(*p.program, use, wanted);
  std::int64_t elements = std::max<std::int64_t>(
      65536, temporary_bytes / (std::int64_t(std::max(buffers.count, 1)) * buffers.widest));
  elements = std::min(elements, p.size);
  const std::int64_t room = (elements * buffers.widest + 255) / 256 * 256;
  char* memory = buffers.count > 0 ? static_cast<char*>(c.borrow(room * buffers.count)) : nullptr;
  for_each_slice(p, max_axes, elements, [&](const plan::elementwise& part, std::int64_t base) {
    slice_runner(c, part, index_base + base, use, buffers, memory, room).run();
  });
}

}  // namespace numwarp::cuda_backend
