#include "runtime/selection.hpp"

#include <numwarp/error.hpp>
#include <utility>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

any_array contiguous(const any_array& a) {
  const any_array& computed = a.compute();
  return computed.is_c_contiguous() ? computed : computed.copy(order::c);
}

const char* bytes_of(const any_array& a) {
  return access::store(a)->data + access::lay(a, "subscript").offset;
}

bool is_single(const operand& o, const char* name) {
  return !o.array || access::lay(*o.array, name).shape.empty();
}

// NumPy has a rule of its own where the mask has all axes of the array.
void check_values(const numwarp::shape& values, const numwarp::shape& chosen, bool full_mask) {
  if (full_mask && values.size() > 1) {
    throw type_error(
        "operator=: NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, "
        "input has " +
        std::to_string(values.size()) + " dimensions");
  }
  if (full_mask && values[0] != 1 && values[0] != chosen[0]) {
    throw value_error("operator=: NumPy boolean array indexing assignment cannot assign " +
                      std::to_string(values[0]) + " input values to the " +
                      std::to_string(chosen[0]) + " output values where the mask is true");
  }
  if (!full_mask && !assignable(values, chosen)) {
    throw value_error("operator=: shape mismatch: value array of shape " + plan::compact(values) +
                      " could not be broadcast to indexing result of shape " +
                      plan::compact(chosen));
  }
}

std::int64_t row_bytes(const any_array& a, int lead) {
  std::int64_t n = a.itemsize();
  for (int i = lead; i < a.ndim(); ++i) n *= a.shape()[i];
  return n;
}

// The true elements; waits.
runtime::true_places find(const any_array& mask) {
  runtime::launch_scope scope(mask.device());
  scope.reads(*access::store(mask));
  return runtime::backend_for(mask.device())
      .find_true(reinterpret_cast<const bool*>(bytes_of(mask)), mask.size());
}

}  // namespace

selection::selection(any_array from, any_array mask)
    : from_(std::move(from)), mask_(std::move(mask)) {}

selection::~selection() { forget(); }

void selection::watch() {
  access::store(from_)->add_reader(this);
  access::store(mask_)->add_reader(this);
}

void selection::forget() {
  for (any_array* a : {&from_, &mask_}) {
    if (access::store(*a)) access::store(*a)->remove_reader(this);
  }
}

const any_array& selection::made() {
  if (is_made()) return result_;
  std::lock_guard lock(mutex_);
  if (!is_made()) {
    result_ = gather();
    made_flag_.store(true, std::memory_order_release);
    forget();
    from_ = any_array();
    mask_ = any_array();
  }
  return result_;
}

any_array selection::gather() const {
  const any_array from = contiguous(from_), mask = contiguous(mask_);
  auto& device = runtime::backend_for(from.device());
  const auto* m = reinterpret_cast<const bool*>(bytes_of(mask));
  const auto places = find(mask);  // outlives the scope below
  layout l;
  l.type = from.type();
  l.shape.push_back(places.count);
  for (int i = mask.ndim(); i < from.ndim(); ++i) l.shape.push_back(from.shape()[i]);
  l.strides = plan::c_strides(l.shape, from.itemsize());
  const std::int64_t row = row_bytes(from, mask.ndim());
  auto store = allocate_storage(from.device(), l, "subscript");
  if (places.count * row > 0) {
    runtime::launch_scope scope(from.device());
    scope.reads(*access::store(from));
    scope.reads(*access::store(mask));
    scope.writes(*store);
    device.gather_true(store->data, bytes_of(from), m, mask.size(), row, places);
  }
  return access::make(std::move(store), std::move(l));
}

// The mask with axes of length one behind it, so that it broadcasts against the array.
any_array selection::wide_mask() const { return append_axes(mask_, from_.ndim() - mask_.ndim()); }

void selection::write_scalar(operand source, const op_code* op) {
  any_array from = from_;
  // Taken out of here, a pending mask has one owner and joins the statement.
  any_array mask = mask_.ndim() == from_.ndim() ? std::exchange(mask_, any_array()) : wide_mask();
  operand value = source;
  any_array changed;
  if (op) {
    operand both[] = {{&from, false, {}}, source};
    changed = elementwise(*op, both);
    require_same_kind(changed.type(), from_.type(), core::op_name(*op));
    value = {&changed, true, {}};
  } else if (!source.array) {
    to_bits(source.value, from_.type(), "operator=");
  }
  any_array cast_value;
  if (value.array) {
    cast_value = cast(value, from_.type());
    value = {&cast_value, true, {}};
  }
  operand three[] = {{&mask, true, {}}, value, {&from, false, {}}};
  elementwise(op_code::where, three, {.out = &from_, .as = int(from_.type())});
}

void selection::scatter(const any_array& values, const runtime::true_places& places) const {
  const bool direct = from_.is_c_contiguous();
  const any_array target = direct ? from_ : from_.copy(order::c);
  const any_array mask = contiguous(mask_);
  const std::int64_t row = row_bytes(from_, mask.ndim());
  access::store(target)->launch_readers();
  if (places.count * row > 0) {
    runtime::launch_scope scope(from_.device());
    scope.reads(*access::store(values));
    scope.reads(*access::store(mask));
    scope.writes(*access::store(target));
    runtime::backend_for(from_.device())
        .scatter_true(const_cast<char*>(bytes_of(target)), bytes_of(values),
                      reinterpret_cast<const bool*>(bytes_of(mask)), mask.size(), row, places);
  }
  if (direct) return;
  any_array copy = target;
  assign(from_, {&copy, true, {}}, "operator=");
}

void selection::write(operand source) {
  forget();  // the write must not wait for this reader
  check_writeable(from_, "operator=");
  if (is_single(source, "operator=")) return write_scalar(source, nullptr);
  const any_array mask = contiguous(mask_);
  numwarp::shape chosen;
  const auto places = find(mask);
  chosen.push_back(places.count);
  for (int i = mask.ndim(); i < from_.ndim(); ++i) chosen.push_back(from_.shape()[i]);
  layout l;
  l.type = from_.type();
  l.shape = chosen;
  l.strides = plan::c_strides(chosen, from_.itemsize());
  check_values(access::lay(*source.array, "operator=").shape, chosen, mask.ndim() == from_.ndim());
  auto store = allocate_storage(from_.device(), l, "operator=");
  const any_array values = access::make(std::move(store), std::move(l));
  assign(values, source, "operator=");
  scatter(values, places);
}

void selection::write(op_code op, operand source) {
  forget();
  check_writeable(from_, core::op_name(op));
  if (is_single(source, core::op_name(op))) return write_scalar(source, &op);
  const any_array values = gather();
  assign_op(op, values, source);
  scatter(values, find(contiguous(mask_)));
}

any_array select(const any_array& a, any_array mask) {
  const any_array& from = resolved(a, "subscript");
  any_array m = resolved(mask, "subscript");
  mask = any_array();
  if (m.ndim() > from.ndim()) {
    throw index_error("subscript: too many indices for array: array is " +
                      std::to_string(from.ndim()) + "-dimensional, but " +
                      std::to_string(m.ndim()) + " were indexed");
  }
  for (int i = 0; i < m.ndim(); ++i) {
    if (m.shape()[i] == from.shape()[i]) continue;
    throw index_error("subscript: boolean index did not match indexed array along axis " +
                      std::to_string(i) + "; size of axis is " + std::to_string(from.shape()[i]) +
                      " but size of corresponding boolean axis is " + std::to_string(m.shape()[i]));
  }
  operand both[] = {{const_cast<any_array*>(&from), false, {}}, {&m, false, {}}};
  common_device("subscript", both);
  from.compute();
  any_array out;
  access::chosen(out) = std::make_shared<selection>(from, std::move(m));
  access::chosen(out)->watch();
  return out;
}

}  // namespace numwarp::detail
