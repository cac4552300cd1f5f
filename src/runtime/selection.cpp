#include "runtime/selection.hpp"

#include <algorithm>
#include <numwarp/error.hpp>
#include <utility>

#include "plan/subscript.hpp"
#include "runtime/statement.hpp"

namespace numwarp::detail {

void selection::watch(const any_array& a) {
  watched_.push_back(access::store(a));
  watched_.back()->add_reader(this);
}

void selection::forget() {
  for (const auto& s : watched_) s->remove_reader(this);
  watched_.clear();
}

const any_array& selection::made() {
  if (is_made()) return result_;
  std::lock_guard lock(mutex_);
  if (!is_made()) {
    result_ = gather();
    made_flag_.store(true, std::memory_order_release);
    forget();
    drop();
  }
  return result_;
}

void selection::make_if_exposed() {
  exposed_ =
      std::any_of(watched_.begin(), watched_.end(), [](const auto& s) { return s->exposed > 0; });
  if (!exposed_) return;
  result_ = gather();
  made_flag_.store(true, std::memory_order_release);
  forget();
}

any_array select(const any_array& from, std::span<const subscript> items) {
  std::vector<operand> arrays{{const_cast<any_array*>(&from), false, {}}};
  for (const subscript& i : items) {
    if (i.kind == i.array) arrays.push_back({const_cast<any_array*>(i.values), false, {}});
  }
  common_device("subscript", arrays);
  any_array out;
  if (items.size() == 1 && items[0].values->type() == dtype::bool_) {
    plan::subscript(access::lay(from, "subscript"), items);  // throws what is wrong with the mask
    any_array& mask = *arrays[1].array;
    access::chosen(out) = select_by_mask(from, items[0].temporary ? std::move(mask) : mask);
  } else {
    access::chosen(out) = select_by_indices(from, items);
  }
  access::chosen(out)->make_if_exposed();
  return out;
}

}  // namespace numwarp::detail
