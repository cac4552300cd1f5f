// Draws that begin far into a stream, where the number of a block passes 2^32: the words of many
// blocks are made side by side, and must be those of each block alone.
#include <gtest/gtest.h>

#include <numwarp/numwarp.hpp>
#include <vector>

#include "plan/random.hpp"
#include "runtime/backend.hpp"
#include "runtime/launch_scope.hpp"
#include "support/devices.hpp"

namespace nw = numwarp;
namespace core_random = numwarp::core::random;

namespace {

constexpr std::int64_t n = 1001;

template <core_random::code C> void check(std::uint64_t first) {
  using D = core_random::distribution<C>;
  using T = typename D::type;
  core_random::draw d{};
  d.n = n;
  d.first = first;
  d.seed = 0x123456789abcdefu;
  d.real[1] = 1;
  d.real[2] = 1 - 0x1p-24;
  d.count = 1000;
  const auto to = nw::empty<T>(n);
  d.out = to.mutable_data();
  {
    const numwarp::runtime::launch_scope scope(nw::default_device());
    numwarp::runtime::backend_for(nw::default_device())
        .launch(numwarp::plan::random{"random", C, d});
  }
  nw::synchronize();
  const auto got = nw::asnumpy(to).to_vector();
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t at = first + std::uint64_t(i);
    T e[D::size] = {};
    core_random::draw_block<D>(d, at / D::size, e);
    ASSERT_EQ(got[std::size_t(i)], e[at % D::size]) << "element " << at;
  }
}

TEST(random_places, are_those_of_each_block) {
  numwarp_test::for_each_device([] {
    for (const std::uint64_t block : {std::uint64_t(0), (std::uint64_t(1) << 32) - 100,
                                      (std::uint64_t(1) << 32) - 8, std::uint64_t(1) << 40}) {
      for (const std::uint64_t more : {0, 1, 3}) {
        check<core_random::code::uniform32>(block * 4 + more);
        check<core_random::code::uniform64>(block * 2 + more);
        check<core_random::code::normal64>(block * 2 + more);
        check<core_random::code::integers32>(block * 4 + more);
      }
    }
  });
}

}  // namespace
