// Users' functions: their steps, and the statement that these become part of.
#include <numwarp/detail/function_calls.hpp>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/elementwise_call.hpp"

namespace numwarp::detail {

int trace_operand(plan::program& p, int k, dtype t) { return p.load(k, t); }

int trace_number(plan::program& p, const scalar& s, dtype t) {
  return p.constant(t, to_bits(s, t, "NW_FUNCTION"));
}

int trace_cast(plan::program& p, int step, dtype t) { return p.cast(step, t); }

int trace_op(plan::program& p, op_code op, dtype compute, dtype result,
             std::span<const traced_argument> arguments) {
  plan::small_vector<int, 3> steps;
  for (const traced_argument& a : arguments) {
    const int k = int(steps.size());
    const dtype t = core::arg_dtype(op, k, compute);
    steps.push_back(a.step >= 0 ? p.cast(a.step, t)
                                : p.constant(t, operand_bits(op, k, compute, a.value)));
  }
  return p.op(op, compute, result, steps.data(), int(steps.size()));
}

int trace_body(plan::program& p, const compiled_body& b, std::span<const operand> operands) {
  plan::small_vector<int, max_parameters> steps;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    steps.push_back(operands[k].array ? p.load(int(k), b.types[k])
                                      : p.constant(b.types[k], to_bits(operands[k].value,
                                                                       b.types[k], b.text.name)));
  }
  return p.call(b, steps.data());
}

namespace {

class function_calling final : public elementwise_call {
 public:
  function_calling(const function_call& f, std::span<operand> operands, const call_options& options)
      : elementwise_call(f.name, operands, options), function_(f) {}

 private:
  void resolve() override {
    result_ = function_.result;
    step_ = function_.trace(program_, operands_);
  }
  int op_count() const override { return program_.op_count(); }
  int body(statement& st, statement::values& v) override {
    return st.program().append_on(program_, v)[std::size_t(step_)];
  }

  const function_call& function_;
  plan::program program_;  // of the operands
  int step_ = -1;
};

}  // namespace

any_array call_function(const function_call& f, std::span<operand> operands,
                        const call_options& options) {
  return function_calling(f, operands, options).run();
}

any_array map_on_host(std::span<const operand> operands, dtype result, const host_loop& f) {
  const char* const name = "vectorize";
  std::vector<operand> list(operands.begin(), operands.end());
  const numwarp::shape shape = common_shape(name, list);
  if (const device d = common_device(name, list); !d.is_cpu()) {
    throw device_error("vectorize: a function of the host cannot be called on arrays on " +
                       to_string(d) + "; move them with .to(nw::cpu), or write an NW_FUNCTION");
  }
  std::vector<any_array> arrays;  // keep the elements
  std::vector<const void*> in;
  for (const operand& o : list) {
    if (o.array) {
      any_array a = o.array->broadcast_to(shape);
      arrays.push_back(a.is_c_contiguous() ? std::move(a) : a.copy());
    }
    in.push_back(o.array ? arrays.back().data() : nullptr);
  }
  any_array out = empty(shape, result, cpu, order::c, name);
  f(access::store(out)->data, in.data(), out.size());
  return out;
}

}  // namespace numwarp::detail
