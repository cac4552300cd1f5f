#include "indexed.cuh"
#include "prebuilt_indexed.hpp"

namespace numwarp::kernels {

namespace {

template <class T, int L> void add_rows(indexed_table& t, int slot) {
  t.rows[slot][0][L > 2] = reinterpret_cast<const void*>(&indexed_rows<T, false, L>);
  t.rows[slot][1][L > 2] = reinterpret_cast<const void*>(&indexed_rows<T, true, L>);
}

template <class T> void add_word(indexed_table& t, int slot) {
  add_rows<T, 2>(t, slot);
  add_rows<T, max_index_lists>(t, slot);
  t.take[slot][0] = reinterpret_cast<const void*>(&take_elements<T, int>);
  t.take[slot][1] = reinterpret_cast<const void*>(&take_elements<T, long>);
}

}  // namespace

indexed_table indexed_kernels() {
  indexed_table t{};
  add_word<u8>(t, 0);
  add_word<u16>(t, 1);
  add_word<u32>(t, 2);
  add_word<u64>(t, 3);
  add_word<bytes16>(t, 4);
  t.claim[0] = reinterpret_cast<const void*>(&indexed_claim<2>);
  t.claim[1] = reinterpret_cast<const void*>(&indexed_claim<max_index_lists>);
  t.keep_last = reinterpret_cast<const void*>(&keep_last);
  return t;
}

}  // namespace numwarp::kernels
