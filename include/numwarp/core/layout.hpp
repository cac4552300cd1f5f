// How kernels find elements: what the host fills in for a launch, and what a kernel reads. An index
// space is `rows` rows of `inner` elements each; a row's place is found from up to six outer axes.
#pragma once

#include <numwarp/core/error_record.hpp>

namespace numwarp::core {

inline constexpr int max_outer = 6;

// What an operand is along a row.
enum class walk : i32 {
  strided = 0,    // `inner` bytes apart
  same = 1,       // one element for the whole row
  vector = 2,     // adjacent, and every row starts on a vector's boundary
  immediate = 3,  // a constant that lies in the parameters themselves
};

struct operand {
  // An immediate's value takes the place of these two members: up to 16 bytes.
  char* data;
  i64 inner;             // bytes
  i64 outer[max_outer];  // bytes, slowest axis first
  walk mode;
  i32 type;  // the dtype's tag, for kernels that convert at the load or the store
};

// Divides numbers below 2^31 by a multiplication: Granlund and Montgomery, "Division by Invariant
// Integers using Multiplication" (1994). multiplier = ceil(2^shift / by), below 2^32.
struct divisor {
  u32 by, multiplier, shift;
  NW_HD u32 quotient(u32 n) const { return u32(u64(n) * multiplier >> shift); }
};
constexpr divisor make_divisor(u32 by) {
  u32 log2 = 0;
  while ((u64(1) << log2) < by) ++log2;
  return {by, u32(((u64(1) << (31 + log2)) + by - 1) / by), 31 + log2};
}

struct launch_header {
  i64 rows, inner;       // elements
  i64 index_base;        // linear index of the first element
  i64 shape[max_outer];  // of the outer axes, slowest first
  i32 outer_rank;
  divisor chunks;  // blocks side by side along a row
  error_record* errors;
  u64 where;  // for errors: see error_record
};

// The parameters of an elementwise kernel: the inputs, then the outputs, then constants of a fused
// program in slots of 8 bytes.
template <int Operands, int Constants> struct elementwise_parameters {
  launch_header head;
  operand operands[Operands];
  u64 constants[Constants > 0 ? Constants : 1];
};

// The parameters of a reduction. The index space is the kept axes, then the reduced ones; the last
// of each kind is apart, and `outer` strides are of the others: kept ones, then reduced ones.
struct reduction_header {
  i64 outer, count;             // elements of the kept and of the reduced space
  i64 kept_inner;               // extent of the last kept axis
  i64 reduced_inner;            // extent of the last reduced axis
  i64 shape[max_outer];         // the other axes
  i32 kept_rank, reduced_rank;  // how many of `shape` are kept and reduced
  i64 split_length;             // reduced elements that one split takes
  u32 splits;                   // splits of the reduced space; more than one gives partial results
  u32 group;                    // rows: threads of a segment; merging: threads of a result
  u32 column_blocks;            // columns: blocks side by side along the kept axes
  i32 fast;                     // every operand is a whole vector, the same or an immediate, no
                                // vector spans two runs of the last axis, and reduced_rank <= 1
  i32 has_initial;
  i32 out_type;
  u64 initial[2];  // a value of the compute type
  double ddof;
  char* partial;                     // accumulators: of result o and split s at o * partial_outer +
  i64 partial_outer, partial_split;  // s * partial_split (both in accumulators)
  char* out;
  i64 out_inner;             // bytes along the last kept axis
  i64 out_outer[max_outer];  // bytes along the other kept axes
  error_record* errors;
  u64 where;
};

struct reduced_operand {
  // An immediate's value takes the place of these two members.
  char* data;
  i64 kept_inner;        // bytes
  i64 reduced_inner;     // bytes
  i64 outer[max_outer];  // bytes
  walk mode;             // along the axis on which vectors lie
  i32 type;
};

template <int Operands, int Constants> struct reduction_parameters {
  reduction_header head;
  reduced_operand operands[Operands > 0 ? Operands : 1];
  u64 constants[Constants > 0 ? Constants : 1];
};

// The parameters of a permuting copy: planes of a tiled transposition.
// Elements a thread takes: 16 bytes of the widest operand, twice that where the narrowest one would
// have less than 8 bytes in flight.
NW_HD constexpr int vector_width(int narrowest, int widest) {
  const int width = 16 / widest;
  return narrowest * width < 8 ? 2 * width : width;
}

// The side of the square tile that one block moves, for elements of that many bytes.
NW_HD constexpr int transpose_side(int bytes) { return bytes <= 4 ? 64 : 32; }

struct transpose_parameters {
  const char* from;
  char* to;
  i64 from_fast, to_fast;  // extents of the input's and the output's fastest axis
  i64 from_stride;         // bytes in the input along the output's fastest axis
  i64 to_stride;           // bytes in the output along the input's fastest axis
  i64 planes;
  i64 shape[max_outer];                            // the other axes, slowest first
  i64 from_outer[max_outer], to_outer[max_outer];  // bytes
  i32 outer_rank;
  u32 from_tiles, to_tiles;  // tiles along the two axes
};

// c = a @ b for a stack of matrices; strides are in elements.
struct matmul_parameters {
  const char *a, *b;
  char* c;
  i64 m, n, k;
  i64 a_row, a_column, b_row, b_column, c_row, c_column;
  i64 stack_shape[max_outer];
  i64 a_stack[max_outer], b_stack[max_outer], c_stack[max_outer];
  i32 stack_rank;
  i32 accumulate;
  i64 stack_base;
};

}  // namespace numwarp::core
