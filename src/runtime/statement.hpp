// Builds a node from operands: decides which temporaries are absorbed, computes the others, and
// either leaves the node pending behind a new array or runs it into a destination at once.
#pragma once

#include <numwarp/detail/call.hpp>
#include "runtime/node.hpp"

namespace numwarp::detail {

class statement {
 public:
  // Operands are checked by the caller; all broadcast to `shape` and live on `where`.
  statement(const char* name, const numwarp::shape& shape, device where);
  ~statement();
  statement(const statement&) = delete;
  statement& operator=(const statement&) = delete;

  // The index of the step that makes the operand's value, in the operand's own type. Takes all
  // operands at once, since the largest temporary becomes the base that the others join.
  std::vector<int> take(std::span<operand> operands);
  // The steps that load further operands, all computed first; for masks and destinations.
  std::vector<int> load_named(std::span<operand> operands);
  int constant(const scalar& s, dtype t);
  plan::program& program() { return node_->program; }
  detail::node& node() { return *node_; }

  // A new array whose elements are the value of `step`; pending unless the rules say otherwise.
  any_array result(int step, dtype type);
  // Two results of one node.
  std::pair<any_array, any_array> results(int step1, int step2, dtype type);
  // Computes at once into the elements of dst, whose shape is the statement's.
  void write(int step, const any_array& dst);

 private:
  struct source {
    operand* from;
    std::shared_ptr<detail::node> held;  // absorbed, or null
  };
  std::shared_ptr<detail::node> absorbable(const operand& o) const;
  void limit(std::vector<source>& list) const;
  void adopt_base(std::vector<source>& list);
  int join(source& s);
  int load(operand& o);
  int input_index(const std::shared_ptr<storage>& from, const dims& strides, std::int64_t offset,
                  dtype type);
  void widen(detail::node& n) const;
  void remember_order(const any_array& a);
  dims result_strides(dtype type) const;
  any_array promise(int step, dtype type);
  void release_pending();

  std::shared_ptr<detail::node> node_;
  std::vector<dims> order_;  // strides of the array operands, for the result's layout
  bool taken_ = false;
};

// The common shape and device of the array operands; scalars count as 0-d. Throws for null arrays
// and for operands on two devices.
numwarp::shape common_shape(const char* name, std::span<operand> operands);
device common_device(const char* name, std::span<operand> operands);

// The bytes of a scalar as type t, where it fits; overflow_error names it where it does not.
plan::constant_bits to_bits(const scalar& s, dtype t, const char* name);
bool fits(const scalar& s, dtype t);

}  // namespace numwarp::detail
