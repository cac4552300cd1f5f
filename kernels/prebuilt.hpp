// What the .cu files give to src/cuda: pointers to kernels, by what they compute. Every function
// here only fills or reads a table; a kernel's code is loaded when it is first launched.
#pragma once

#include <numwarp/core/layout.hpp>
#include <numwarp/core/ops.hpp>
#include <numwarp/core/reduce_ops.hpp>

namespace numwarp::kernels {

// elementwise_rows on `width` elements a thread, and elementwise_converting. Both take
// elementwise_parameters<arity + 1, 0>. Null where there is no such op.
struct op_kernels {
  const void* rows = nullptr;
  const void* converting = nullptr;
  int width = 1;
};
struct op_table {
  op_kernels at[core::op_count][dtype_count];
};
void add_arithmetic(op_table& t);
void add_division(op_table& t);
void add_power(op_table& t);
void add_signs(op_table& t);
void add_roots(op_table& t);
void add_exponentials(op_table& t);
void add_logarithms(op_table& t);
void add_trigonometry(op_table& t);
void add_inverse_trigonometry(op_table& t);
void add_hyperbolic(op_table& t);
void add_inverse_hyperbolic(op_table& t);
void add_rounding(op_table& t);
void add_extrema(op_table& t);
void add_selection(op_table& t);
void add_comparisons(op_table& t);
void add_logic(op_table& t);
void add_predicates(op_table& t);
void add_bits(op_table& t);
void add_integers(op_table& t);
void add_complex_arithmetic(op_table& t);
void add_complex_functions(op_table& t);
void add_complex_trigonometry(op_table& t);

// elementwise_rows; elementwise_parameters<2, 0>, for the index <1, 0>.
struct move_kernel {
  const void* rows = nullptr;
  int width = 1;
};
struct move_table {
  move_kernel cast[dtype_count][dtype_count];  // [from][to]
  move_kernel copy[5];                         // of 1, 2, 4, 8 and 16 bytes
  move_kernel index;
  const void* transpose[5] = {};  // transpose_tiled, by size as copy
};
void add_casts_of_integers(move_table& t);
void add_casts_of_unsigned(move_table& t);
void add_casts_of_floats(move_table& t);
void add_copies(move_table& t);

// One reducer on elements of one input dtype, converted as NumPy does. rows and columns take
// reduction_parameters<1, 0>, merge takes reduction_header.
struct reduce_kernels {
  const void* rows = nullptr;
  const void* columns = nullptr;
  const void* merge = nullptr;
  int width = 1;
  int accumulator_bytes = 0;
};
inline constexpr int reduce_count = 0
#define NW_REDUCE(name, rule, options) +1
#include <numwarp/core/reduce_ops.def>
#undef NW_REDUCE
    ;
struct reduce_table {
  reduce_kernels at[reduce_count][dtype_count];  // [op][dtype of the loaded elements]
};
void add_sums(reduce_table& t);
void add_products(reduce_table& t);
void add_means(reduce_table& t);
void add_variances(reduce_table& t);
void add_least(reduce_table& t);
void add_greatest(reduce_table& t);
void add_truths(reduce_table& t);
void add_arg_least(reduce_table& t);
void add_arg_greatest(reduce_table& t);

// The tiled products by element type; a tile is m by n elements of the result.
struct matmul_kernel {
  const void* kernel = nullptr;
  int tile_m = 0, tile_n = 0, threads = 0;
};
struct matmul_table {
  matmul_kernel large[dtype_count], small[dtype_count];
};
void add_matmul_integers(matmul_table& t);
void add_matmul_floats(matmul_table& t);

}  // namespace numwarp::kernels
