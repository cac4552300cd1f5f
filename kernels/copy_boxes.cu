#include "copy_boxes.cuh"
#include "prebuilt_copies.hpp"

namespace numwarp::kernels {

namespace {

template <class T> const void* kernel() { return reinterpret_cast<const void*>(&copy_boxes<T>); }

}  // namespace

copies_table copies_kernels() {
  return {{kernel<u8>(), kernel<u16>(), kernel<u32>(), kernel<u64>(), kernel<bytes16>()}};
}

}  // namespace numwarp::kernels
