// What the modes of pad share.
#pragma once

#include <numwarp/error.hpp>
#include <numwarp/padding.hpp>
#include <string>

namespace numwarp::detail {

// One pair of values for each axis. Throws value_error for a list of another length.
template <class V>
std::vector<std::pair<V, V>> ends_of_axes(const for_ends<V>& given, int ndim, const char* name) {
  const auto& pairs = given.pairs();
  if (pairs.size() == 1) return std::vector<std::pair<V, V>>(std::size_t(ndim), pairs[0]);
  if (int(pairs.size()) == ndim) return pairs;
  throw value_error(std::string(name) +
                    ": operands could not be broadcast together with remapped shapes "
                    "[original->remapped]: (" +
                    std::to_string(pairs.size()) + ",2) and requested shape (" +
                    std::to_string(ndim) + ",2)");
}

// An array in the middle of a larger one, whose margins are filled axis by axis.
struct padded {
  any_array to, middle, from;
  std::vector<std::pair<std::int64_t, std::int64_t>> width;

  // Where the array lies along an axis.
  slice inside(int axis) const {
    return slice(width[std::size_t(axis)].first,
                 to.shape()[axis] - width[std::size_t(axis)].second);
  }
  // What is there when the margins of the axes before `axis` are: those axes whole, the later ones
  // inside.
  any_array region(int axis) const;
  // The margins of an axis in its region.
  any_array before(int axis) const;
  any_array after(int axis) const;
};

// Fills the margins by a mode that computes, from what is inside.
void compute_margin(const padded& p, std::string_view mode, const pad_options& o);

}  // namespace numwarp::detail
