// Which axes a reduction keeps, and what follows for shapes and strides.
#pragma once

#include <numwarp/shape.hpp>
#include <vector>

namespace numwarp::plan {

struct reduced_axes {
  std::vector<bool> reduced;  // each axis
  dims kept_shape, reduced_shape;
  shape out_shape;
  bool keepdims = false;

  reduced_axes() = default;
  // `axes` are normalized; none means all.
  reduced_axes(const dims& shape, const axes& given, const dims& axes, bool keep)
      : reduced(std::size_t(shape.size()), !given.given()), keepdims(keep) {
    for (std::int64_t i : axes) reduced[std::size_t(i)] = true;
    for (int i = 0; i < shape.size(); ++i) {
      const bool r = reduced[std::size_t(i)];
      (r ? reduced_shape : kept_shape).push_back(shape[i]);
      if (!r || keepdims) out_shape.push_back(r ? 1 : shape[i]);
    }
  }

  // A list of all axes: the kept ones first, then the reduced ones.
  dims arrange(const dims& list) const {
    dims out;
    for (const bool r : {false, true}) {
      for (int i = 0; i < list.size(); ++i) {
        if (reduced[std::size_t(i)] == r) out.push_back(list[i]);
      }
    }
    return out;
  }
  // Of a list of the result's axes, those that are kept.
  dims kept_of_result(const dims& list) const {
    dims out;
    for (int i = 0, k = 0; i < int(reduced.size()); ++i) {
      if (!reduced[std::size_t(i)]) out.push_back(list[k]);
      k += !reduced[std::size_t(i)] || keepdims;
    }
    return out;
  }
};

}  // namespace numwarp::plan
