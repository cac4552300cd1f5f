// How arrays are printed: NumPy's options, NumPy's str() and repr() of arrays and of host memory.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <numwarp/any_array.hpp>
#include <numwarp/detail/host_view.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace numwarp {

// NumPy's print options and their defaults. Widths and precisions count characters.
struct printoptions {
  int precision = 8;              // digits after the point; see floatmode
  std::int64_t threshold = 1000;  // arrays of more elements are summarised
  int edgeitems = 3;              // elements kept at each end of an axis of a summarised array
  int linewidth = 75;
  bool suppress = false;  // no exponents for the sake of small values
  std::string nanstr = "nan";
  std::string infstr = "inf";
  char sign = '-';                    // '-': negative only, '+': always, ' ': a space if positive
  std::string floatmode = "maxprec";  // "fixed", "unique", "maxprec" or "maxprec_equal"
};

// Replaces the options of the whole process, all of them: to change one, start from
// get_printoptions(). Throws value_error for a negative precision or edgeitems and for an unknown
// sign or floatmode. Thread-safe.
void set_printoptions(const printoptions& options);

// The options now in force. Thread-safe.
printoptions get_printoptions();

// NumPy's str(a) and repr(a) under the options in force. The array is computed and waited for; of a
// summarised one only the corners leave their device. Throws value_error for a null array.
std::string to_string(const any_array& a);
std::string repr(const any_array& a);

// Writes to_string(a), whatever the width and flags of `out`.
std::ostream& operator<<(std::ostream& out, const any_array& a);

// The typed forms, which argument-dependent lookup finds too.
namespace arrays {

template <class T> class ndarray;

template <class T> std::string to_string(const ndarray<T>& a) {
  return numwarp::to_string(a.untyped());
}
template <class T> std::string repr(const ndarray<T>& a) { return numwarp::repr(a.untyped()); }
template <class T> std::ostream& operator<<(std::ostream& out, const ndarray<T>& a) {
  return out << a.untyped();
}

}  // namespace arrays
using arrays::repr;
using arrays::to_string;

namespace detail {

// Throws value_error in the name of `function` for options that set_printoptions refuses.
void check_printoptions(const printoptions& options, std::string_view function);

// NumPy's str(a) and repr(a). Of a summarised array only the corners are read, except that, as in
// NumPy, edgeitems == 0 reads all of it. Throw what check_printoptions throws.
std::string format_str(const host_view& view, const printoptions& options);
std::string format_repr(const host_view& view, const printoptions& options);

// The same for an array of the given shape of which `corners` holds only what printing reads, in
// an array of corner_shape(shape, options). It spares a large array on a device the way to the
// host.
std::string format_str(const host_view& corners, std::span<const std::int64_t> shape,
                       const printoptions& options);
std::string format_repr(const host_view& corners, std::span<const std::int64_t> shape,
                        const printoptions& options);

// The extents of what printing reads: of each axis of a summarised array that is longer than
// 2 * edgeitems its first and last edgeitems elements, otherwise all of the axis.
std::vector<std::int64_t> corner_shape(std::span<const std::int64_t> shape,
                                       const printoptions& options);

// NumPy's str() of a scalar, which no option changes: float32 1/3 gives "0.33333334".
std::string format_scalar(dtype type, const void* value);

}  // namespace detail
}  // namespace numwarp
