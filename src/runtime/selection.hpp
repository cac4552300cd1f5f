// a(mask): pending until it is read, since `a(mask) = value` never needs its elements.
#pragma once

#include <mutex>
#include <numwarp/detail/call.hpp>

#include "runtime/storage.hpp"

namespace numwarp::runtime {
struct true_places;
}

namespace numwarp::detail {

struct selection final : pending {
  // `mask` covers the leading axes of `from`; both are checked by select().
  selection(any_array from, any_array mask);
  ~selection() override;
  void watch();  // registers as a reader of what it selects from

  void launch() override { made(); }
  // The selected elements, gathered at the first call.
  const any_array& made();
  bool is_made() const { return made_flag_.load(std::memory_order_acquire); }

  // Writes through to the array that was selected from.
  void write(operand source);
  void write(op_code op, operand source);

 private:
  any_array wide_mask() const;
  any_array gather() const;
  void scatter(const any_array& values, const runtime::true_places& places) const;
  void write_scalar(operand source, const op_code* op);
  void forget();

  any_array from_, mask_;
  any_array result_;
  std::atomic<bool> made_flag_{false};
  std::mutex mutex_;
};

}  // namespace numwarp::detail
