// block: every array is copied straight to its place in the result.
#include <numwarp/error.hpp>
#include <numwarp/joining.hpp>

#include "plan/layout.hpp"
#include "runtime/copies.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

// An array of the tree and the corner of its place.
struct placed {
  any_array array;
  dims corner;
};

std::string place_text(const std::vector<int>& at) {
  std::string text = "arrays";
  for (const int i : at) text += '[' + std::to_string(i) + ']';
  return text;
}

// The place of the first array below `t`, which is at `at`.
std::vector<int> first_leaf(const array_tree& t, std::vector<int> at) {
  if (!t.is_list()) return at;
  at.push_back(0);
  return first_leaf(t.list()[0], at);
}

class blocks {
 public:
  blocks(const array_tree& tree, int as) {
    depth_ = measure(tree, 0, {});
    ndim_ = std::max(most_axes_, depth_);
    shape_ = lay_out(tree, 0, dims(ndim_, 0));
    std::vector<any_array> arrays;
    for (const placed& p : list_) arrays.push_back(p.array);
    std::vector<dtype> types;
    for (const any_array& a : arrays) types.push_back(a.type());
    const int tag = as >= 0 ? as : common_type(types.data(), int(types.size()));
    if (tag < 0) throw type_error("block: no common DType exists for the given inputs");
    type_ = dtype(tag);
    for (const any_array& a : arrays) check_cast(a.type(), type_, casting::same_kind, "block");
    order_ = order_of(arrays);
  }

  any_array run() {
    any_array to = empty(shape_, type_, list_[0].array.device(), order_, "block");
    copies c(to, "block");
    for (const placed& p : list_) {
      std::vector<subscript> items;
      for (int d = 0; d < ndim_; ++d)
        items.emplace_back(slice(p.corner[d], p.corner[d] + p.array.shape()[d]));
      c.add(to.subscript(items), p.array);
    }
    c.launch();
    return to;
  }

 private:
  // The depth of the lists, the same everywhere.
  int measure(const array_tree& t, int depth, std::vector<int> at) {
    if (!t.is_list()) {
      most_axes_ = std::max(most_axes_, access::lay(t.array(), "block").shape.size());
      return depth;
    }
    if (t.list().empty())
      throw value_error("block: List at " + place_text(at) + " cannot be empty");
    int all = -1;
    at.push_back(0);
    for (const array_tree& sub : t.list()) {
      const int d = measure(sub, depth + 1, at);
      if (all >= 0 && d != all) {
        throw value_error("block: List depths are mismatched. First element was at depth " +
                          std::to_string(all) + ", but there is an element at depth " +
                          std::to_string(d) + " (" + place_text(first_leaf(sub, at)) + ")");
      }
      all = d;
      ++at.back();
    }
    return all;
  }

  // The shape of a subtree, whose arrays go to the list.
  numwarp::shape lay_out(const array_tree& t, int depth, dims corner) {
    if (!t.is_list()) {
      any_array a = resolved(t.array(), "block").compute();
      while (a.ndim() < ndim_) a = a.expand_dims(0);
      list_.push_back({a, corner});
      return a.shape();
    }
    const int axis = ndim_ - (depth_ - depth);
    numwarp::shape all;
    for (const array_tree& sub : t.list()) {
      const numwarp::shape s = lay_out(sub, depth + 1, corner);
      corner[axis] += s[axis];
      if (all.empty()) {
        all = s;
        continue;
      }
      for (int d = 0; d < ndim_; ++d) {
        if (d != axis && s[d] != all[d])
          throw value_error("block: Mismatched array shapes in block along axis " +
                            std::to_string(axis) + ", got " + to_string(all) + " and " +
                            to_string(s));
      }
      all[axis] += s[axis];
    }
    return all;
  }

  static order order_of(const std::vector<any_array>& arrays) {
    bool f = true, c = true;
    for (const any_array& a : arrays) {
      f &= a.is_f_contiguous();
      c &= a.is_c_contiguous();
    }
    return f && !c ? order::f : order::c;
  }

  int depth_ = 0, most_axes_ = 0, ndim_ = 0;
  std::vector<placed> list_;
  numwarp::shape shape_;
  dtype type_{};
  order order_ = order::c;
};

}  // namespace

array_tree::array_tree(std::initializer_list<array_tree> list) : list_(list), is_list_(true) {}

any_array block(const array_tree& arrays, int as) { return blocks(arrays, as).run(); }

}  // namespace numwarp::detail
