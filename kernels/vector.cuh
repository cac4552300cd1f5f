// Short vectors in registers, moved by as few memory instructions as their size allows.
#pragma once

#include <numwarp/core/cast.hpp>
#include <numwarp/core/layout.hpp>

#define NW_DEVICE __device__ __forceinline__

namespace numwarp::kernels {

using namespace numwarp::core;

template <class T, int V> struct vec { T e[V]; };

// The words that move 1 to 16 bytes at once. A struct of small members would be moved member by
// member.
template <int Bytes> struct word;
template <> struct word<1> { using type = u8; };
template <> struct word<2> { using type = u16; };
template <> struct word<4> { using type = u32; };
template <> struct word<8> { using type = uint2; };
template <> struct word<16> { using type = uint4; };
template <int Bytes>
requires(Bytes > 16) struct word<Bytes> {
  struct type {
    uint4 w[Bytes / 16];
  };
};
template <int Bytes> using word_of = typename word<Bytes>::type;

template <class T, int V> NW_DEVICE vec<T, V> load_vector(const char* at) {
  using W = word_of<int(sizeof(T)) * V>;
  return __builtin_bit_cast(vec<T, V>, *reinterpret_cast<const W*>(at));
}
template <class T, int V> NW_DEVICE void store_vector(char* at, const vec<T, V>& x) {
  using W = word_of<int(sizeof(T)) * V>;
  *reinterpret_cast<W*>(at) = __builtin_bit_cast(W, x);
}

template <class T> NW_DEVICE T load_one(const char* at) { return load_vector<T, 1>(at).e[0]; }
template <class T> NW_DEVICE void store_one(char* at, T x) { store_vector<T, 1>(at, {{x}}); }

// 16 bytes without a meaning, for copies.
struct bytes16 {
  u64 low, high;
};

// The value of a constant that lies in the parameters.
template <class T> NW_DEVICE T immediate_value(const void* at) {
  if constexpr (sizeof(T) <= 8) {
    return __builtin_bit_cast(vec<T, 8 / sizeof(T)>, *static_cast<const u64*>(at)).e[0];
  } else {
    const u64* w = static_cast<const u64*>(at);
    return __builtin_bit_cast(T, bytes16{w[0], w[1]});
  }
}

// Any type at an address whose dtype is known at run time only. Not inlined: fifteen conversions at
// every load would be most of a kernel.
template <class T> __device__ __noinline__ T load_as(const char* at, i32 tag) {
  switch (tag) {
#define NW_DTYPE(name_, type_, name, kind, npy) \
  case int(dtype::name_):                       \
    return cast<T>(load_one<type_>(at));
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
  return T{};
}
template <class T> __device__ __noinline__ void store_as(char* at, i32 tag, T x) {
  switch (tag) {
#define NW_DTYPE(name_, type_, name, kind, npy) \
  case int(dtype::name_):                       \
    return store_one<type_>(at, cast<type_>(x));
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
}

// The first error of a stream wins; the host reads the record after the kernel has ended.
NW_DEVICE void report_error(error_record* r, u64 where, error_code code, i64 value) {
  if (!r || atomicCAS(&r->code, 0u, u32(code)) != 0) return;
  r->where = where;
  r->value = value;
}

}  // namespace numwarp::kernels
