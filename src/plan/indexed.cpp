#include "plan/indexed.hpp"

#include <algorithm>

#include "plan/layout.hpp"

namespace numwarp::plan {

void collapse(indexed& p) {
  small_vector<dims*, 8> strides{&p.array.strides, &p.packed.strides};
  for (index_list& l : p.lists) strides.push_back(&l.strides);
  merge_axes(p.shape, strides, 0, p.shape.size());
  const int last = p.shape.size() - 1;
  const auto changes = [&](const index_list& l) { return l.strides[last] != 0; };
  // Rows that meet themselves would have to be stored in order.
  const bool apart = last >= 0 && (p.what == indexed::action::gather || p.array.strides[last] != 0);
  if (apart && std::none_of(p.lists.begin(), p.lists.end(), changes)) {
    p.row = p.shape[last];
    p.array_step = p.array.strides[last];
    p.packed_step = p.packed.strides[last];
    p.shape.erase(last);
    for (dims* s : strides) s->erase(last);
  }
  p.size = size(p.shape);
}

lone_list alone(const indexed& p, const index_list& list) {
  lone_list out{{}, list};
  out.list.strides.clear();
  for (int i = 0; i < p.shape.size(); ++i) {
    if (list.strides[i] == 0) continue;
    out.shape.push_back(p.shape[i]);
    out.list.strides.push_back(list.strides[i]);
  }
  dims* const strides[] = {&out.list.strides};
  merge_axes(out.shape, strides, 0, out.shape.size());
  if (out.shape.empty()) {
    out.shape.push_back(1);
    out.list.strides.push_back(0);
  }
  return out;
}

}  // namespace numwarp::plan
