// concatenate, stack and their relatives, block.
#include <numwarp/error.hpp>
#include <numwarp/joining.hpp>
#include <numwarp/manipulation.hpp>

#include "plan/layout.hpp"
#include "runtime/copies.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

// All on one device; handles that are not null.
device device_of(array_span list, const char* name) {
  auto operands = named_operands(list);
  return common_device(name, operands);
}

dtype type_of_all(array_span list, const char* name) {
  std::vector<dtype> types;
  for (const any_array& a : list) types.push_back(access::lay(a, name).type);
  const int tag = common_type(types.data(), int(types.size()));
  if (tag >= 0) return dtype(tag);
  std::string text;
  for (const dtype t : types) text += (text.empty() ? "" : ", ") + std::string(numwarp::name(t));
  throw type_error(std::string(name) + ": no common DType exists for the given inputs: " + text);
}

void check_same_ndim(array_span list, const char* name) {
  const int ndim = list[0].ndim();
  if (ndim == 0)
    throw value_error(std::string(name) + ": zero-dimensional arrays cannot be concatenated");
  for (std::size_t k = 1; k < list.size(); ++k) {
    if (list[k].ndim() == ndim) continue;
    throw value_error(
        std::string(name) +
        ": all the input arrays must have same number of dimensions, but the array at "
        "index 0 has " +
        std::to_string(ndim) + " dimension(s) and the array at index " + std::to_string(k) +
        " has " + std::to_string(list[k].ndim()) + " dimension(s)");
  }
}

numwarp::shape joined_shape(array_span list, int axis, const char* name) {
  numwarp::shape s = list[0].shape();
  for (std::size_t k = 1; k < list.size(); ++k) {
    const numwarp::shape& t = list[k].shape();
    for (int d = 0; d < s.size(); ++d) {
      if (d == axis || t[d] == s[d]) continue;
      throw value_error(
          std::string(name) +
          ": all the input array dimensions except for the concatenation axis must match exactly, "
          "but along dimension " +
          std::to_string(d) + ", the array at index 0 has size " + std::to_string(s[d]) +
          " and the array at index " + std::to_string(k) + " has size " + std::to_string(t[d]));
    }
    s[axis] += t[axis];
  }
  return s;
}

// The join of computed arrays, along an axis or flattened, into an array that is given or made.
class joining {
 public:
  joining(array_span list, const join_options& o) : name_(o.name), o_(o) {
    const char* const name = o.name;
    if (list.empty())
      throw value_error(std::string(name) + ": need at least one array to concatenate");
    where_ = device_of(list, name);
    for (const any_array& a : list) list_.push_back(resolved(a, name));
    shape_ = o.axis ? along_axis() : flattened();
    type_ = o.out ? o.out->type() : o.as >= 0 ? dtype(o.as) : type_of_all(list_, name);
    for (const any_array& a : list_) check_cast(a.type(), type_, o.rule, name);
    if (o.out) check_out();
  }

  any_array run() {
    for (const any_array& a : list_) a.compute();
    if (!o_.out) {
      any_array made = make();
      copy_into(made);
      return made;
    }
    if (std::any_of(list_.begin(), list_.end(),
                    [&](const any_array& a) { return share_bytes(a, *o_.out, name_); })) {
      any_array made = make();
      copy_into(made);
      assign(*o_.out, {&made, true, {}}, name_);
    } else {
      access::store(resolved(*o_.out, name_))->launch_readers();
      copy_into(*o_.out);
    }
    return *o_.out;
  }

 private:
  numwarp::shape along_axis() {
    check_same_ndim(list_, name_);
    axis_ = plan::normalize_axis(*o_.axis, list_[0].ndim(), name_);
    return joined_shape(list_, axis_, name_);
  }
  numwarp::shape flattened() const {
    std::int64_t n = 0;
    for (const any_array& a : list_) n += a.size();
    return n;
  }
  void check_out() const {
    check_writeable(*o_.out, name_);
    if (!(o_.out->shape() == shape_)) {
      const char* const what = o_.out->ndim() == shape_.size()
                                   ? (o_.axis ? "is the wrong shape" : "is the wrong size")
                                   : (o_.axis ? "has wrong dimensionality" : "must be 1D");
      throw value_error(std::string(name_) + ": Output array " + what + ", got " +
                        to_string(o_.out->shape()) + " for " + to_string(shape_));
    }
    device_of(std::vector{list_[0], *o_.out}, name_);
    o_.out->compute();
  }
  any_array make() const {
    return o_.axis ? empty_joined(shape_, list_, type_, name_)
                   : empty(shape_, type_, where_, order::c, name_);
  }
  void copy_into(const any_array& to) const {
    copies c(to, name_);
    std::int64_t at = 0;
    for (const any_array& a : list_) {
      const std::int64_t n = o_.axis ? a.shape()[axis_] : a.size();
      const any_array part = detail::along(to, axis_, slice(at, at + n));
      c.add(o_.axis ? part : part.reshape(a.shape()), a);
      at += n;
    }
    c.launch();
  }

  const char* name_;
  const join_options& o_;
  device where_ = cpu;
  std::vector<any_array> list_;
  int axis_ = 0;
  numwarp::shape shape_;
  dtype type_{};
};

// The arrays after f.
template <class F> std::vector<any_array> each(array_span list, F f) {
  std::vector<any_array> out;
  for (const any_array& a : list) out.push_back(f(a));
  return out;
}

any_array join_along(array_span list, int axis, join_options o, const char* name) {
  o.axis = axis;
  o.name = name;
  return concatenate(list, o);
}

}  // namespace

any_array concatenate(array_span list, const join_options& o) { return joining(list, o).run(); }

any_array stack(array_span list, const join_options& o) {
  if (list.empty()) throw value_error("stack: need at least one array to stack");
  for (const any_array& a : list) {
    if (!(access::lay(a, "stack").shape == list[0].shape()))
      throw value_error("stack: all input arrays must have the same shape, got " +
                        to_string(list[0].shape()) + " and " + to_string(a.shape()));
  }
  const int axis = plan::normalize_axis(*o.axis, list[0].ndim() + 1, "stack");
  return join_along(each(list, [&](const any_array& a) { return a.expand_dims(axis); }), axis, o,
                    "stack");
}

any_array vstack(array_span list, const join_options& o) {
  return join_along(each(list, [](const any_array& a) { return atleast(a, 2, "vstack"); }), 0, o,
                    "vstack");
}

any_array hstack(array_span list, const join_options& o) {
  const auto arrays = each(list, [](const any_array& a) { return atleast(a, 1, "hstack"); });
  return join_along(arrays, !arrays.empty() && arrays[0].ndim() == 1 ? 0 : 1, o, "hstack");
}

any_array dstack(array_span list, const join_options& o) {
  return join_along(each(list, [](const any_array& a) { return atleast(a, 3, "dstack"); }), 2, o,
                    "dstack");
}

any_array column_stack(array_span list, const join_options& o) {
  const auto column = [](const any_array& a) {
    return access::lay(a, "column_stack").shape.size() < 2
               ? atleast(a, 2, "column_stack").transpose()
               : a;
  };
  return join_along(each(list, column), 1, o, "column_stack");
}

}  // namespace numwarp::detail
