#include "prebuilt_indexed.hpp"
#include "take_regions.cuh"

namespace numwarp::kernels {

namespace {

template <class Slot> void add_split(region_table& t, int slot) {
  t.split[slot][0] = reinterpret_cast<const void*>(&take_split<Slot, int>);
  t.split[slot][1] = reinterpret_cast<const void*>(&take_split<Slot, long>);
}
template <class Word> void add_word(region_table& t, int slot) {
  t.read[slot] = reinterpret_cast<const void*>(&take_read<Word>);
  t.merge[slot] = reinterpret_cast<const void*>(&take_merge<Word>);
}

}  // namespace

region_table region_kernels() {
  region_table t{};
  t.sample = reinterpret_cast<const void*>(&take_sample);
  add_split<u32>(t, 0);
  add_split<u64>(t, 1);
  add_word<u8>(t, 0);
  add_word<u16>(t, 1);
  add_word<u32>(t, 2);
  add_word<u64>(t, 3);
  return t;
}

}  // namespace numwarp::kernels
