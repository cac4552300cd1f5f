// Sorting of choices by slot: CUB's radix sort, which is stable.
#include <cub/device/device_radix_sort.cuh>

#include "prebuilt_indexed.hpp"

namespace numwarp::kernels {

int sort_choices(void* temporary, std::size_t& bytes, const core::u64* keys, core::u64* sorted_keys,
                 const core::i64* values, core::i64* sorted_values, core::i64 n, int bits,
                 void* stream) {
  return cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted_keys, values, sorted_values,
                                         n, 0, bits, static_cast<cudaStream_t>(stream));
}

}  // namespace numwarp::kernels
