// A statement that finds no memory for its work has stored nothing: its input, whose buffer it was
// lent, still holds its elements, and it can be tried again.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <numwarp/numwarp.hpp>

namespace {

// How many allocations may still succeed; negative: all.
std::atomic<long> left{-1};

bool refuse() { return left.load() >= 0 && left.fetch_sub(1) <= 0 && (left = 0, true); }

}  // namespace

// All of the program's, in every thread.
[[gnu::noinline]] void* operator new(std::size_t n) {
  void* p = refuse() ? nullptr : std::malloc(n ? n : 1);
  if (!p) throw std::bad_alloc();
  return p;
}
[[gnu::noinline]] void* operator new[](std::size_t n) { return ::operator new(n); }
[[gnu::noinline]] void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return refuse() ? nullptr : std::malloc(n ? n : 1);
}
[[gnu::noinline]] void* operator new[](std::size_t n, const std::nothrow_t& t) noexcept {
  return ::operator new(n, t);
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace nw = numwarp;

namespace {

// How many allocations launching `p` makes before it succeeds, each refused once.
template <class Array> int launch_with_failures(const Array& p) {
  for (int n = 0;; ++n) {
    left = n;
    try {
      p.compute();
      left = -1;
      return n;
    } catch (const std::bad_alloc&) {
      left = -1;
    } catch (const nw::out_of_memory&) {
      left = -1;
    }
    EXPECT_TRUE(p.is_pending());
  }
}

class work_memory : public ::testing::TestWithParam<int> {
 protected:
  const nw::device_guard on_cpu{nw::cpu};
  int before = nw::get_num_threads();
  void SetUp() override {
    nw::set_num_threads(GetParam());
    (nw::ones<float>(1 << 20) * 2 + 1).compute();  // starts the threads
  }
  void TearDown() override { nw::set_num_threads(before); }
};
INSTANTIATE_TEST_SUITE_P(threads, work_memory, ::testing::Values(1, 4));

TEST_P(work_memory, is_there_before_a_lent_buffer_is_written) {
  // On one thread and on several; still fewer elements need no memory from outside.
  for (const std::int64_t n : {5000, 1 << 18}) {
    auto x = (nw::arange<float>(n) + 1).compute();
    const auto* buffer = x.data();
    auto p = nw::sqrt(std::move(x) * 2 + 1);
    EXPECT_GT(launch_with_failures(p), 0);
    EXPECT_EQ(p.data(), buffer) << "the buffer was lent";
    const auto want = nw::sqrt((nw::arange<float>(n) + 1) * 2 + 1);
    EXPECT_TRUE(nw::all(p == want).item());
  }
}

TEST_P(work_memory, is_there_before_a_converted_result_is_stored) {
  const std::int64_t n = 1 << 18;
  auto x = (nw::arange<nw::int32>(n)).compute();
  auto p = (std::move(x) * 2.5 + 1).astype<float>();
  EXPECT_GT(launch_with_failures(p), 0);
  EXPECT_TRUE(nw::all(p == nw::arange<nw::int32>(n) * 2.5 + 1).item());
}

}  // namespace
