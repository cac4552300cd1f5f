// New arrays and views that several files of the runtime make.
#pragma once

#include <numwarp/detail/call.hpp>

namespace numwarp::detail {

// Uninitialised, with strides that fill the memory without gaps.
any_array empty_with_strides(const numwarp::shape& s, dims strides, dtype t, device d,
                             const char* function);
// The elements a[i, i + offset] of axes axis1 and axis2 as a new last axis; writeable where a is.
any_array diagonal_view(const any_array& a, std::int64_t offset, int axis1, int axis2,
                        const char* function);

double real_value(const scalar& s);
// How many values start, start + step ... lie before stop. value_error for a step of zero.
std::int64_t range_length(const scalar& start, const scalar& stop, const scalar& step,
                          const char* function);

}  // namespace numwarp::detail
