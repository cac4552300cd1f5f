// Element types as users see them: NumPy's names, and the mapping between tags and C++ types.
#pragma once

#include <complex>
#include <cstdint>
#include <numwarp/core/dtypes.hpp>
#include <string_view>

namespace numwarp {

using int8 = std::int8_t;
using int16 = std::int16_t;
using int32 = std::int32_t;
using int64 = std::int64_t;
using uint8 = std::uint8_t;
using uint16 = std::uint16_t;
using uint32 = std::uint32_t;
using uint64 = std::uint64_t;
using float32 = float;
using float64 = double;
using complex64 = std::complex<float>;
using complex128 = std::complex<double>;

// NumPy's name of the type: "float32".
constexpr std::string_view name(dtype t) {
  constexpr std::string_view table[] = {
#define NW_DTYPE(tag, type, name, kind, npy) name,
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  };
  return table[int(t)];
}

namespace detail {

template <class T> struct core_type { using type = T; };
template <class T> struct core_type<std::complex<T>> { using type = core::complex<T>; };
template <class T> struct public_type { using type = T; };
template <class T> struct public_type<core::complex<T>> { using type = std::complex<T>; };

}  // namespace detail

// The types an ndarray can hold: bool, std::int8_t to std::int64_t, std::uint8_t to std::uint64_t,
// float16, bfloat16, float, double, std::complex<float>, std::complex<double>.
template <class T>
concept element = core::tag_of<typename detail::core_type<T>::type>
>= 0;

// The tag of a C++ type.
template <element T>
inline constexpr dtype dtype_of = dtype(core::tag_of<typename detail::core_type<T>::type>);

// The C++ type of a tag; complex numbers are std::complex.
template <dtype D> using type_of = typename detail::public_type<core::type_at<int(D)>>::type;

}  // namespace numwarp
