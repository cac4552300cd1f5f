#include "prebuilt_select.hpp"
#include "select.cuh"

namespace numwarp::kernels {

namespace {

template <class T> void add_word(select_table& t, int slot) {
  t.elements[slot][0] = reinterpret_cast<const void*>(&select_elements<T, false>);
  t.elements[slot][1] = reinterpret_cast<const void*>(&select_elements<T, true>);
  t.rows[slot][0] = reinterpret_cast<const void*>(&select_rows<T, false>);
  t.rows[slot][1] = reinterpret_cast<const void*>(&select_rows<T, true>);
}

}  // namespace

select_table select_kernels() {
  select_table t{};
  t.count = reinterpret_cast<const void*>(&select_count);
  t.scan = reinterpret_cast<const void*>(&select_scan);
  t.indices = reinterpret_cast<const void*>(&select_indices);
  add_word<u8>(t, 0);
  add_word<u16>(t, 1);
  add_word<u32>(t, 2);
  add_word<u64>(t, 3);
  add_word<bytes16>(t, 4);
  return t;
}

}  // namespace numwarp::kernels
