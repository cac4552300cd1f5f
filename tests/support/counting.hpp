// How many launches and allocations something takes.
#pragma once

#include <numwarp/profiling.hpp>

namespace numwarp::testing {

template <class F> std::int64_t launches(const F& f) {
  const std::int64_t before = launch_count();
  f();
  return launch_count() - before;
}

template <class F> std::int64_t allocations(const F& f) {
  const std::int64_t before = allocation_count();
  f();
  return allocation_count() - before;
}

}  // namespace numwarp::testing
