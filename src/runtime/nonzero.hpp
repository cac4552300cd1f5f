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
// linear = the index of the element at the coordinates of a C-ordered array of that shape.
std::vector<any_array> unravel(const any_array& linear, const numwarp::shape& shape);

}  // namespace numwarp::detail
