// The functions of indexing.hpp, as choices of elements.
#include <numwarp/detail/indexing_calls.hpp>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/indexing.hpp"
#include "runtime/nonzero.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

void check_integers(const any_array& indices, const char* name) {
  const char k = kind(indices.type());
  if (k == 'i' || k == 'u' || k == 'b') return;
  throw index_error(std::string(name) +
                    ": arrays used as indices must be of integer (or boolean) type, got " +
                    std::string(numwarp::name(indices.type())));
}

any_array flat(const any_array& a) { return ravel(a, order::c); }

// The result, in `out` where there is one: a bad index is thrown before that is written.
any_array deliver(any_array&& result, const any_array* out, index_mode mode, const char* name) {
  if (!out) return std::move(result);
  check_output(*out, result.shape(), result.type(), name);
  runtime::queue* const q = runtime::current_queue(result.device());
  if (q && mode == index_mode::raise) {
    runtime::check_wait(q->where, name);
    q->synchronize();
  }
  assign(*out, {&result, true, {}}, name);
  return *out;
}

// a's elements at the indices, whose axes replace the axis.
any_array take_along(const any_array& a, const any_array& indices, int axis, index_mode mode,
                     const char* name) {
  check_integers(indices, name);
  const choice c = choose_elements(a, {{indices, axis, axis}}, axis, name, mode);
  if (a.shape()[axis] == 0 && plan::size(c.shape) > 0) {
    throw index_error(std::string(name) + ": cannot do a non-empty take from an empty axes.");
  }
  // NumPy looks at the indices once for each place of the axes before.
  std::int64_t before = 1;
  for (int k = 0; k < axis; ++k) before *= a.shape()[k];
  return before > 0 && a.shape()[axis] > 0 ? gather(c, name)
                                           : empty(c.shape, a.type(), a.device(), order::c, name);
}

any_array take(const any_array& a, const any_array& indices, const index_options& o,
               const char* name) {
  const any_array from = o.axis ? resolved(a, name) : flat(resolved(a, name));
  const any_array list = resolved(indices, name);
  const int axis = o.axis ? plan::normalize_axis(*o.axis, from.ndim(), name) : 0;
  return deliver(take_along(from, list, axis, o.mode, name), o.out, o.mode, name);
}

// Where a is not 0, C-contiguous.
any_array truth_of(const any_array& a, const char* name) {
  any_array r = resolved(a, name);
  if (r.type() == dtype::bool_) return c_contiguous(r);
  operand both[] = {{&r, false, {}}, {nullptr, false, scalar(false)}};
  return c_contiguous(elementwise(op_code::not_equal, both));
}

any_array places_of_true(const any_array& condition, const char* name) {
  const any_array mask = truth_of(condition, name);
  return true_indices(mask, find_true(mask), name);
}

}  // namespace

any_array take(const any_array& a, const any_array& indices, const index_options& o) {
  return take(a, indices, o, "take");
}

any_array compress(const any_array& condition, const any_array& a, const index_options& o) {
  if (resolved(condition, "compress").ndim() != 1) {
    throw value_error("compress: condition must be a 1-d array, got shape " +
                      to_string(condition.shape()));
  }
  return take(a, places_of_true(condition, "compress"), o, "compress");
}

any_array extract(const any_array& condition, const any_array& a) {
  return take(a, places_of_true(condition, "extract"), {}, "extract");
}

namespace {

// The choice of take_along_axis and put_along_axis; `array` is flattened without an axis.
choice along_axis(const any_array& array, const any_array& indices, std::optional<int> axis,
                  const char* name) {
  check_integers(indices, name);
  if (kind(indices.type()) == 'b') {
    throw index_error(std::string(name) + ": `indices` must be an integer array");
  }
  if (!axis && indices.ndim() != 1) {
    throw value_error(std::string(name) +
                      ": when axis=None, `indices` must have a single dimension, got shape " +
                      to_string(indices.shape()));
  }
  const int at = plan::normalize_axis(axis.value_or(0), array.ndim(), name);
  if (indices.ndim() != array.ndim()) {
    throw value_error(std::string(name) +
                      ": `indices` and `arr` must have the same number of dimensions, got " +
                      std::to_string(indices.ndim()) + " and " + std::to_string(array.ndim()));
  }
  return choose_along(array, indices, at, name);
}

}  // namespace

any_array take_along_axis(const any_array& a, const any_array& indices, std::optional<int> axis) {
  const char* const name = "take_along_axis";
  const any_array from = axis ? resolved(a, name) : flat(resolved(a, name));
  return gather(along_axis(from, resolved(indices, name), axis, name), name);
}

namespace {

void check_choices(const any_array& a, std::int64_t n) {
  if (a.size() == 0) return;
  const auto bound = [&](reduce_code op) {
    any_array m = reduce(op, {const_cast<any_array*>(&a), false, {}}, {});
    std::int64_t v;
    item(m, dtype::int64, &v);
    return v;
  };
  const std::int64_t least = bound(reduce_code::min), most = bound(reduce_code::max);
  if (least >= 0 && most < n) return;
  throw value_error("choose: invalid entry in choice array, got " +
                    std::to_string(least < 0 ? least : most) + " for " + std::to_string(n) +
                    " choices");
}

}  // namespace

any_array choose(const any_array& a, const any_array& choices, const index_options& o) {
  const char* const name = "choose";
  const any_array& indices = resolved(a, name);
  const any_array& from = resolved(choices, name);
  check_integers(indices, name);
  if (from.ndim() == 0) throw value_error("choose: a 0-d array has no choices");
  const std::int64_t n = from.shape()[0];
  numwarp::shape each = from.shape();
  each.erase(0);
  const dims* const shapes[] = {&indices.shape(), &each};
  numwarp::shape all = plan::broadcast_shapes(shapes, name);
  if (o.mode == index_mode::raise) check_choices(indices, n);
  if (n == 0 && plan::size(all) > 0) throw value_error("choose: invalid entry in choice array");
  const numwarp::shape result = all;
  // All choices as rows of one array of the result's rank, and an index for each element.
  numwarp::shape rows = from.shape();
  while (rows.size() <= result.size()) rows.insert(1, 1);
  all.insert(0, n);
  const any_array stacked = from.reshape(rows).broadcast_to(all);
  const any_array places = indices.broadcast_to(result).expand_dims(0);
  const choice c = choose_along(stacked, places, 0, name, o.mode);
  return deliver(gather(c, name).reshape(result), o.out, o.mode, name);
}

any_array choose(const any_array& a, std::span<const any_array> choices, const index_options& o) {
  const char* const name = "choose";
  if (choices.empty()) throw value_error("choose: a needs at least one choice");
  std::vector<operand> all = named_operands(choices);
  numwarp::shape rows = common_shape(name, all);
  rows.insert(0, std::int64_t(choices.size()));
  const any_array stacked =
      empty(rows, choices[0].type(), common_device(name, all), order::c, name);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const subscript row[] = {i};
    assign(stacked.subscript(row), all[i], name);
  }
  return choose(a, stacked, o);
}

namespace {

// Writes into all elements of a, in C order, as one axis.
class flat_target {
 public:
  flat_target(const any_array& a, const char* name) : whole_(resolved(a, name)), name_(name) {
    check_writeable(whole_, name);
    whole_.compute();
    flat_ = whole_.is_c_contiguous() ? whole_.reshape(-1) : whole_.copy(order::c).reshape(-1);
  }
  std::int64_t size() const { return flat_.size(); }
  void store(const any_array& indices, operand values, index_mode mode, bool unique) const {
    choice c = choose_elements(flat_, {{indices, 0, 0}}, 0, name_, mode);
    c.unique |= unique;
    store(c, values);
  }
  void store(const choice& c, operand values) const {
    scatter(c, values, name_);
    if (whole_.is_c_contiguous()) return;
    any_array made = flat_.reshape(whole_.shape());
    assign(whole_, {&made, true, {}}, name_);
  }
  const any_array& elements() const { return flat_; }

 private:
  any_array whole_, flat_;
  const char* name_;
};

// n values for n places: values itself where it is a scalar or a single element, else repeated as
// often as it takes.
operand cycled(operand values, std::int64_t n, any_array& room, const char* name) {
  if (!values.array) return values;
  room = flat(resolved(*values.array, name));
  const std::int64_t size = room.size();
  if (size > n) {
    const subscript first[] = {slice(n)};
    room = room.subscript(first);
  } else if (size > 1 && size < n) {
    const any_array places = arange(scalar(0), scalar(n), scalar(1), dtype::int64, room.device());
    room = take_along(room, places, 0, index_mode::wrap, name);
  }
  return {&room, true, {}};
}

bool has_no_values(const operand& values, const char* name) {
  return values.array && access::lay(*values.array, name).shape.size() > 0 &&
         plan::size(access::lay(*values.array, name).shape) == 0;
}

// A mask of as many elements as `a`, flattened.
any_array mask_for(const flat_target& a, const any_array& mask, const char* name) {
  const any_array m = truth_of(mask, name);
  if (m.size() == a.size()) return m.reshape(-1);
  throw value_error(std::string(name) + ": mask and data must be the same size, got " +
                    std::to_string(m.size()) + " and " + std::to_string(a.size()));
}

}  // namespace

void put(const any_array& a, const any_array& indices, operand values, index_mode mode) {
  const char* const name = "put";
  check_integers(resolved(indices, name), name);
  const flat_target target(a, name);
  const any_array places = flat(resolved(indices, name));
  if (places.size() == 0) return;
  if (target.size() == 0) throw index_error("put: cannot replace elements of an empty array");
  if (has_no_values(values, name)) return;
  any_array room;
  target.store(places, cycled(values, places.size(), room, name), mode, false);
}

void put_along_axis(const any_array& a, const any_array& indices, operand values,
                    std::optional<int> axis) {
  const char* const name = "put_along_axis";
  const any_array& to = resolved(a, name);
  const any_array& list = resolved(indices, name);
  check_writeable(to, name);
  if (axis) return scatter(along_axis(to, list, axis, name), values, name);
  const flat_target target(to, name);
  target.store(along_axis(target.elements(), list, axis, name), values);
}

void putmask(const any_array& a, const any_array& mask, operand values) {
  const char* const name = "putmask";
  const flat_target target(a, name);
  const any_array m = mask_for(target, mask, name);
  if (has_no_values(values, name)) return;
  const any_array places = true_indices(m, find_true(m), name);
  if (places.size() == 0) return;
  any_array room;
  if (values.array && resolved(*values.array, name).size() > 1) {
    // values[i] belongs to element i of a.
    room = take_along(flat(resolved(*values.array, name)), places, 0, index_mode::wrap, name);
    values = {&room, true, {}};
  } else {
    values = cycled(values, places.size(), room, name);
  }
  target.store(places, values, index_mode::raise, true);
}

void place(const any_array& a, const any_array& mask, operand values) {
  const char* const name = "place";
  const flat_target target(a, name);
  const any_array m = mask_for(target, mask, name);
  const any_array places = true_indices(m, find_true(m), name);
  if (places.size() == 0) return;
  if (has_no_values(values, name)) throw value_error("place: Cannot insert from an empty array!");
  any_array room;
  target.store(places, cycled(values, places.size(), room, name), index_mode::raise, true);
}

std::vector<any_array> nonzero(const any_array& a) {
  const any_array mask = truth_of(a, "nonzero");
  if (mask.ndim() == 0) {
    throw value_error(
        "nonzero: Calling nonzero on 0d arrays is not allowed. Use "
        "np.atleast_1d(scalar).nonzero() instead.");
  }
  return true_coordinates(mask, "nonzero");
}

any_array flatnonzero(const any_array& a) { return places_of_true(a, "flatnonzero"); }

any_array argwhere(const any_array& a) {
  const any_array mask = truth_of(a, "argwhere");
  if (mask.ndim() == 0) {
    return empty({find_true(mask).count, 0}, dtype::int64, mask.device(), order::c, "argwhere");
  }
  std::vector<any_array> axes_of = true_coordinates(mask, "argwhere");
  const any_array out =
      empty({mask.ndim(), axes_of[0].size()}, dtype::int64, mask.device(), order::c, "argwhere");
  for (int k = 0; k < mask.ndim(); ++k) {
    const subscript row[] = {k};
    assign(out.subscript(row), {&axes_of[std::size_t(k)], true, {}}, "argwhere");
  }
  return out.transpose();
}

void throw_count_of_axes(int asked, int ndim, const char* function) {
  throw value_error(std::string(function) + "<" + std::to_string(asked) + ">: the array has " +
                    std::to_string(ndim) + " axes");
}

}  // namespace numwarp::detail
