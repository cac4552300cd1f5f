// elementwise_kernel and reduction_kernel: arguments to parameters, and a launch of the formula as
// a plan of the library's own kernels.
#include "plan/formula.hpp"

#include <algorithm>
#include <cstring>
#include <numwarp/elementwise_kernel.hpp>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "plan/reduced_axes.hpp"
#include "runtime/backend.hpp"
#include "runtime/creation.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

using plan::bound_parameter;

// What is to the arguments of a call, whatever is done with them then.
class bound_call {
 public:
  bound_call(const plan::formula& f, std::span<operand> given)
      : f_(f), name_(f.name.c_str()), given_(given) {
    check_count();
    where_ = common_device(name_, given);
    if (where_.is_cpu()) {
      throw device_error(f.name +
                         ": its text is CUDA C++, which runs on CUDA devices, not on cpu; "
                         "NW_FUNCTION makes a function that runs on both");
    }
    resolve();
    for (std::size_t k = 0; k < given.size(); ++k) check_argument(k);
  }

 protected:
  std::size_t inputs() const { return f_.in.size(); }
  std::size_t all() const { return f_.in.size() + f_.out.size(); }
  const plan::parameter& declared(std::size_t k) const {
    return k < inputs() ? f_.in[k] : f_.out[k - inputs()];
  }
  bool is_array(std::size_t k) const { return k < given_.size() && given_[k].array; }
  bool is_element(std::size_t k) const { return is_array(k) && !declared(k).raw; }
  const layout& lay(std::size_t k) const { return access::lay(arrays_[k], name_); }
  storage& store(std::size_t k) const { return *access::store(arrays_[k]); }

  // The shape of all inputs that are elements; nothing where there are none.
  std::optional<numwarp::shape> input_shape() const {
    plan::small_vector<const dims*, 5> shapes;
    for (std::size_t k = 0; k < inputs(); ++k) {
      if (is_element(k)) shapes.push_back(&lay(k).shape);
    }
    if (shapes.empty()) return std::nullopt;
    return plan::broadcast_shapes(shapes, name_);
  }
  dims strides_over(const numwarp::shape& shape, std::size_t k) const {
    return plan::broadcast_strides(lay(k).shape, lay(k).strides, shape);
  }
  // A new array of that shape would lie so.
  dims common_strides(const numwarp::shape& shape, dtype t) const {
    plan::small_vector<dims, 4> list;
    for (std::size_t k = 0; k < inputs(); ++k) {
      if (is_element(k)) list.push_back(strides_over(shape, k));
    }
    plan::small_vector<const dims*, 4> pointers;
    for (const dims& d : list) pointers.push_back(&d);
    return plan::k_order_strides(shape, pointers, itemsize(t));
  }

  // Elements are there, nobody waits to read what will be written, and no input is overwritten
  // before it has been read. `same_place`: element by element, an output may be an input.
  void settle(const numwarp::shape& shape, bool same_place) {
    for (const any_array& a : arrays_) {
      if (a.valid()) access::store(a)->compute();
    }
    for (std::size_t k = inputs(); k < all(); ++k) {
      if (k < given_.size()) store(k).launch_readers();
    }
    for (std::size_t k = 0; k < inputs(); ++k) {
      if (is_array(k) && clashes(shape, k, same_place)) arrays_[k] = arrays_[k].copy(order::k);
    }
  }

  // How the parameters are passed, and the words beside the operands.
  plan::formula_call bind(std::int64_t n) const {
    plan::formula_call call;
    call.of = &f_;
    for (std::size_t k = 0; k < all(); ++k) {
      bound_parameter b;
      b.type = types_[k];
      if (!declared(k).raw) {
        b.kind = k >= inputs() || is_array(k) ? bound_parameter::element : bound_parameter::value;
        b.kept = !f_.reduces && k >= inputs() && k < given_.size();
      } else {
        b.kind = bound_parameter::raw;
        b.contiguous = arrays_[k].is_c_contiguous();
        b.rank = std::uint8_t(std::max(1, lay(k).shape.size()));
      }
      add_words(call, b, k);
      call.parameters.push_back(b);
    }
    call.words.push_back(std::uint64_t(n));
    return call;
  }

  plan::view view_of(std::size_t k, dims strides) const {
    return {store(k).data + lay(k).offset, std::move(strides), lay(k).type};
  }

  // Launches a plan that reads the inputs and writes the outputs.
  template <class Plan> void launch(const Plan& p) const {
    runtime::launch_scope scope(where_);
    for (std::size_t k = 0; k < all(); ++k) {
      if (arrays_[k].valid()) k < inputs() ? scope.reads(store(k)) : scope.writes(store(k));
    }
    runtime::backend_for(where_).launch(p);
  }

  const plan::formula& f_;
  const char* name_;
  std::span<operand> given_;
  device where_;
  std::vector<dtype> types_;
  // All parameters: arrays given, resolved, and results; null for values.
  std::vector<any_array> arrays_;

 private:
  void check_count() const {
    if (given_.size() == inputs() || given_.size() == all()) return;
    throw type_error(f_.name + ": takes " + std::to_string(inputs()) + " arguments, or " +
                     std::to_string(all()) + " with the outputs; got " +
                     std::to_string(given_.size()));
  }

  void resolve() {
    arrays_.resize(all());
    plan::small_vector<type_argument, 8> list;
    for (std::size_t k = 0; k < given_.size(); ++k) {
      const operand& o = given_[k];
      if (o.array) {
        arrays_[k] = resolved(*o.array, name_);
        list.push_back({lay(k).type, true, 0});
      } else {
        list.push_back({o.value.type, o.value.strong, o.value.kind});
      }
    }
    types_ = plan::resolve_types(f_, list);
  }

  void check_argument(std::size_t k) const {
    const operand& o = given_[k];
    const std::string called = f_.name + ": '" + declared(k).name + "'";
    if (o.array) {
      if (k >= inputs()) check_writeable(arrays_[k], name_);
      return;
    }
    if (k >= inputs() || declared(k).raw) throw type_error(called + " takes an array");
    const bool real = kind(types_[k]) != 'c', exact = real && kind(types_[k]) != 'f';
    if ((o.value.kind == 'c' && real) || (o.value.kind == 'f' && exact)) {
      throw type_error(called + " is " + std::string(numwarp::name(types_[k])) +
                       ", which cannot hold a " + (o.value.kind == 'c' ? "complex" : "floating") +
                       " number");
    }
    to_bits(o.value, types_[k], name_);
  }

  bool clashes(const numwarp::shape& shape, std::size_t k, bool same_place) const {
    for (std::size_t j = inputs(); j < given_.size(); ++j) {
      if (declared(k).raw && declared(j).raw) continue;  // as the user wants it
      if (!share_bytes(arrays_[k], arrays_[j], name_)) continue;
      if (!same_place || declared(k).raw || declared(j).raw) return true;
      const dims from = strides_over(shape, k), to = strides_over(shape, j);
      const auto at = [&](std::size_t x) {
        return std::int64_t(reinterpret_cast<std::intptr_t>(store(x).data)) + lay(x).offset;
      };
      const plan::region read{&shape, &from, at(k), itemsize(types_[k])};
      if (!plan::same_elements(read, {&shape, &to, at(j), itemsize(types_[j])})) return true;
    }
    return false;
  }

  void add_words(plan::formula_call& call, const bound_parameter& b, std::size_t k) const {
    if (b.kind == bound_parameter::value) {
      std::uint64_t words[2];
      const plan::constant_bits bits = to_bits(given_[k].value, b.type, name_);
      std::memcpy(words, bits.bytes, sizeof words);
      for (int w = 0; w < plan::words_of(b); ++w) call.words.push_back(words[w]);
    } else if (b.kind == bound_parameter::raw) {
      const layout& l = lay(k);
      call.words.push_back(reinterpret_cast<std::uintptr_t>(store(k).data + l.offset));
      for (int d = 0; d < b.rank; ++d) call.words.push_back(l.shape.empty() ? 1 : l.shape[d]);
      for (int d = 0; d < b.rank; ++d) call.words.push_back(l.shape.empty() ? 0 : l.strides[d]);
    }
  }
};

class elementwise_formula : bound_call {
 public:
  elementwise_formula(const plan::formula& f, std::span<operand> given,
                      const elementwise_launch_options& o)
      : bound_call(f, given), shape_(resolve_shape(o)) {
    plan::checked_size(shape_, name_);
    for (std::size_t k = inputs(); k < given.size(); ++k) {
      if (!declared(k).raw) check_output(arrays_[k], shape_, types_[k], name_);
    }
  }

  std::vector<any_array> run() {
    make_outputs();
    settle(shape_, true);
    if (plan::size(shape_) > 0) launch_plan();
    return {arrays_.begin() + std::ptrdiff_t(inputs()), arrays_.end()};
  }

 private:
  numwarp::shape resolve_shape(const elementwise_launch_options& o) const {
    const auto of_inputs = input_shape();
    if (o.size && of_inputs) {
      throw value_error(f_.name + ": size is for calls whose arrays are all raw");
    }
    if (of_inputs) return *of_inputs;
    if (o.size) return numwarp::shape(*o.size);
    for (std::size_t k = inputs(); k < given_.size(); ++k) {
      if (!declared(k).raw) return lay(k).shape;
    }
    const auto elements = [](const auto& p) { return !p.raw; };
    if (std::any_of(f_.in.begin(), f_.in.end(), elements)) return {};
    throw value_error(f_.name + ": all inputs are raw: give launch({.size = n}, ...)");
  }

  void make_outputs() {
    for (std::size_t k = inputs(); k < all(); ++k) {
      if (arrays_[k].valid()) continue;
      if (declared(k).raw) {
        throw type_error(f_.name + ": the raw output '" + declared(k).name + "' must be given");
      }
      arrays_[k] =
          empty_with_strides(shape_, common_strides(shape_, types_[k]), types_[k], where_, name_);
    }
  }

  void launch_plan() const {
    static const auto* const programs = [] {
      auto* both = new plan::program[2];
      plan::step index;
      index.kind = plan::step_kind::index;
      index.type = index.compute = dtype::int64;
      both[1].add(index);
      return both;
    }();
    const plan::formula_call call = bind(plan::size(shape_));
    plan::elementwise p;
    p.shape = shape_;
    p.called = &shape_;
    p.program = &programs[f_.uses_index()];
    p.formula = &call;
    p.name = name_;
    for (std::size_t k = 0; k < all(); ++k) {
      const bound_parameter& b = call.parameters[k];
      if (b.kind != bound_parameter::element) continue;
      if (k < inputs() || b.kept) p.inputs.push_back(view_of(k, strides_over(shape_, k)));
      if (k < inputs()) continue;
      static_cast<plan::view&>(p.outputs.emplace_back()) = view_of(k, lay(k).strides);
    }
    collapse(p);
    launch(p);
  }

  const numwarp::shape shape_;
};

class reduction_formula : bound_call {
 public:
  reduction_formula(const plan::formula& f, std::span<operand> given,
                    const reduction_launch_options& o)
      : bound_call(f, given), reduced_(plan::reduced_type(f, types_)) {
    const auto shape = input_shape();
    if (!shape) throw value_error(f.name + ": one input at least is an array that is not raw");
    shape_ = *shape;
    plan::checked_size(shape_, name_);
    axes_ = plan::reduced_axes(shape_, o.axis, plan::normalize_axes(o.axis, shape_.size(), name_),
                               o.keepdims);
    if (f.identity.empty() && plan::size(axes_.reduced_shape) == 0 &&
        plan::size(axes_.kept_shape) > 0) {
      throw value_error(f.name + ": zero-size array to reduction operation " + f.name +
                        " which has no identity");
    }
    if (given.size() > inputs())
      check_output(arrays_.back(), axes_.out_shape, types_.back(), name_);
  }

  any_array run() {
    any_array& out = arrays_.back();
    if (!out.valid()) out = empty(axes_.out_shape, types_.back(), where_, order::c, name_);
    settle(shape_, false);
    if (plan::size(axes_.kept_shape) > 0) launch_plan();
    return out;
  }

 private:
  void launch_plan() const {
    static const auto* const program = new plan::program;
    const plan::formula_call call = bind(plan::size(axes_.reduced_shape));
    plan::reduction p;
    p.shape = axes_.arrange(shape_);
    p.called = &shape_;
    p.kept = axes_.kept_shape.size();
    p.order = axes_.arrange(common_strides(shape_, reduced_));
    p.program = program;
    p.formula = &call;
    p.compute = reduced_;
    p.name = name_;
    for (std::size_t k = 0; k < inputs(); ++k) {
      if (is_element(k)) p.inputs.push_back(view_of(k, axes_.arrange(strides_over(shape_, k))));
    }
    p.output = view_of(inputs(), axes_.kept_of_result(lay(inputs()).strides));
    collapse(p);
    launch(p);
  }

  const dtype reduced_;
  numwarp::shape shape_;
  plan::reduced_axes axes_;
};

plan::formula begin_formula(const std::string& in, const std::string& out, const std::string& name,
                            std::string&& preamble, std::vector<std::string>&& options) {
  plan::formula f;
  f.name = name;
  f.in = plan::parse_parameters(in, name);
  f.out = plan::parse_parameters(out, name);
  f.preamble = std::move(preamble);
  f.options = std::move(options);
  return f;
}

}  // namespace

const plan::formula* make_formula(const std::string& in, const std::string& out,
                                  const std::string& operation, const std::string& name,
                                  formula_options&& o) {
  plan::formula f = begin_formula(in, out, name, std::move(o.preamble), std::move(o.options));
  f.body = operation;
  return &plan::intern(std::move(f));
}

const plan::formula* make_formula(const std::string& in, const std::string& out,
                                  const std::string& map, const std::string& reduce,
                                  const std::string& post_map, const std::string& identity,
                                  const std::string& name, reduction_formula_options&& o) {
  plan::formula f = begin_formula(in, out, name, std::move(o.preamble), std::move(o.options));
  f.reduces = true;
  f.body = map;
  f.reduce = reduce;
  f.post_map = post_map;
  f.identity = identity;
  if (!o.reduce_type.empty()) {
    f.reduced = plan::parse_type(o.reduce_type, name);
  } else if (!f.out.empty()) {
    f.reduced = f.out[0];
  }
  return &plan::intern(std::move(f));
}

std::vector<any_array> run_formula(const plan::formula& f, std::span<operand> arguments,
                                   const elementwise_launch_options& o, std::size_t expected) {
  if (expected > 0 && expected != f.out.size()) {
    throw value_error(f.name + ": has " + std::to_string(f.out.size()) + " outputs, asked for " +
                      std::to_string(expected));
  }
  return elementwise_formula(f, arguments, o).run();
}

any_array run_formula(const plan::formula& f, std::span<operand> arguments,
                      const reduction_launch_options& o) {
  return reduction_formula(f, arguments, o).run();
}

}  // namespace numwarp::detail
