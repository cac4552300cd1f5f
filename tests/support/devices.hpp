// Test bodies on every device present.
#pragma once

#include <gtest/gtest.h>

#include <numwarp/device.hpp>
#include <optional>
#include <vector>

namespace numwarp_test {

inline std::vector<numwarp::device> devices() {
  std::vector<numwarp::device> list{numwarp::cpu};
  if (numwarp::is_available(numwarp::cuda(0))) list.push_back(numwarp::cuda(0));
  return list;
}

// Calls f() or f(device) with each device as the default one. Late errors of a device are thrown
// inside. Bodies read elements by to_vector, item or asnumpy: data() of a CUDA array is an address
// of the device.
template <class F> void for_each_device(const F& f) {
  for (const numwarp::device d : devices()) {
    SCOPED_TRACE(numwarp::to_string(d));
    const numwarp::device_guard guard(d);
    if constexpr (requires { f(d); }) {
      f(d);
    } else {
      f();
    }
    numwarp::synchronize(d);
  }
}

// Tests of what only a GPU has: cuda:0 is the default device, and late errors are thrown inside.
class on_gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!numwarp::is_available(numwarp::cuda(0))) GTEST_SKIP() << "no GPU";
    guard_.emplace(numwarp::cuda(0));
  }
  void TearDown() override {
    if (guard_) numwarp::synchronize();
  }

 private:
  std::optional<numwarp::device_guard> guard_;
};

}  // namespace numwarp_test
