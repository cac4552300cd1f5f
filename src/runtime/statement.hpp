// Builds a node from operands: decides which temporaries are absorbed, computes the others, and
// either leaves the node pending behind a new array or runs it into a destination at once.
#pragma once

#include <numwarp/detail/call.hpp>
#include <optional>

#include "runtime/node.hpp"

namespace numwarp::detail {

class statement {
 public:
  // Steps, one for each operand.
  using values = plan::small_vector<int, 4>;

  // Operands are checked by the caller; all broadcast to `shape` and live on `where`. own_ops: how
  // many ops the caller adds to those of its operands. plain: all array operands are what
  // plain_operand() asks for.
  statement(const char* name, const numwarp::shape& shape, device where, int own_ops = 1,
            bool plain = false);
  ~statement();
  statement(const statement&) = delete;
  statement& operator=(const statement&) = delete;

  // The index of the step that makes each operand's value, in the operand's own type; -1 for
  // scalars. Takes all operands at once, since the largest temporary becomes the base that the
  // others join. Where the statement will write into an array, `target` says so: its readers are
  // launched first, while this thread holds no node that others could be waiting for. When it
  // throws, no operand has been consumed.
  values take(std::span<operand> operands, const any_array* target = nullptr);
  // The steps that load further operands, all computed first; for masks and destinations.
  values load_named(std::span<operand> operands);
  int constant(const scalar& s, dtype t);
  plan::program& program() { return node().program; }
  device where() const { return where_; }
  detail::node& node();

  // A new array whose elements are the value of `step`; pending unless the rules say otherwise.
  any_array result(int step, dtype type, order o = order::k);  // K, C or F
  any_array result(int step, dtype type, dims strides);
  // Two results of one node.
  std::pair<any_array, any_array> results(int step1, int step2, dtype type);
  // Computes at once into the elements of dst, whose shape is the statement's.
  void write(int step, const any_array& dst);
  // Computes at once several values, each into an array that is new and that nothing reads.
  void write_new(std::span<const int> steps, std::span<const any_array> to);

 private:
  // An operand on its way into the node. A held node is let go unless it was joined.
  struct source {
    operand* from;
    std::shared_ptr<detail::node> held;
    explicit source(operand* o) : from(o) {}
    source(source&&) = default;
    ~source() {
      if (held) held->let_go();
    }
  };
  using sources = plan::small_vector<source, 3>;
  std::shared_ptr<detail::node> absorbable(const operand& o) const;
  bool grows(const numwarp::shape& from) const;
  std::optional<values> take_plain(std::span<operand> operands);
  void clear_way(std::span<operand> operands, const any_array& target);
  void limit(sources& list) const;
  void adopt(std::shared_ptr<detail::node>&& n, any_array& handle);
  const operand* adopt_base(sources& list);
  int join(source& s);
  int load(operand& o, const dims& strides);
  int input_index(const std::shared_ptr<storage>& from, const dims& strides, std::int64_t offset,
                  dtype type);
  dims strides_here(const any_array& a) const;
  dims result_strides(dtype type, order o) const;
  any_array promise(int step, dtype type, dims strides);
  void release_pending();
  bool clashes(const layout& l, const storage& store) const;

  const char* name_;
  numwarp::shape shape_;
  device where_;
  std::size_t own_ops_;
  std::shared_ptr<detail::node> node_;  // null until it is needed
  any_array base_;                      // what the base promised, for this statement's result
  const storage* cleared_ = nullptr;    // the target whose readers have been launched
  plan::small_vector<dims, 3> order_;   // strides of the array operands, for the result's layout
  const bool plain_;
  bool released_ = false;
};

// One of the arrays where all operands and `out`, if any, have one device and shape and lie in C
// order without axes of length one: nothing is broadcast then, and strides need no thought. Null
// otherwise.
const any_array* plain_operand(std::span<operand> operands, const any_array* out);

// The common shape and device of the array operands; scalars count as 0-d. Throws for null arrays
// and for operands on two devices.
numwarp::shape common_shape(const char* name, std::span<operand> operands);
device common_device(const char* name, std::span<operand> operands);

// Whether two computed arrays may have a byte of memory in common, also of wrapped memory.
bool share_bytes(const any_array& a, const any_array& b, const char* name);
// Of an array, or a scalar's.
const numwarp::shape& shape_of(const operand& o, const char* name);
// The arrays as operands that are not taken over.
std::vector<operand> named_operands(std::span<const any_array> list);

// The bytes of a scalar as type t, where it fits; overflow_error names it where it does not.
plan::constant_bits to_bits(const scalar& s, dtype t, const char* name);
bool fits(const scalar& s, dtype t);
// The same for operand k of an op that computes in `compute`; value_error for a negative power of
// integers.
plan::constant_bits operand_bits(op_code op, int k, dtype compute, const scalar& s);

}  // namespace numwarp::detail
