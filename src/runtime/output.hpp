// Checks of a destination, shared by every function that writes into an array it is given.
#pragma once

#include <numwarp/any_array.hpp>

namespace numwarp::detail {

// Whether b in a[...] = b fits: its shape broadcasts, extra leading axes of length one allowed.
bool assignable(const numwarp::shape& from, const numwarp::shape& to);
// A view of `a` without leading axes of length one beyond `ndim`.
any_array drop_leading(const any_array& a, int ndim);

// Throws value_error for more axes than NumPy has.
void check_rank(const numwarp::shape& s, const char* function);
// Throws value_error for a read-only or null `dst`.
void check_writeable(const any_array& dst, const char* name);
// For out=: writeable, of the result's shape, and of a type the result casts to (same_kind).
void check_output(const any_array& out, const numwarp::shape& shape, dtype result,
                  const char* name);
// For where=: throws type_error unless it is bool.
void check_mask(const any_array& where, const char* name);
// For a[...] = b: writeable, and b's shape broadcasts to it.
void check_assignable(const any_array& dst, const numwarp::shape& source, const char* name);
void require_same_kind(dtype from, dtype to, const char* name);
// Throws type_error where elements of type `from` may not become `to`.
void check_cast(dtype from, dtype to, casting rule, const char* name);

}  // namespace numwarp::detail
