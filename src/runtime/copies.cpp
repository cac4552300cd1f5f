#include "runtime/copies.hpp"

#include <algorithm>

#include "plan/joined.hpp"
#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/creation.hpp"
#include "runtime/launch_scope.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

copies::copies(const any_array& to, const char* name) : to_(resolved(to, name)), name_(name) {
  load_.load(0, to_.type());
  plan_.name = name;
}

plan::view copies::view_of(const any_array& a) const {
  const layout& l = access::lay(a, name_);
  return {access::store(a)->data + l.offset, l.strides, l.type};
}

// Mostly parts of one or two arrays in turn.
void copies::hold(const any_array& a) {
  const auto& store = access::store(a);
  store->compute();
  const std::size_t n = held_.size();
  if (std::find(held_.begin() + std::ptrdiff_t(n - std::min<std::size_t>(n, 2)), held_.end(),
                store) == held_.end())
    held_.push_back(store);
}

void copies::push(box b, const plan::program& body) {
  if (plan::size(b.shape) == 0) return;
  if (plan_.list.size() == most_copies) run();
  plan::elementwise& p = plan_.list.emplace_back();
  p.shape = std::move(b.shape);
  p.program = &body;
  p.name = name_;
  if (body.steps[0].kind == plan::step_kind::load) p.inputs.push_back(std::move(b.from));
  static_cast<plan::view&>(p.outputs.emplace_back()) = std::move(b.to);
  collapse(p);
}

void copies::add(const any_array& part, const any_array& source) {
  const any_array& from = resolved(source, name_);
  operand both[] = {{const_cast<any_array*>(&from), false, {}},
                    {const_cast<any_array*>(&to_), false, {}}};
  common_device(name_, both);
  if (from.type() != to_.type()) {
    return assign(part, both[0], name_);
  }
  hold(from);
  box b{part.shape(), view_of(from), view_of(part)};
  b.from.strides = plan::broadcast_strides(from.shape(), b.from.strides, b.shape);
  push(std::move(b), load_);
}

void copies::add(const any_array& source, std::span<const std::vector<plan::stretch>> axes) {
  const any_array& from = resolved(source, name_);
  hold(from);
  const box whole{from.shape(), view_of(from), view_of(to_)};
  box b = whole;
  b.shape.clear();
  b.from.strides.clear();
  b.to.strides.clear();
  cross(std::move(b), axes, 0, whole);
}

// b is the box so far, over the axes before `axis`.
void copies::cross(box b, std::span<const std::vector<plan::stretch>> axes, int axis,
                   const box& whole) {
  if (axis == whole.shape.size()) return push(std::move(b), load_);
  const std::int64_t from = whole.from.strides[axis], to = whole.to.strides[axis];
  const auto extend = [](box& c, std::int64_t n, std::int64_t from_step, std::int64_t to_step) {
    c.shape.push_back(n);
    c.from.strides.push_back(from_step);
    c.to.strides.push_back(to_step);
  };
  for (const plan::stretch& s : axes[std::size_t(axis)]) {
    box next = b;
    next.from.data += s.from * from;
    next.to.data += s.to * to;
    if (s.repeats > 1) extend(next, s.repeats, 0, s.period * to);
    extend(next, s.count, s.step * from, to);
    cross(std::move(next), axes, axis + 1, whole);
  }
}

void copies::fill(const any_array& part, const scalar& value) {
  plan::program& p = constants_.emplace_back();
  p.constant(to_.type(), to_bits(value, to_.type(), name_));
  push({part.shape(), {}, view_of(part)}, p);
}

void copies::launch() {
  if (!plan_.list.empty()) run();
}

void copies::run() {
  runtime::launch_scope scope(to_.device());
  for (const auto& s : held_) scope.reads(*s);
  scope.writes(*access::store(to_));
  runtime::backend_for(to_.device()).launch(plan_);
  plan_.list.clear();
}

any_array empty_joined(const numwarp::shape& s, std::span<const any_array> arrays, dtype t,
                       const char* name) {
  plan::checked_bytes(s, itemsize(t), name);
  return empty_with_strides(s, plan::joined_strides(s, arrays, itemsize(t)), t, arrays[0].device(),
                            name);
}

}  // namespace numwarp::detail
