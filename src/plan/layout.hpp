// Pure functions of shapes and strides (in bytes): contiguity, broadcasting, output order,
// reshaping, overlap. No device, no memory. Errors name `function`.
#pragma once

#include <cstdint>
#include <numwarp/any_array.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace numwarp::plan {

// "(3,4)", "(5,)": a shape as it stands in NumPy's messages.
std::string compact(const dims& shape);

// Product of the extents; throws value_error when it (or any partial product) exceeds int64.
// Negative extents throw value_error "negative dimensions are not allowed".
std::int64_t checked_size(const dims& shape, const char* function);
// checked_size times itemsize, checked.
std::int64_t checked_bytes(const dims& shape, int itemsize, const char* function);
// Product of extents of a shape known to be good.
inline std::int64_t size(const dims& shape) {
  std::int64_t n = 1;
  for (std::int64_t d : shape) n *= d;
  return n;
}

dims c_strides(const dims& shape, int itemsize);
dims f_strides(const dims& shape, int itemsize);
bool is_c_contiguous(const dims& shape, const dims& strides, int itemsize);
bool is_f_contiguous(const dims& shape, const dims& strides, int itemsize);

// The lowest and one past the highest byte that the elements touch, relative to the offset.
struct byte_range {
  std::int64_t low, high;
};
byte_range extent(const dims& shape, const dims& strides, int itemsize);
// True for elements that fill their byte range exactly once: a permutation of contiguous.
bool is_dense(const dims& shape, const dims& strides, int itemsize);

// NumPy's broadcasting of all shapes. Throws value_error in NumPy's words.
shape broadcast_shapes(std::span<const dims* const> shapes, const char* function);
// Strides of `from` seen as `to`: zero along the broadcast axes. `from` must broadcast to `to`.
dims broadcast_strides(const dims& from, const dims& strides, const dims& to);

// Strides of a new dense array of `shape` whose axes lie in memory in the order of the operands'
// strides (order K); each operand's strides are those of its view broadcast to `shape`.
dims k_order_strides(const dims& shape, std::span<const dims* const> operands, int itemsize);
// Strides of a new dense array of `shape` in order `o` of an array that lies as `like`: K sorts the
// axes by their strides where there are as many, A is F order for what is in F order only.
dims like_strides(order o, const detail::layout& like, const dims& shape, int itemsize);

// Axis `axis` of `ndim` in 0..ndim-1; throws axis_error in NumPy's words.
int normalize_axis(std::int64_t axis, int ndim, const char* function);
// All of them; throws value_error, in the words `repeated`, for one that is given twice.
dims normalize_axes(const axes& a, int ndim, const char* function,
                    const char* repeated = "duplicate value in 'axis'");

// The strides of `to` over the same elements without a copy, or nothing where that takes a copy.
std::optional<dims> reshape_strides(const dims& shape, const dims& strides, const dims& to,
                                    int itemsize);
// Fills in one -1. Throws value_error in NumPy's words when the sizes differ.
shape resolve_reshape(const dims& from, const dims& to);

// Two views of one buffer.
struct region {
  const dims* shape;
  const dims* strides;
  std::int64_t offset;
  int itemsize;
};
// False only where no byte is shared; true for pairs of which this is too long to find out, which
// takes views of different, interlocking grids.
bool may_overlap(const region& a, const region& b);
// True where element i of both is the same memory for every i.
bool same_elements(const region& a, const region& b);
// True where two different indices reach the same memory (a broadcast or overlapping view).
bool overlaps_itself(const dims& shape, const dims& strides, int itemsize);

}  // namespace numwarp::plan
