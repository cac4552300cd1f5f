// Files: NumPy's .npy format
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html).
//
// Every function waits for what it writes or has read. Throws io_error for what the operating
// system refuses, value_error for a file that is no .npy file, holds too little or has an
// unsupported type.
#pragma once

#include <numwarp/ndarray.hpp>
#include <string>

namespace numwarp {

// Writes what numpy.save writes; ".npy" is appended to a name that lacks it, as there. The file
// appears when it is complete: where saving fails, an old file of the name is left as it was.
// bfloat16 is written as '<V2', as other libraries write it. Throws value_error for a null array.
void save(const std::string& path, const any_array& a);
template <element T> void save(const std::string& path, const ndarray<T>& a) {
  save(path, a.untyped());
}

// The array in a .npy file of version 1 to 3 and either byte order, in the order, C or Fortran,
// that it has in the file. Memory is asked for only when the file is long enough.
any_array load_any(const std::string& path, device d = default_device());

namespace detail {
any_array load(const std::string& path, dtype expected, device d);
}

// The same for a known type. Throws type_error, before anything is read, for a file of another
// type.
template <element T> ndarray<T> load(const std::string& path, device d = default_device()) {
  return ndarray<T>::from_any_unchecked(detail::load(path, dtype_of<T>, d));
}

}  // namespace numwarp
