// Places in arrays: flat numbers and indices of several axes, coordinates, choices by masks.
#include <algorithm>
#include <numwarp/detail/indexing_calls.hpp>
#include <numwarp/error.hpp>
#include <numwarp/index_tricks.hpp>
#include <numwarp/ranges.hpp>

#include "plan/layout.hpp"
#include "runtime/creation.hpp"
#include "runtime/nonzero.hpp"
#include "runtime/term.hpp"

namespace numwarp::detail {

void throw_rank(int wanted, int given, const char* function) {
  throw value_error(std::string(function) + ": " + std::to_string(wanted) +
                    " index arrays do not fit " + std::to_string(given) + " axes");
}

any_array index_number(std::int64_t i) {
  return from_host(&i, shape(), dtype::int64, default_device());
}

index_list::index_list(std::initializer_list<index_entry> list) {
  list_.reserve(list.size());
  for (const index_entry& e : list) list_.push_back(e.array);
}

any_array indices(const shape& s, dtype t, device d) {
  return grid(unit_axes(s, "indices"), t, d, "indices");
}

any_array sparse_index(const shape& s, int axis, dtype t, device d) {
  return grid_along(unit_axes(s, "sparse_indices"), axis, t, d, "sparse_indices");
}

any_array cross_index(const any_array& a, int k, int n) {
  const any_array& r = resolved(a, "ix_");
  if (r.ndim() != 1) {
    throw value_error("ix_: Cross index must be 1 dimensional, got shape " + to_string(r.shape()));
  }
  const any_array index = r.type() == dtype::bool_ ? flatnonzero(r) : r;
  numwarp::shape s(dims(n, 1));
  s[k] = index.size();
  return index.reshape(s);
}

namespace {

void check_integers(const any_array& a, const char* function) {
  const dtype t = access::lay(a, function).type;
  if (kind(t) == 'b' || core::is_integer(t)) return;
  throw type_error(std::string(function) + ": only int indices permitted, got " +
                   std::string(name(t)));
}

// Whether the term lies outside of [0, n): one comparison, since negative ones become large.
term outside(term i, std::int64_t n) {
  const term u = i.as(dtype::uint64);
  return u.constant(scalar(n)) <= u;
}

// A bool array of what is `bad`, pending.
bool any_of(any_array bad) {
  bool found = false;
  const any_array one = reduce(reduce_code::any, {&bad, true, {}}, {});
  item(one, dtype::bool_, &found);
  return found;
}

class raveling {
 public:
  raveling(std::span<const any_array> index, const shape& extents,
           std::span<const index_mode> modes, order o)
      : list_(named_operands(index)), extents_(extents), modes_(modes), order_(o) {
    for (const any_array& a : index) check_integers(a, name);
    check_counts();
    shape_ = common_shape(name, list_);
    where_ = common_device(name, list_);
    check_entries();
  }

  any_array run() {
    statement st(name, shape_, where_);
    const auto values = st.load_named(list_);
    const dims strides =
        order_ == order::f ? plan::f_strides(extents_, 1) : plan::c_strides(extents_, 1);
    std::optional<term> sum;
    for (int k = 0; k < extents_.size(); ++k) {
      const term part = inside(place(st, values, k), k) * scalar(strides[k]);
      sum = sum ? *sum + part : part;
    }
    any_array out = empty(shape_, dtype::int64, where_, order::c, name);
    st.write(sum->step(), out);
    return out;
  }

 private:
  void check_counts() const {
    const auto n = std::size_t(extents_.size());
    if (modes_.size() != 1 && modes_.size() != n) {
      throw value_error(std::string(name) + ": list of clipmodes has wrong length (" +
                        std::to_string(modes_.size()) + " instead of " + std::to_string(n) + ")");
    }
    if (list_.size() != n) {
      throw value_error(std::string(name) +
                        ": parameter multi_index must be a sequence of length " +
                        std::to_string(n) + ", got " + std::to_string(list_.size()));
    }
    if (list_.empty()) throw value_error(std::string(name) + ": need at least one index array");
    try {
      plan::checked_size(extents_, name);
    } catch (const value_error&) {
      throw value_error(std::string(name) +
                        ": invalid dims: array size defined by dims is larger than the maximum "
                        "possible size, got " +
                        to_string(extents_));
    }
  }

  void check_entries() {
    if (plan::size(shape_) == 0) return;
    if (plan::size(extents_) == 0) {
      throw value_error(std::string(name) +
                        ": cannot unravel if shape has zero entries (is empty), got " +
                        to_string(extents_));
    }
    if (any_raises() && any_of(bad_entries())) {
      throw value_error(std::string(name) + ": invalid entry in coordinates array for dimensions " +
                        to_string(extents_));
    }
  }

  any_array bad_entries() {
    statement st(name, shape_, where_);
    const auto values = st.load_named(list_);
    std::optional<term> bad;
    for (int k = 0; k < extents_.size(); ++k) {
      if (mode(k) != index_mode::raise) continue;
      const term here = outside(place(st, values, k), extents_[k]);
      bad = bad ? *bad | here : here;
    }
    return st.result(bad->step(), dtype::bool_);
  }

  term place(statement& st, const statement::values& values, int k) const {
    return term(st, values[std::size_t(k)]).as(dtype::int64);
  }
  term inside(term i, int k) const {
    const term n = i.constant(scalar(extents_[k]));
    return mode(k) == index_mode::wrap   ? i.remainder(n)
           : mode(k) == index_mode::clip ? i.clip(i.constant(scalar(0)), n - scalar(1))
                                         : i;
  }
  index_mode mode(int k) const { return modes_[modes_.size() == 1 ? 0 : std::size_t(k)]; }
  bool any_raises() const {
    return std::find(modes_.begin(), modes_.end(), index_mode::raise) != modes_.end();
  }

  static constexpr const char* name = "ravel_multi_index";
  std::vector<operand> list_;
  const shape& extents_;
  std::span<const index_mode> modes_;
  order order_;
  shape shape_;
  device where_ = cpu;
};

}  // namespace

any_array ravel_multi_index(std::span<const any_array> index, const shape& extents,
                            std::span<const index_mode> modes, order o) {
  return raveling(index, extents, modes, o).run();
}

namespace {

// Throws for the first number outside of [0, size).
void check_numbers(const any_array& numbers, std::int64_t size) {
  any_array source = numbers;
  operand named{&source, false, {}};
  const auto bad = [&] {
    statement st("unravel_index", numbers.shape(), numbers.device());
    const term number(st, st.load_named({&named, 1})[0]);
    return st.result(outside(number.as(dtype::int64), size).step(), dtype::bool_);
  };
  if (numbers.size() == 0 || !any_of(bad())) return;
  any_array mask = bad();
  std::int64_t at = 0, value = 0;
  item(reduce(reduce_code::argmax, {&mask, true, {}}, {}), dtype::int64, &at);
  item_at(ravel(numbers, order::c), {&at, 1}, dtype::int64, &value);
  throw value_error("unravel_index: index " + std::to_string(value) +
                    " is out of bounds for array with size " + std::to_string(size));
}

}  // namespace

std::vector<any_array> unravel_index(const any_array& index, const shape& extents, order o) {
  const any_array& numbers = resolved(index, "unravel_index");
  check_integers(numbers, "unravel_index");
  if (extents.empty() && numbers.ndim() > 0) {
    throw value_error(
        "unravel_index: multiple indices are not supported for 0d arrays, got shape " +
        to_string(numbers.shape()));
  }
  check_numbers(numbers, plan::checked_size(extents, "unravel_index"));
  return unravel(numbers, extents, o, "unravel_index");
}

std::vector<std::int64_t> unravel_number(std::int64_t index, const shape& extents, order o) {
  std::vector<std::int64_t> out;
  for (const any_array& a :
       unravel_index(from_host(&index, shape(), dtype::int64, cpu), extents, o)) {
    item(a, dtype::int64, &out.emplace_back());
  }
  return out;
}

ndarray<std::int64_t> square_of_ones(std::int64_t n) {
  return ndarray<std::int64_t>(
      full({n, n}, dtype::int64, scalar(1), default_device(), order::c, "mask_indices"));
}

std::array<any_array, 2> places_in_square(const any_array& mask) {
  const any_array& m = resolved(mask, "mask_indices");
  if (m.ndim() != 2) throw_rank(2, m.ndim(), "mask_indices");
  auto list = nonzero(m);
  return {std::move(list[0]), std::move(list[1])};
}

namespace {

void check_cases(std::span<const any_array> conditions, std::span<const any_array> choices) {
  if (conditions.size() != choices.size()) {
    throw value_error("select: list of cases must be same length as list of conditions, got " +
                      std::to_string(choices.size()) + " and " + std::to_string(conditions.size()));
  }
  if (conditions.empty())
    throw value_error("select: select with an empty condition list is not possible");
  for (std::size_t k = 0; k < conditions.size(); ++k) {
    if (access::lay(conditions[k], "select").type == dtype::bool_) continue;
    throw type_error("select: invalid entry " + std::to_string(k) +
                     " in condlist: should be boolean ndarray, got " +
                     std::string(name(conditions[k].type())));
  }
}

// Cases as one nested choice; `otherwise` stands behind the last.
term choose(statement& st, std::span<operand> operands, dtype t) {
  const auto steps = st.take(operands);
  const auto value = [&](std::size_t k) {
    const int step = steps[k];
    return step < 0 ? term(st, st.constant(operands[k].value, t)) : term(st, step).as(t);
  };
  const std::size_t n = operands.size() / 2;
  term chosen = value(2 * n);
  for (std::size_t k = n; k-- > 0;) chosen = term(st, steps[k]).choose(value(n + k), chosen);
  return chosen;
}

}  // namespace

any_array select_from(std::span<const any_array> conditions, std::span<const any_array> choices,
                      operand otherwise, dtype t) {
  check_cases(conditions, choices);
  std::vector<operand> all = named_operands(conditions);
  for (const operand& o : named_operands(choices)) all.push_back(o);
  all.push_back(otherwise);
  const numwarp::shape s = common_shape("select", all);
  const device where = common_device("select", all);
  if (!otherwise.array) to_bits(otherwise.value, t, "select");
  any_array out = empty(s, t, where, order::c, "select");
  constexpr std::size_t at_once = 16;  // two inputs each, of the 48 of a program
  any_array later;
  for (std::size_t last = conditions.size(); last > 0;) {
    const std::size_t first = last > at_once ? last - at_once : 0;
    std::vector<operand> part = named_operands(conditions.subspan(first, last - first));
    for (const operand& o : named_operands(choices.subspan(first, last - first))) part.push_back(o);
    part.push_back(later.valid() ? operand{&later, true, {}} : otherwise);
    statement st("select", s, where);
    const int step = choose(st, part, t).step();
    if (first == 0) {
      st.write(step, out);
    } else {
      later = st.result(step, t);
    }
    last = first;
  }
  return out;
}

}  // namespace numwarp::detail

namespace numwarp {

ndarray<std::int64_t> ravel_multi_index(const detail::index_list& index, const shape& extents,
                                        const ravel_multi_index_options& o) {
  return ndarray<std::int64_t>::from_any_unchecked(
      detail::ravel_multi_index(index.arrays(), extents, o.mode.list(), o.order));
}

}  // namespace numwarp
