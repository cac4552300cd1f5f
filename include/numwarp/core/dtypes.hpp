// The run-time tags of the element types, and what a kernel must know of each.
#pragma once

#include <numwarp/core/scalar.hpp>

namespace numwarp {

enum class dtype : unsigned char {
#define NW_DTYPE(tag, type, name, kind, npy) tag,
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
};

inline constexpr int dtype_count = 0
#define NW_DTYPE(tag, type, name, kind, npy) +1
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
    ;

namespace core {

// Not inside the functions, where compilers build them on the stack at every call.
inline constexpr unsigned char dtype_sizes[] = {
#define NW_DTYPE(tag, type, name, kind, npy) sizeof(type),
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
};
inline constexpr char dtype_kinds[] = {
#define NW_DTYPE(tag, type, name, kind, npy) #kind[0],
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
};

}  // namespace core

// Bytes of one element.
constexpr int itemsize(dtype t) { return core::dtype_sizes[int(t)]; }

// 'b' bool, 'i' signed, 'u' unsigned, 'f' floating, 'c' complex.
constexpr char kind(dtype t) { return core::dtype_kinds[int(t)]; }

namespace core {

// tag_of<T>: the tag of a core type, or -1. type_at<int(tag)>: the core type of a tag.
template <class T> inline constexpr int tag_of = -1;
template <int Tag> struct type_at_impl;
#define NW_DTYPE(tag, type_, name, kind, npy)                                \
  template <> inline constexpr int tag_of<type_> = int(numwarp::dtype::tag); \
  template <> struct type_at_impl<int(numwarp::dtype::tag)> { using type = type_; };
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
template <int Tag> using type_at = typename type_at_impl<Tag>::type;

}  // namespace core
}  // namespace numwarp
