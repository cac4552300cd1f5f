// An array put together from parts of others by one launch.
#pragma once

#include <list>
#include <numwarp/detail/call.hpp>
#include <vector>

#include "plan/copies.hpp"
#include "plan/stretches.hpp"

namespace numwarp::detail {

// Collects copies into parts of one array that nobody else reads or writes meanwhile. The parts do
// not overlap each other or what they are copied from. A few thousand copies are one launch; of
// more, the first ones are launched before the last are known.
class copies {
 public:
  copies(const any_array& to, const char* name);

  // part[...] = from, for a view `part` of the array. Elements of another type are converted by a
  // launch of their own, at once.
  void add(const any_array& part, const any_array& from);
  // The whole array, each axis of which is filled from that axis of `from` as its stretches say.
  void add(const any_array& from, std::span<const std::vector<plan::stretch>> axes);
  void fill(const any_array& part, const scalar& value);

  void launch();

 private:
  void run();
  // A copy between views of one shape; addresses and strides are in bytes.
  struct box {
    numwarp::shape shape;
    plan::view from, to;
  };
  void hold(const any_array& a);
  void push(box b, const plan::program& body);
  plan::view view_of(const any_array& a) const;
  static constexpr std::size_t most_copies = 4096;  // some 3 MB of plans

  void cross(box b, std::span<const std::vector<plan::stretch>> axes, int axis, const box& whole);

  const any_array to_;
  const char* name_;
  plan::program load_;
  std::list<plan::program> constants_;          // a list: plans point to them
  std::vector<std::shared_ptr<storage>> held_;  // what is read
  plan::copies plan_;
};

// A new array that lies in memory as NumPy makes it for a join of these, of the same rank.
any_array empty_joined(const numwarp::shape& s, std::span<const any_array> arrays, dtype t,
                       const char* name);

}  // namespace numwarp::detail
