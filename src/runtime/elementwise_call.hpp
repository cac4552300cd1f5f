// What all elementwise calls share: shapes, devices, out=, where= and the order of a new result.
#pragma once

#include "runtime/statement.hpp"

namespace numwarp::detail {

class elementwise_call {
 public:
  elementwise_call(const char* name, std::span<operand> operands, const call_options& options)
      : name_(name), operands_(operands), options_(options), order_(options.order) {}

  any_array run();

 protected:
  ~elementwise_call() = default;
  // Sets result_. Whatever of the formula and its numbers can be refused is refused here, before an
  // operand is taken.
  virtual void resolve() = 0;
  // Ops that body() adds.
  virtual int op_count() const { return 1; }
  // The step that makes the value from those of the operands; -1 for numbers.
  virtual int body(statement& st, statement::values& v) = 0;

  const char* name_;
  std::span<operand> operands_;
  const call_options& options_;
  dtype result_{};

 private:
  int masked(statement& st, int step);
  order common_order() const;
  any_array finish(statement& st, int step);

  order order_;  // of a new result
};

}  // namespace numwarp::detail
