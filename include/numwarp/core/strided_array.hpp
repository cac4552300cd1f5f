// An array as a kernel of one's own sees it: what nw::strided(a) passes.
//
//   #include <numwarp/core/strided_array.hpp>
//   extern "C" __global__ void scale(numwarp::strided_array<float, 2> x, float by) {
//     const long i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
//     if (j < x.shape(1)) x(i, j) *= by;
//   }
#pragma once

#include <numwarp/core/scalar.hpp>

namespace numwarp {

// Elements of type T along N axes; a 0-d array is one axis of length one. Read-only where T is
// const, which goes with nw::strided(nw::in(a)). Contiguous: in C order without gaps, which makes
// x[i] one multiplication; what nw::strided passes may be declared so only where it is. Indices are
// not checked.
template <class T, int N, bool Contiguous = false> class strided_array {
 public:
  using value_type = T;
  static constexpr int ndim = N;
  static_assert(N >= 1, "numwarp: a 0-d array is passed as strided_array<T, 1>");

  NW_HD T* data() const { return data_; }
  NW_HD core::i64 shape(int axis) const { return shape_[axis]; }
  NW_HD core::i64 stride(int axis) const { return strides_[axis]; }  // bytes
  NW_HD core::i64 size() const {
    core::i64 n = 1;
    for (int d = 0; d < N; ++d) n *= shape_[d];
    return n;
  }

  // One index an axis.
  template <class... I> NW_HD T& operator()(I... index) const {
    static_assert(sizeof...(I) == N, "numwarp: strided_array takes one index an axis");
    const core::i64 list[] = {core::i64(index)...};
    core::i64 offset = 0;
    for (int d = 0; d < N; ++d) offset += list[d] * strides_[d];
    return at(offset);
  }
  // Element i in C order.
  NW_HD T& operator[](core::i64 i) const {
    if constexpr (Contiguous) {
      return data_[i];
    } else {
      core::i64 offset = 0;
      for (int d = N - 1; d > 0; --d) {
        const core::i64 rest = i / shape_[d];
        offset += (i - rest * shape_[d]) * strides_[d];
        i = rest;
      }
      return at(offset + i * strides_[0]);
    }
  }

 private:
  NW_HD T& at(core::i64 offset) const {
    const char* const first = reinterpret_cast<const char*>(data_);
    return *const_cast<T*>(reinterpret_cast<const T*>(first + offset));
  }

  T* data_;
  core::i64 shape_[N];
  core::i64 strides_[N];
};

}  // namespace numwarp
