// Writing into existing arrays: assignment to views, in-place operators, masks.
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/output.hpp"
#include "runtime/selection.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

any_array drop_leading(const any_array& a, int ndim) {
  std::vector<subscript> items;
  for (int i = a.ndim(); i > ndim; --i) items.emplace_back(0);
  return items.empty() ? a : a.subscript(items);
}

namespace {

dtype type_of_operand(const operand& o) {
  if (o.array) return o.array->type();
  if (o.value.strong) return o.value.type;
  return python_type(o.value.kind);
}

}  // namespace

void assign(const any_array& dst, operand source, const char* name, casting rule) {
  check_assignable(dst, shape_of(source, name), name);
  if (rule == casting::same_kind) require_same_kind(type_of_operand(source), dst.type(), name);
  any_array cut;
  if (source.array && source.array->ndim() > dst.ndim()) {
    cut = drop_leading(*source.array, dst.ndim());
    source.array = &cut;
  }
  operand both[] = {source, {const_cast<any_array*>(&dst), false, {}}};
  const device where = common_device(name, both);
  statement st(name, dst.shape(), where);
  if (!source.array) {
    st.write(st.constant(source.value, dst.type()), dst);
    return;
  }
  const int v = st.take({&source, 1}, &dst)[0];
  st.write(st.program().cast(v, dst.type()), dst);
}

void assign_op(op_code op, const any_array& dst, operand source) {
  any_array target = dst;
  if (source.array == &dst) source.temporary = false;  // x += std::move(x)
  operand operands[] = {{&target, false, {}}, source};
  elementwise(op, operands, {.out = &dst});
}

void rebind(any_array& name, any_array&& value) {
  if (value.valid()) value.compute();
  name = std::move(value);
}

namespace {

// An rvalue that can be written through: somebody else must share its elements.
void check_shared(const any_array& expression) {
  if (access::store(expression).use_count() > 1) return;
  throw value_error(
      "operator=: cannot assign to a temporary array, since nothing else shares its elements; "
      "assign to a view of a named array");
}

// The selection behind a(mask), where this handle is its only owner.
selection* open_selection(any_array& expression) {
  const auto& chosen = access::chosen(expression);
  return chosen && chosen.use_count() == 1 && chosen->writes_through() ? chosen.get() : nullptr;
}

}  // namespace

void assign_to_temporary(any_array& expression, operand source) {
  if (selection* s = open_selection(expression)) return s->write(source);
  const any_array& dst = resolved(expression, "operator=");
  check_shared(dst);
  assign(dst, source, "operator=");
}

void assign_op_to_temporary(op_code op, any_array& expression, operand source) {
  if (selection* s = open_selection(expression)) return s->write(op, source);
  const any_array& dst = resolved(expression, core::op_name(op));
  check_shared(dst);
  assign_op(op, dst, source);
}

}  // namespace numwarp::detail
