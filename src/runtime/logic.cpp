// Comparisons of whole arrays, and questions about their elements.
#include <limits>
#include <numwarp/error.hpp>
#include <numwarp/logic.hpp>

#include "plan/layout.hpp"
#include "runtime/term.hpp"

namespace numwarp::detail {

namespace {

operand named(const any_array& a) { return {const_cast<any_array*>(&a), false, {}}; }

any_array apply(op_code op, operand a) { return elementwise(op, {&a, 1}); }
any_array apply(op_code op, operand a, operand b) {
  operand both[] = {a, b};
  return elementwise(op, both);
}
any_array apply(op_code op, any_array a, any_array b) {
  return apply(op, {&a, true, {}}, {&b, true, {}});
}

bool all_of(any_array mask) {
  bool all = false;
  item(reduce(reduce_code::all, {&mask, true, {}}, {}), dtype::bool_, &all);
  return all;
}

// The types of a and b in isclose: b, which the tolerance is relative to, is floating, and a scalar
// takes the type of the other.
struct close_types {
  dtype a, b, both;
  close_types(const operand& x, const operand& y) {
    const char k = y.value.kind == 'c' ? 'c' : 'f';
    b = y.array ? promote_weak(y.array->type(), 'f') : promote_weak(x.array->type(), k);
    a = x.array ? x.array->type() : promote_weak(b, x.value.kind);
    both = promote(a, b);
  }
};

}  // namespace

any_array isclose(operand a, operand b, const isclose_options& o, const char* function) {
  operand given[] = {a, b};
  const numwarp::shape s = common_shape(function, given);
  statement st(function, s, common_device(function, given));
  const close_types types(a, b);
  const auto steps = st.take(given);
  const auto value = [&](int k, dtype t) {
    return steps[k] < 0 ? term(st, st.constant(given[k].value, t)) : term(st, steps[k]).as(t);
  };
  const term y = value(1, types.b), yy = y.as(types.both), x = value(0, types.a).as(types.both);
  const term distance = (x - yy).absolute();
  const term reach = (y.absolute() * scalar(o.rtol) + scalar(o.atol)).as(distance.type());
  term close = ((distance <= reach) & y.is(op_code::isfinite)) | (x == yy);
  if (o.equal_nan) close = close | (x.is(op_code::isnan) & y.is(op_code::isnan));
  return st.result(close.step(), dtype::bool_);
}

bool allclose(operand a, operand b, const isclose_options& o) {
  return all_of(isclose(a, b, o, "allclose"));
}

bool array_equal(const any_array& a, const any_array& b, bool equal_nan) {
  const bool same = access::lay(a, "array_equal").shape == access::lay(b, "array_equal").shape;
  if (!same) return false;
  any_array equal = apply(op_code::equal, named(a), named(b));
  if (!equal_nan) return all_of(std::move(equal));
  any_array nan =
      apply(op_code::bitwise_and, apply(op_code::isnan, named(a)), apply(op_code::isnan, named(b)));
  return all_of(apply(op_code::bitwise_or, std::move(equal), std::move(nan)));
}

bool array_equiv(const any_array& a, const any_array& b) {
  const numwarp::shape &x = access::lay(a, "array_equiv").shape,
                       &y = access::lay(b, "array_equiv").shape;
  for (int i = 1; i <= std::min(x.size(), y.size()); ++i) {
    const std::int64_t m = x[x.size() - i], n = y[y.size() - i];
    if (m != n && m != 1 && n != 1) return false;
  }
  return all_of(apply(op_code::equal, named(a), named(b)));
}

any_array is_infinite(const any_array& a, bool negative, const char* function) {
  const dtype t = access::lay(a, function).type;
  if (kind(t) == 'c') {
    throw type_error(std::string(function) + ": This operation is not supported for " +
                     std::string(name(t)) + " values because it would be ambiguous.");
  }
  const double infinity = std::numeric_limits<double>::infinity();
  return apply(op_code::equal, named(a), {nullptr, false, scalar(negative ? -infinity : infinity)});
}

any_array has_imaginary(const any_array& a, bool wanted, const char* function) {
  const layout& l = access::lay(a, function);
  if (kind(l.type) != 'c') {
    return full(l.shape, dtype::bool_, scalar(!wanted), a.device(), order::c, function);
  }
  any_array imaginary = apply(op_code::imag, named(a));
  return apply(wanted ? op_code::not_equal : op_code::equal, {&imaginary, true, {}},
               {nullptr, false, scalar(0)});
}

}  // namespace numwarp::detail
