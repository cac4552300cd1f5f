// a(mask): the true elements gathered, or written through.
#include <numwarp/error.hpp>
#include <utility>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/nonzero.hpp"
#include "runtime/output.hpp"
#include "runtime/selection.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

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

// `mask` covers the leading axes of `from`.
class mask_selection final : public selection {
 public:
  mask_selection(any_array from, any_array mask) : from_(std::move(from)), mask_(std::move(mask)) {}
  void write(operand source) override;
  void write(op_code op, operand source) override;

 private:
  any_array gather() const override;
  void drop() override { from_ = mask_ = any_array(); }
  numwarp::shape shape_for(std::int64_t count) const;
  any_array wide_mask() const;
  void write_scalar(operand source, const op_code* op);
  void scatter(const any_array& values, const runtime::true_places& places) const;

  any_array from_, mask_;
};

numwarp::shape mask_selection::shape_for(std::int64_t count) const {
  numwarp::shape s(count);
  for (int i = mask_.ndim(); i < from_.ndim(); ++i) s.push_back(from_.shape()[i]);
  return s;
}

any_array mask_selection::gather() const {
  const any_array from = c_contiguous(from_), mask = c_contiguous(mask_);
  auto& device = runtime::backend_for(from.device());
  const auto places = find_true(mask);  // outlives the scope below
  any_array out = empty(shape_for(places.count), from.type(), from.device(), order::c, "subscript");
  const std::int64_t row = row_bytes(from, mask.ndim());
  if (places.count * row > 0) {
    runtime::launch_scope scope(from.device());
    scope.reads(*access::store(from));
    scope.reads(*access::store(mask));
    scope.writes(*access::store(out));
    runtime::run_moving(from.device(), "subscript", 2 * places.count * row, [&] {
      device.gather_true(access::store(out)->data, bytes_of(from), mask_bytes(mask), mask.size(),
                         row, places);
    });
  }
  return out;
}

// The mask with axes of length one behind it, so that it broadcasts against the array.
any_array mask_selection::wide_mask() const {
  return append_axes(mask_, from_.ndim() - mask_.ndim());
}

void mask_selection::write_scalar(operand source, const op_code* op) {
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

void mask_selection::scatter(const any_array& values, const runtime::true_places& places) const {
  const bool direct = from_.is_c_contiguous();
  const any_array target = direct ? from_ : from_.copy(order::c);
  const any_array mask = c_contiguous(mask_);
  const std::int64_t row = row_bytes(from_, mask.ndim());
  access::store(target)->launch_readers();
  if (places.count * row > 0) {
    runtime::launch_scope scope(from_.device());
    scope.reads(*access::store(values));
    scope.reads(*access::store(mask));
    scope.writes(*access::store(target));
    auto& device = runtime::backend_for(from_.device());
    runtime::run_moving(from_.device(), "operator=", 2 * places.count * row, [&] {
      device.scatter_true(const_cast<char*>(bytes_of(target)), bytes_of(values), mask_bytes(mask),
                          mask.size(), row, places);
    });
  }
  if (direct) return;
  any_array copy = target;
  assign(from_, {&copy, true, {}}, "operator=");
}

void mask_selection::write(operand source) {
  forget();
  check_writeable(from_, "operator=");
  if (is_single(source, "operator=")) return write_scalar(source, nullptr);
  const any_array mask = c_contiguous(mask_);
  const auto places = find_true(mask);
  const numwarp::shape chosen = shape_for(places.count);
  check_values(access::lay(*source.array, "operator=").shape, chosen, mask.ndim() == from_.ndim());
  const any_array values = empty(chosen, from_.type(), from_.device(), order::c, "operator=");
  assign(values, source, "operator=");
  scatter(values, places);
}

void mask_selection::write(op_code op, operand source) {
  forget();
  check_writeable(from_, core::op_name(op));
  if (is_single(source, core::op_name(op))) return write_scalar(source, &op);
  const any_array values = gather();
  assign_op(op, values, source);
  scatter(values, find_true(c_contiguous(mask_)));
}

}  // namespace

std::shared_ptr<selection> select_by_mask(const any_array& from, const any_array& mask) {
  auto s = std::make_shared<mask_selection>(from, mask);
  s->watch(from);
  s->watch(mask);
  return s;
}

}  // namespace numwarp::detail
