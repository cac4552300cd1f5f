// copyto, and the views that other views make.
#include <numwarp/error.hpp>
#include <numwarp/manipulation.hpp>
#include <utility>

#include "plan/layout.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

void check_source(const operand& source, dtype to, casting rule) {
  if (source.array) return check_cast(source.array->type(), to, rule, "copyto");
  if (source.value.strong) return check_cast(source.value.type, to, rule, "copyto");
  // An integer that fits is none of casting's business, as a literal in NumPy.
  const char kind = source.value.kind;
  if (kind == 'i' || kind == 'u') {
    to_bits(source.value, to, "copyto");
  } else {
    check_cast(promote_weak(to, kind), to, rule, "copyto");
  }
}

// source where the mask is true, else what dst holds.
void copy_chosen(const any_array& dst, operand source, const any_array& where) {
  check_mask(where, "copyto");
  if (where.ndim() > dst.ndim() || !assignable(where.shape(), dst.shape())) {
    throw value_error("copyto: could not broadcast where mask from shape " +
                      plan::compact(where.shape()) + " into shape " + plan::compact(dst.shape()));
  }
  any_array cut, converted;
  if (source.array) {
    if (source.array->ndim() > dst.ndim()) {
      cut = drop_leading(*source.array, dst.ndim());
      source = {&cut, false, {}};
    }
    converted = cast(source, dst.type());
    source = {&converted, true, {}};
  }
  operand three[] = {{const_cast<any_array*>(&where), false, {}},
                     source,
                     {const_cast<any_array*>(&dst), false, {}}};
  elementwise(op_code::where, three, {.out = &dst, .as = int(dst.type())});
}

}  // namespace

void copyto(const any_array& dst, operand source, casting rule, const any_array* where) {
  check_assignable(dst, shape_of(source, "copyto"), "copyto");
  check_source(source, dst.type(), rule);
  if (where) return copy_chosen(dst, source, *where);
  assign(dst, source, "copyto");
}

any_array reshape(const any_array& a, const shape& s, order o, std::optional<bool> copy) {
  if (copy == true) return a.copy(o == order::k ? order::c : o).reshape(s, o);
  any_array out = a.reshape(s, o);
  if (copy == false && access::store(out) != access::store(resolved(a, "reshape")))
    throw value_error("reshape: Unable to avoid creating a copy while reshaping.");
  return out;
}

any_array atleast(const any_array& a, int ndim, const char* function) {
  const int n = access::lay(a, function).shape.size();
  if (n >= ndim) return a;
  if (ndim == 3 && n == 2) return append_axes(a, 1);
  if (ndim == 3 && n == 1) return append_axes(a.expand_dims(0), 1);
  any_array out = a;
  while (out.ndim() < ndim) out = out.expand_dims(0);
  return out;
}

any_array matrix_transpose(const any_array& a) {
  const int n = access::lay(a, "matrix_transpose").shape.size();
  if (n < 2) {
    throw value_error("matrix_transpose: Input array must be at least 2-dimensional, but it is " +
                      std::to_string(n));
  }
  return swapaxes(a, -1, -2);
}

any_array rollaxis(const any_array& a, int axis, int start) {
  const int n = access::lay(a, "rollaxis").shape.size();
  const int from = plan::normalize_axis(axis, n, "rollaxis");
  const int before = start < 0 ? start + n : start;
  if (before < 0 || before > n) {
    throw axis_error("rollaxis: 'start' arg requires " + std::to_string(-n) + " <= start < " +
                     std::to_string(n + 1) + ", but " + std::to_string(before) + " was passed in");
  }
  return moveaxis(a, from, from < before ? before - 1 : before);
}

any_array fliplr(const any_array& a) {
  if (access::lay(a, "fliplr").shape.size() < 2) throw value_error("fliplr: Input must be >= 2-d.");
  return a.flip(1);
}

any_array flipud(const any_array& a) {
  if (access::lay(a, "flipud").shape.size() < 1) throw value_error("flipud: Input must be >= 1-d.");
  return a.flip(0);
}

any_array rot90(const any_array& a, std::int64_t k, const axes& plane) {
  const std::int64_t n = access::lay(a, "rot90").shape.size();
  if (plane.list().size() != 2) throw value_error("rot90: len(axes) must be 2.");
  const std::int64_t first = plane.list()[0], second = plane.list()[1];
  if (first == second || std::abs(first - second) == n)
    throw value_error("rot90: Axes must be different.");
  if (first >= n || first < -n || second >= n || second < -n) {
    throw value_error("rot90: Axes=" + to_string(plane.list()) +
                      " out of range for array of ndim=" + std::to_string(n) + ".");
  }
  const int i = int(first), j = int(second);
  switch (k & 3) {
    case 1:
      return swapaxes(a.flip(j), i, j);
    case 2:
      return a.flip({i, j});
    case 3:
      return swapaxes(a, i, j).flip(j);
    default:
      return a.subscript(std::vector<subscript>{ellipsis});
  }
}

any_array in_order(const any_array& a, order o, const char* function) {
  const any_array r = atleast(a, 1, function);
  return (o == order::c ? r.is_c_contiguous() : r.is_f_contiguous()) ? r : r.copy(o);
}

any_array require(const any_array& a, dtype t, const array_flags& wanted) {
  if (wanted.c_contiguous && wanted.f_contiguous)
    throw value_error("require: Cannot specify both \"C\" and \"F\" order");
  any_array out = a.type() == t ? a : a.astype(t);
  const array_flags has = out.flags();
  const bool met = (!wanted.c_contiguous || has.c_contiguous) &&
                   (!wanted.f_contiguous || has.f_contiguous) && (!wanted.owndata || has.owndata) &&
                   (!wanted.writeable || has.writeable);
  if (met) return out;
  return out.copy(wanted.f_contiguous ? order::f : wanted.c_contiguous ? order::c : order::a);
}

}  // namespace numwarp::detail
