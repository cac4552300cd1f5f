#include "prebuilt.hpp"
#include "prebuilt_ops.cuh"
#include "transpose.cuh"

namespace numwarp::kernels {

namespace {

template <class T> void add_copy(move_table& t, int slot) {
  using F = move_bits<T>;
  t.copy[slot] = {
      reinterpret_cast<const void*>(&elementwise_rows<F, functor_width<F>(), parameters_of<F>>),
      functor_width<F>()};
  t.transpose[slot] = reinterpret_cast<const void*>(&transpose_tiled<T>);
}

}  // namespace

void add_copies(move_table& t) {
  add_copy<u8>(t, 0);
  add_copy<u16>(t, 1);
  add_copy<u32>(t, 2);
  add_copy<u64>(t, 3);
  add_copy<bytes16>(t, 4);
  using I = linear_index;
  t.index = {reinterpret_cast<const void*>(&elementwise_rows<I, 2, parameters_of<I>>), 2};
}

}  // namespace numwarp::kernels
