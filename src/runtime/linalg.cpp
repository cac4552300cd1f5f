// matmul, dot and their relatives: checks the call, brings the operands into a form that every
// backend takes, and runs the product at once.
#include <algorithm>
#include <numwarp/error.hpp>
#include <numwarp/linalg.hpp>

#include "plan/layout.hpp"
#include "plan/matmul.hpp"
#include "runtime/backend.hpp"
#include "runtime/creation.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp {

namespace detail {

namespace {

char* address(const any_array& a, const char* name) {
  const auto& store = access::store(a);
  return store->data ? store->data + access::lay(a, name).offset : nullptr;
}

// An array through the axes of a product.
plan::view view_of(const any_array& a, const std::vector<int>& axes, const char* name) {
  const layout& l = access::lay(a, name);
  return {address(a, name), plan::product_strides(axes, l.shape, l.strides), l.type};
}

bool is_blas(const plan::view& v, std::int64_t rows, std::int64_t columns) {
  const int r = v.strides.size() - 2, size = itemsize(v.type);
  const auto alignment = std::uintptr_t(kind(v.type) == 'c' ? size / 2 : size);
  const bool aligned = reinterpret_cast<std::uintptr_t>(v.data) % alignment == 0 &&
                       std::all_of(v.strides.begin(), v.strides.end(), [&](std::int64_t s) {
                         return s % std::int64_t(alignment) == 0;
                       });
  return aligned && plan::is_blas_matrix(rows, columns, v.strides[r], v.strides[r + 1], size);
}

any_array copy_as(const any_array& a, dtype t, const char* name) {
  any_array out = empty(a.shape(), t, a.device(), order::c, name);
  any_array source = a;
  assign(out, {&source, false, {}}, name);
  return out;
}

// One call: c = product of a and b, through temporaries where an operand's layout or type asks for
// one, or where the output does.
class product_call {
 public:
  product_call(const char* name, const any_array& a, const any_array& b, dtype type,
               const plan::product& p, matmul_algorithm algorithm)
      : name_(name), type_(type), product_(p), algorithm_(algorithm), a_(a), b_(b) {}

  any_array run(const any_array* out) {
    if (!out) {
      any_array made = empty(product_.shape, type_, a_.device(), order::c, name_);
      launch(made);
      return made;
    }
    const any_array& target = resolved(*out, name_);
    const auto& store = access::store(target);
    store->compute();
    store->launch_readers();
    if (is_direct(target)) {
      launch(target);
    } else {
      any_array made = empty(product_.shape, type_, a_.device(), order::c, name_);
      launch(made);
      assign(target, {&made, true, {}}, name_);
    }
    return *out;
  }

 private:
  // Whether the product can be written where it is wanted.
  bool is_direct(const any_array& out) const {
    return out.type() == type_ &&
           is_blas(view_of(out, product_.c, name_), product_.m, product_.n) && !overlaps(out, a_) &&
           !overlaps(out, b_);
  }

  // By address, since two arrays may wrap one piece of foreign memory.
  bool overlaps(const any_array& out, const any_array& in) const {
    const layout& o = access::lay(out, name_);
    const layout& i = access::lay(in, name_);
    return plan::may_overlap(
        {&o.shape, &o.strides, reinterpret_cast<std::intptr_t>(address(out, name_)),
         out.itemsize()},
        {&i.shape, &i.strides, reinterpret_cast<std::intptr_t>(address(in, name_)), in.itemsize()});
  }

  // The operand's view; replaces the operand by a copy where the type or the layout calls for one.
  plan::view prepare(any_array& x, const std::vector<int>& axes, std::int64_t rows,
                     std::int64_t columns) const {
    if (x.type() == type_) {
      plan::view v = view_of(x, axes, name_);
      if (is_blas(v, rows, columns)) return v;
    }
    x = copy_as(x, type_, name_);
    return view_of(x, axes, name_);
  }

  void launch(const any_array& c) {
    if (c.size() == 0) return;
    if (product_.k == 0) return assign(c, {nullptr, false, scalar(false)}, name_);
    plan::matmul p;
    p.type = type_;
    p.algorithm = algorithm_;
    p.m = product_.m;
    p.n = product_.n;
    p.k = product_.k;
    p.stack = product_.stack;
    p.a = prepare(a_, product_.a, p.m, p.k);
    p.b = prepare(b_, product_.b, p.k, p.n);
    p.c = view_of(c, product_.c, name_);
    collapse(p);
    runtime::launch_scope scope(c.device());
    scope.reads(*access::store(a_));
    scope.reads(*access::store(b_));
    scope.writes(*access::store(c));
    runtime::backend_for(c.device()).launch(p);
  }

  const char* name_;
  dtype type_;
  const plan::product& product_;
  matmul_algorithm algorithm_;
  any_array a_, b_;  // computed
};

// What both operands promote to: the types of multiply, which matmul and dot share.
dtype product_type(const any_array& a, const any_array& b) {
  const type_argument types[] = {{a.type(), true, 0}, {b.type(), true, 0}};
  return promote_arguments(op_code::multiply, types, 2);
}

void check_devices(const char* name, const any_array& a, const any_array& b, const any_array* out) {
  operand all[] = {{const_cast<any_array*>(&a), false, {}},
                   {const_cast<any_array*>(&b), false, {}},
                   {const_cast<any_array*>(out), false, {}}};
  common_device(name, all);
}

// dot has no casting of its result: NumPy wants exactly the array it would have made.
void check_dot_output(const any_array& out, const numwarp::shape& shape, dtype t,
                      const char* name) {
  if (!out.writeable() || out.type() != t || out.ndim() != shape.size() || !out.is_c_contiguous()) {
    throw value_error(std::string(name) +
                      ": output array is not acceptable (must have the right datatype, number of "
                      "dimensions, and be a C-Array), got " +
                      std::string(numwarp::name(out.type())) + " of shape " +
                      to_string(out.shape()));
  }
  if (!(out.shape() == shape)) {
    throw value_error(std::string(name) + ": output array has wrong dimensions, " +
                      to_string(out.shape()) + " for a result of shape " + to_string(shape));
  }
}

any_array dot_of_scalar(const any_array& a, const any_array& b, const any_array* out, dtype t,
                        const char* name) {
  if (out) check_dot_output(*out, a.ndim() == 0 ? b.shape() : a.shape(), t, name);
  any_array x = a, y = b;
  operand both[] = {{&x, false, {}}, {&y, false, {}}};
  return elementwise(op_code::multiply, both, {.out = out});
}

void check_algorithm(matmul_algorithm algorithm, dtype t, const char* name) {
  if (algorithm != matmul_algorithm::blas || kind(t) == 'f' || kind(t) == 'c') return;
  throw value_error(std::string(name) + ": algorithm blas has no products of " +
                    std::string(numwarp::name(t)) + "; take tiled or automatic");
}

any_array dot_as(const char* name, const any_array& a0, const any_array& b0, const any_array* out,
                 matmul_algorithm algorithm = matmul_algorithm::automatic) {
  const any_array &a = resolved(a0, name).compute(), &b = resolved(b0, name).compute();
  check_devices(name, a, b, out);
  const dtype t = product_type(a, b);
  check_algorithm(algorithm, t, name);
  if (a.ndim() == 0 || b.ndim() == 0) return dot_of_scalar(a, b, out, t, name);
  const plan::product p = plan::dot_product(a.shape(), b.shape(), name);
  if (out) check_dot_output(*out, p.shape, t, name);
  return product_call(name, a, b, t, p, algorithm).run(out);
}

}  // namespace

any_array matmul(const any_array& a0, const any_array& b0, const any_array* out,
                 matmul_algorithm algorithm) {
  const char* name = "matmul";
  const any_array &a = resolved(a0, name).compute(), &b = resolved(b0, name).compute();
  check_devices(name, a, b, out);
  const dtype t = product_type(a, b);
  check_algorithm(algorithm, t, name);
  const plan::product p = plan::matmul_product(a.shape(), b.shape(), out ? &out->shape() : nullptr);
  plan::checked_bytes(p.shape, itemsize(t), name);
  if (out) check_output(*out, p.shape, t, name);
  return product_call(name, a, b, t, p, algorithm).run(out);
}

any_array dot(const any_array& a, const any_array& b, const any_array* out,
              matmul_algorithm algorithm) {
  return dot_as("dot", a, b, out, algorithm);
}

any_array inner(const any_array& a, const any_array& b) {
  const any_array& y = resolved(b, "inner");
  return dot_as("inner", a, y.ndim() < 2 ? y : swapaxes(y, -1, -2), nullptr);
}

any_array vdot(const any_array& a, const any_array& b) {
  any_array x = resolved(a, "vdot").reshape({-1});
  const any_array y = resolved(b, "vdot").reshape({-1});
  if (x.size() != y.size()) {
    throw value_error("vdot: cannot reshape array of size " + std::to_string(y.size()) +
                      " into shape " + to_string(x.shape()));
  }
  if (kind(x.type()) == 'c') {
    operand one{&x, false, {}};
    x = elementwise(op_code::conjugate, {&one, 1});
  }
  return dot_as("vdot", x, y, nullptr);
}

any_array outer(const any_array& a, const any_array& b, const any_array* out) {
  any_array x = append_axes(resolved(a, "outer").reshape({-1}), 1);
  any_array y = resolved(b, "outer").reshape({-1});
  operand both[] = {{&x, false, {}}, {&y, false, {}}};
  return elementwise(op_code::multiply, both, {.out = out});
}

any_array trace(const any_array& a, std::int64_t offset, int axis1, int axis2, int as,
                const any_array* out) {
  any_array diagonal = diagonal_view(a, offset, axis1, axis2, "trace");
  reduce_options options;
  options.axis = axes(-1);
  options.as = as;
  options.out = out;
  return reduce(reduce_code::sum, {&diagonal, false, {}}, options);
}

}  // namespace detail
}  // namespace numwarp
