// a(...) with arrays among the subscripts: pending until it is read, since `a(mask) = value` never
// needs its elements.
#pragma once

#include <mutex>
#include <numwarp/detail/call.hpp>

#include "runtime/storage.hpp"

namespace numwarp::detail {

// What was selected is made once, by whoever reads it first; until then the selection is a reader
// of what it selects from.
struct selection : pending {
  ~selection() override { forget(); }

  void launch() override { made(); }
  // The selected elements, gathered at the first call.
  const any_array& made();
  bool is_made() const { return made_flag_.load(std::memory_order_acquire); }
  // Gathers now what may change without the library's knowledge. An assignment to the expression
  // is still one to the array that was selected from.
  void make_if_exposed();
  bool writes_through() const { return exposed_ || !is_made(); }

  // Writes through to the array that was selected from.
  virtual void write(operand source) = 0;
  virtual void write(op_code op, operand source) = 0;

  void watch(const any_array& a);  // registers as a reader

 protected:
  void forget();  // as none any more: a write must not wait for this reader
  virtual any_array gather() const = 0;
  virtual void drop() = 0;  // what was read is no longer needed

 private:
  std::vector<std::shared_ptr<storage>> watched_;
  any_array result_;
  std::atomic<bool> made_flag_{false};
  bool exposed_ = false;
  std::mutex mutex_;
};

// The selection behind a(items), which have an array among them. `from` is computed.
any_array select(const any_array& from, std::span<const subscript> items);
// By a mask over the leading axes of `from`, and by anything else.
std::shared_ptr<selection> select_by_mask(const any_array& from, const any_array& mask);
std::shared_ptr<selection> select_by_indices(const any_array& from,
                                             std::span<const subscript> items);

}  // namespace numwarp::detail
