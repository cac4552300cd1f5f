// The kernels of gather and scatter by index arrays. 256 threads, one row's word each, but
// take_elements: take_unroll elements each.
#pragma once

#include <cstddef>
#include <numwarp/core/indexed_layout.hpp>
#include <numwarp/core/ops.hpp>

namespace numwarp::kernels {

struct indexed_table {
  // By log2 of the word's bytes (1 to 16), direction ([0] gathers, [1] scatters), and whether there
  // are more than two lists. Take indexed_parameters.
  const void* rows[5][2][2];
  const void* claim[2];  // by the same number of lists
  // By log2 of the word's bytes and whether indices have 8 bytes instead of 4.
  const void* take[5][2];
  const void* keep_last;  // takes keep_parameters
};
indexed_table indexed_kernels();

// Take region_parameters, in this order; take_threads threads. `split` has a block a tile, `read` a
// warp a tile and region, regions one after the other, `merge` a block a tile.
struct region_table {
  const void* sample;       // one block
  const void* split[2][2];  // by whether slots, and whether indices, have 8 bytes
  const void* read[4];      // by log2 of the word's bytes
  const void* merge[4];
};
region_table region_kernels();

// Updates by an op in a type; null where there is no such kernel. Take update_parameters; one
// element of a choice a thread.
struct update_kernels {
  const void* runs = nullptr;
  const void* atomic = nullptr;
};
struct update_table {
  update_kernels at[core::op_count][dtype_count];
};
void add_updates(update_table& t);

// Sorts n keys of `bits` bits with their values, stably, on a stream (cudaStream_t). With temporary
// null it only says how many bytes that must have. Returns a cudaError_t.
int sort_choices(void* temporary, std::size_t& bytes, const core::u64* keys, core::u64* sorted_keys,
                 const core::i64* values, core::i64* sorted_values, core::i64 n, int bits,
                 void* stream);

}  // namespace numwarp::kernels
