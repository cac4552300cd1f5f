// Plans that are one kernel built ahead of time: an op, a conversion, a copy or the index, whose
// operands may be converted on the way. Pure: looks at the plan alone.
#pragma once

#include <optional>

#include "cuda/elementwise_layout.hpp"
#include "plan/elementwise.hpp"

namespace numwarp::cuda_backend {

// Up to three inputs and the output, in place: small operations are launched every few
// microseconds.
class source_list {
 public:
  void push_back(const source& s) { at_[n_++] = s; }
  std::size_t size() const { return n_; }
  const source& operator[](std::size_t i) const { return at_[i]; }
  operator std::span<const source>() const { return {at_, n_}; }

 private:
  source at_[4];
  std::size_t n_ = 0;
};

struct single_op {
  plan::step_kind kind{};  // load: a copy; cast; op; index
  core::op_code op{};
  dtype compute{};  // op: the type computed in; cast: the type converted from
  dtype result{};
  source_list sources;  // the inputs, then the output
  bool native = true;   // no operand of an op needs a conversion
};

// Nothing where the plan takes more than one kernel.
std::optional<single_op> as_single(const plan::elementwise& p);

// Launches it. False where there is no such kernel ahead of time.
bool run_single(const launch_context& c, const dims& shape, const single_op& s, const char* name,
                std::int64_t index_base = 0);

}  // namespace numwarp::cuda_backend
