// The places of true elements.
#pragma once

#include <numwarp/any_array.hpp>
#include <vector>

namespace numwarp::runtime {
struct true_places;
}

namespace numwarp::detail {

// a itself where it is C-contiguous, else a copy; computed.
any_array c_contiguous(const any_array& a);
const bool* mask_bytes(const any_array& mask);
// How many elements of a C-contiguous mask are true, and where; waits.
runtime::true_places find_true(const any_array& mask);
// Their linear indices, in order, as int64.
any_array true_indices(const any_array& mask, const runtime::true_places& places,
                       const char* function);
// Their coordinates: an array of int64 for each axis. Of a 0-d mask, none; waits.
std::vector<any_array> true_coordinates(const any_array& mask, const char* function);
// The coordinates, each of int64, of the elements with these numbers in an array of that shape
// whose elements are counted in order o (C or F). The numbers are known to be inside; one launch.
std::vector<any_array> unravel(const any_array& numbers, const numwarp::shape& extents, order o,
                               const char* function);

}  // namespace numwarp::detail
