// The one entry of all reductions: NumPy's types, axes, empty cases, out, where and initial.
#include <algorithm>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "plan/reduced_axes.hpp"
#include "runtime/backend.hpp"
#include "runtime/creation.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/moments.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

bool has_no_identity(reduce_code op) {
  return op == reduce_code::min || op == reduce_code::max || op == reduce_code::argmin ||
         op == reduce_code::argmax;
}

bool is_arg(reduce_code op) { return op == reduce_code::argmin || op == reduce_code::argmax; }

bool is_moment(reduce_code op) {
  return op == reduce_code::mean || op == reduce_code::var || op == reduce_code::std;
}

bool takes_dtype(reduce_code op) {
  return op == reduce_code::sum || op == reduce_code::prod || is_moment(op);
}

// The element that changes nothing, as a scalar of the compute type.
scalar neutral(reduce_code op) {
  return op == reduce_code::prod || op == reduce_code::all ? scalar(true) : scalar(false);
}

class reducing {
 public:
  reducing(reduce_code op, operand a, const reduce_options& options)
      : op_(op), name_(reduce_name(op)), a_(a), options_(options) {}

  any_array run() {
    resolve_types();
    resolve_axes();
    check();
    if (options_.where && is_moment(op_)) return finish_moment();
    // Before the operand is taken: where there is no room, nothing has been consumed.
    any_array out = options_.out ? *options_.out : allocate_result();
    statement st(name_, shape_, a_.array->device());
    int step = take(st);
    if (options_.where) step = masked(st, step);
    step = st.program().cast(step, compute_);
    if (plan::size(axes_.kept_shape) > 0) launch(st, step, out);
    return out;
  }

 private:
  void resolve_types() {
    const dtype from = access::lay(*a_.array, name_).type;
    const dtype t = options_.as >= 0 && takes_dtype(op_) ? dtype(options_.as) : from;
    const reduce_types types = numwarp::resolve(op_, t);
    compute_ = types.compute;
    result_ = types.result;
    // sum<int32>(a) is int32: the 64-bit sum wraps to it as NumPy's 32-bit one does.
    if (options_.as >= 0 && takes_dtype(op_))
      result_ = op_ == reduce_code::var || op_ == reduce_code::std ? core::real_dtype(t) : t;
    element_ = t;
  }

  // NumPy lets axis 0 of a 0-d array pass, but for mean, var and std.
  bool zero_of_scalar() const {
    const dims& list = options_.axis.list();
    return shape_.empty() && !is_moment(op_) && list.size() == 1 && (list[0] == 0 || list[0] == -1);
  }

  void resolve_axes() {
    shape_ = access::lay(*a_.array, name_).shape;
    order_ = access::lay(*a_.array, name_).strides;
    const int n = shape_.size();
    const dims list = zero_of_scalar() ? dims() : plan::normalize_axes(options_.axis, n, name_);
    if (is_arg(op_) && list.size() > 1) {
      throw type_error(std::string(name_) + ": one axis or none is reduced, got " +
                       to_string(list));
    }
    axes_ = plan::reduced_axes(shape_, options_.axis, list, options_.keepdims);
  }

  // All operands on one device: a kernel must not be given another one's addresses.
  void check_device() {
    std::vector<operand> all{a_};
    for (const any_array* extra : {options_.where, options_.out}) {
      if (extra) all.push_back({const_cast<any_array*>(extra), false, {}});
    }
    common_device(name_, all);
  }

  void check() {
    check_device();
    if (plan::size(axes_.reduced_shape) == 0 && has_no_identity(op_) && !options_.initial &&
        (is_arg(op_) || plan::size(axes_.kept_shape) > 0)) {
      throw value_error(
          is_arg(op_)
              ? std::string(name_) + ": attempt to get " + name_ + " of an empty sequence"
              : std::string(name_) + ": zero-size array to reduction operation " +
                    (op_ == reduce_code::min ? "minimum" : "maximum") + " which has no identity");
    }
    if (options_.out) check_output(*options_.out, axes_.out_shape, result_, name_);
    if (options_.where && has_no_identity(op_) && !options_.initial) {
      throw value_error(
          std::string(name_) + ": reduction operation '" +
          (op_ == reduce_code::min ? "minimum" : "maximum") +
          "' does not have an identity, so to use a where mask one has to specify 'initial'");
    }
    if (options_.initial) to_bits(*options_.initial, compute_, name_);
    if (options_.where) {
      check_mask(*options_.where, name_);
      operand both[] = {a_, {const_cast<any_array*>(options_.where), false, {}}};
      if (!(common_shape(name_, both) == shape_)) {
        throw value_error(std::string(name_) + ": where of shape " +
                          to_string(options_.where->shape()) + " does not broadcast to " +
                          to_string(shape_));
      }
      options_.where->compute();
    }
  }

  // The kernels count all elements they meet, so a mask makes this several reductions.
  any_array finish_moment() {
    any_array v = masked_moment(op_, a_, options_, element_);
    if (!(v.shape() == axes_.out_shape)) v = v.reshape(axes_.out_shape);
    if (!options_.out) return v.type() == result_ ? v : v.astype(result_).compute();
    assign(*options_.out, {&v, true, {}}, name_);
    return *options_.out;
  }

  // The kept axes lie as they do in the operand; places are in C order, as in NumPy.
  dims result_strides() const {
    if (is_arg(op_)) return plan::c_strides(axes_.out_shape, itemsize(result_));
    dims kept;
    for (int i = 0; i < shape_.size(); ++i) {
      const bool r = axes_.reduced[std::size_t(i)];
      if (!r || options_.keepdims) kept.push_back(r || shape_[i] == 1 ? 0 : order_[i]);
    }
    const dims* const operand[] = {&kept};
    return plan::k_order_strides(axes_.out_shape, operand, itemsize(result_));
  }

  any_array allocate_result() const {
    return empty_with_strides(axes_.out_shape, result_strides(), result_, a_.array->device(),
                              name_);
  }

  int take(statement& st) {
    const int step = st.take({&a_, 1}, options_.out)[0];
    // any, all and count_nonzero ask one question of every type.
    if (op_ == reduce_code::any || op_ == reduce_code::all || op_ == reduce_code::count_nonzero) {
      compute_ = dtype::bool_;
      return st.program().cast(step, dtype::bool_);
    }
    return st.program().cast(step, element_);
  }

  int masked(statement& st, int step) {
    operand mask{const_cast<any_array*>(options_.where), false, {}};
    const dtype t = st.program().steps[std::size_t(step)].type;
    const int m = st.load_named({&mask, 1})[0];
    const scalar other =
        options_.initial && has_no_identity(op_) ? *options_.initial : neutral(op_);
    const int args[] = {m, step, st.constant(other, t)};
    return st.program().op(op_code::where, t, t, args, 3);
  }

  void launch(statement& st, int step, const any_array& out) {
    plan::reduction p;
    p.op = op_;
    p.kept = axes_.kept_shape.size();
    p.order = axes_.arrange(order_);
    p.program = &st.program();
    p.step = step;
    p.compute = compute_;
    p.ddof = options_.ddof;
    p.name = name_;
    p.shape = axes_.arrange(shape_);
    p.called = &shape_;
    plan::constant_bits initial;
    if (options_.initial) {
      initial = to_bits(*options_.initial, compute_, name_);
      p.initial = &initial;
    }
    const layout& l = access::lay(out, name_);
    const auto& store = access::store(resolved(out, name_));
    const bool clash = std::any_of(st.node().inputs.begin(), st.node().inputs.end(),
                                   [&](const auto& i) { return i.from == store; });
    any_array target =
        clash ? empty(axes_.out_shape, l.type, st.node().where, order::c, name_) : out;
    st.node().fill_inputs(p.inputs);
    for (auto& v : p.inputs) v.strides = axes_.arrange(v.strides);
    const layout& t = access::lay(target, name_);
    p.output.data = access::store(target)->data + t.offset;
    p.output.type = t.type;
    p.output.strides = axes_.kept_of_result(t.strides);
    collapse(p);
    {
      runtime::launch_scope scope(st.node().queue.get());
      scope.reads_inputs(st.node());
      scope.writes(*access::store(target));
      runtime::backend_for(st.node().where).launch(p);
    }
    if (!clash) return;
    st.node().finish();  // no longer a reader of what the copy is about to write
    assign(out, {&target, true, {}}, name_);
  }

  reduce_code op_;
  const char* name_;
  operand a_;
  const reduce_options& options_;
  dtype element_{}, compute_{}, result_{};
  numwarp::shape shape_;
  dims order_;
  plan::reduced_axes axes_;
};

}  // namespace

any_array reduce(reduce_code op, operand a, const reduce_options& options) {
  return reducing(op, a, options).run();
}

}  // namespace numwarp::detail
