// c = a @ b through tiles in shared memory and registers, for every element type and any strides.
#pragma once

#include <numwarp/core/complex_math.hpp>
#include <numwarp/core/math.hpp>

#include "elementwise.cuh"

namespace numwarp::kernels {

// The type that products are summed in: float for halves, wrapping unsigned integers, u32 for bool.
template <class T> struct product_of { using type = conditional_t<is_half<T>, float, T>; };
template <integer T> struct product_of<T> { using type = wrapping_of<T>; };
template <> struct product_of<bool> { using type = u32; };
template <class T> using product_t = typename product_of<T>::type;

template <class T> NW_DEVICE product_t<T> to_product(T x) {
  if constexpr (integer<T>) {
    return product_t<T>(x);
  } else {
    return cast<product_t<T>>(x);
  }
}
template <class T> NW_DEVICE T from_product(product_t<T> x) {
  if constexpr (integer<T>) {
    return T(x);
  } else {
    return cast<T>(x);
  }
}

NW_DEVICE float multiply_add(float a, float b, float c) { return __fmaf_rn(a, b, c); }
NW_DEVICE double multiply_add(double a, double b, double c) { return __fma_rn(a, b, c); }
NW_DEVICE u32 multiply_add(u32 a, u32 b, u32 c) { return a * b + c; }
NW_DEVICE u64 multiply_add(u64 a, u64 b, u64 c) { return a * b + c; }
template <class T> NW_DEVICE complex<T> multiply_add(complex<T> a, complex<T> b, complex<T> c) {
  return {multiply_add(a.re, b.re, multiply_add(-a.im, b.im, c.re)),
          multiply_add(a.re, b.im, multiply_add(a.im, b.re, c.im))};
}

// A block's tile is M x N of c and K of the sum; a thread has m x n of it, in groups of at most
// four adjacent rows and columns, so that shared memory is read in 16 bytes.
// `blocks` of them should share a multiprocessor, which limits the registers of a thread.
template <int M_, int N_, int K_, int m_, int n_, int blocks_> struct tiling {
  static constexpr int M = M_, N = N_, K = K_, m = m_, n = n_, blocks = blocks_;
  static constexpr int threads = (M / m) * (N / n);
  static constexpr int row_group = m < 4 ? m : 4, column_group = n < 4 ? n : 4;
};

// Elements [0, Extent) x [0, K) of an operand from row `first` on, slice of K by slice, by all
// threads of a block: held in registers until the previous tile is used up. Neighbouring threads
// read along the unit stride. The elements of a thread are `step` bytes apart, which leaves little
// arithmetic beside the products.
template <class T, int Extent, int K, int Threads> class tile_loader {
  static constexpr int each = Extent * K / Threads;
  static_assert(Threads % Extent == 0 && Threads % K == 0);

 public:
  NW_DEVICE tile_loader(const char* base, i64 first, i64 extent, i64 stride, i64 k_stride,
                        bool along_k)
      : i_(along_k ? int(threadIdx.x) / K : int(threadIdx.x) % Extent),
        k_(along_k ? int(threadIdx.x) % K : int(threadIdx.x) / Extent),
        i_step_(along_k ? Threads / K : 0),
        k_step_(along_k ? 0 : Threads / Extent) {
    constexpr i64 size = sizeof(T);
    at_ = base + ((first + i_) * stride + k_ * k_stride) * size;
    step_ = (i_step_ * stride + k_step_ * k_stride) * size;
    advance_ = K * k_stride * size;
#pragma unroll
    for (int e = 0; e < each; ++e) inside_ |= u32(first + i_ + e * i_step_ < extent) << e;
  }
  // The next slice, of which `left` elements along K exist.
  NW_DEVICE void load(i64 left) {
    u32 inside = inside_;
    if (left < K) {
#pragma unroll
      for (int e = 0; e < each; ++e) {
        if (k_ + e * k_step_ >= left) inside &= ~(1u << e);
      }
    }
#pragma unroll
    for (int e = 0; e < each; ++e)
      held_[e] = inside >> e & 1 ? to_product(load_one<T>(at_ + e * step_)) : product_t<T>{};
    at_ += advance_;
  }
  template <int Row> NW_DEVICE void store(product_t<T> (&tile)[K][Row]) const {
#pragma unroll
    for (int e = 0; e < each; ++e) tile[k_ + e * k_step_][i_ + e * i_step_] = held_[e];
  }

 private:
  const int i_, k_, i_step_, k_step_;
  const char* at_;
  i64 step_, advance_;
  u32 inside_ = 0;
  product_t<T> held_[each];
};

// Row or column r of a thread's tile within the block's: group by group, spread over the block.
template <int Extent, int Per, int Group> NW_DEVICE int spread(int thread, int r) {
  return (r / Group) * (Extent / (Per / Group)) + thread * Group + r % Group;
}

// Formula: c[s, i, j] = sum over k of a[s, i, k] * b[s, k, j]; integers wrap, bool is or of and.
// Threads: a block makes one tile of one matrix of the stack, each thread m x n elements in
//   registers. While a slice of K is multiplied out of shared memory, the next is on its way to
//   registers; two buffers make one barrier a slice enough.
// Bytes: a once for each column of tiles, b once for each row of tiles, mostly from L2; c once.
// Bound: arithmetic.
template <class T, class Tile>
__global__ void __launch_bounds__(Tile::threads, Tile::blocks)
    matmul_tiled(const __grid_constant__ matmul_parameters p) {
  using S = product_t<T>;
  constexpr int pad = 16 / int(sizeof(S));
  __shared__ alignas(16) S a_tile[2][Tile::K][Tile::M + pad];
  __shared__ alignas(16) S b_tile[2][Tile::K][Tile::N + pad];
  const i64 tiles_m = (p.m + Tile::M - 1) / Tile::M, tiles_n = (p.n + Tile::N - 1) / Tile::N;
  const i64 matrix = i64(blockIdx.x) / (tiles_m * tiles_n);
  const int tile = int(i64(blockIdx.x) - matrix * (tiles_m * tiles_n));
  const i64 row0 = tile / tiles_n * Tile::M, column0 = tile % tiles_n * Tile::N;
  i64 a_at = 0, b_at = 0, c_at = 0, rest = matrix + p.stack_base;
#pragma unroll 1
  for (int d = p.stack_rank - 1; d >= 0; --d) {
    const i64 next = rest / p.stack_shape[d], at = rest - next * p.stack_shape[d];
    a_at += at * p.a_stack[d];
    b_at += at * p.b_stack[d];
    c_at += at * p.c_stack[d];
    rest = next;
  }
  const char* a = p.a + a_at * i64(sizeof(T));
  const char* b = p.b + b_at * i64(sizeof(T));
  char* c = p.c + c_at * i64(sizeof(T));

  S sum[Tile::m][Tile::n] = {};
  tile_loader<T, Tile::M, Tile::K, Tile::threads> next_a(a, row0, p.m, p.a_row, p.a_column,
                                                         p.a_column == 1);
  tile_loader<T, Tile::N, Tile::K, Tile::threads> next_b(b, column0, p.n, p.b_column, p.b_row,
                                                         p.b_column != 1);
  const int ty = int(threadIdx.x) / (Tile::N / Tile::n),
            tx = int(threadIdx.x) % (Tile::N / Tile::n);
  next_a.load(p.k);
  next_b.load(p.k);
  int buffer = 0;
  for (i64 left = p.k; left > 0; left -= Tile::K, buffer ^= 1) {
    next_a.store(a_tile[buffer]);
    next_b.store(b_tile[buffer]);
    __syncthreads();
    if (left > Tile::K) {
      next_a.load(left - Tile::K);
      next_b.load(left - Tile::K);
    }
#pragma unroll
    for (int k = 0; k < Tile::K; ++k) {
      S x[Tile::m], y[Tile::n];
#pragma unroll
      for (int i = 0; i < Tile::m; ++i) {
        x[i] = a_tile[buffer][k][spread<Tile::M, Tile::m, Tile::row_group>(ty, i)];
      }
#pragma unroll
      for (int j = 0; j < Tile::n; ++j) {
        y[j] = b_tile[buffer][k][spread<Tile::N, Tile::n, Tile::column_group>(tx, j)];
      }
#pragma unroll
      for (int i = 0; i < Tile::m; ++i) {
#pragma unroll
        for (int j = 0; j < Tile::n; ++j) sum[i][j] = multiply_add(x[i], y[j], sum[i][j]);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < Tile::m; ++i) {
#pragma unroll
    for (int j = 0; j < Tile::n; ++j) {
      const i64 row = row0 + spread<Tile::M, Tile::m, Tile::row_group>(ty, i);
      const i64 column = column0 + spread<Tile::N, Tile::n, Tile::column_group>(tx, j);
      if (row >= p.m || column >= p.n) continue;
      store_one<T>(c + (row * p.c_row + column * p.c_column) * i64(sizeof(T)),
                   from_product<T>(sum[i][j]));
    }
  }
}

template <class T, class Small, class Medium, class Large>
using by_size = conditional_t<sizeof(product_t<T>) <= 4, Small,
                              conditional_t<sizeof(product_t<T>) <= 8, Medium, Large>>;
template <class T>
using large_tile = by_size<T, tiling<128, 128, 8, 8, 8, 2>, tiling<128, 64, 8, 8, 4, 2>,
                           tiling<64, 64, 8, 4, 4, 1>>;
template <class T>
using small_tile = by_size<T, tiling<32, 32, 16, 2, 2, 5>, tiling<32, 32, 16, 2, 2, 4>,
                           tiling<32, 32, 16, 2, 2, 2>>;

template <class T, class Table> void add_matmul(Table& t) {
  using Large = large_tile<T>;
  using Small = small_tile<T>;
  const int tag = tag_of<T>;
  t.large[tag] = {reinterpret_cast<const void*>(&matmul_tiled<T, Large>), Large::M, Large::N,
                  Large::threads};
  t.small[tag] = {reinterpret_cast<const void*>(&matmul_tiled<T, Small>), Small::M, Small::N,
                  Small::threads};
}

}  // namespace numwarp::kernels
