// The bits of nw::random do not depend on threads, devices, streams or vectors.
#include <numwarp/core/random.hpp>
#include <numwarp/stream.hpp>
#include <thread>

#include "support/arrays.hpp"
#include "support/devices.hpp"

namespace nw = numwarp;
namespace core_random = numwarp::core::random;
using namespace numwarp::testing;
using numwarp_test::for_each_device;
using nw::random::default_rng;
using nw::random::generator;

namespace {

// Long enough for several threads; it starts and ends inside a block.
constexpr std::int64_t n = 300001;

// One draw of every kind of kernel, after one word.
std::vector<golden_array> draws(generator g) {
  g.random<float>();
  return {to_golden(g.uniform<float>(-3, 7, n).untyped()),
          to_golden(g.uniform<double>(-3, 7, n).untyped()),
          to_golden(g.normal<float>(1, 3, n).untyped()),
          to_golden(g.normal<double>(1, 3, n).untyped()),
          to_golden(g.integers<nw::int8>(-100, 100, n).untyped()),
          to_golden(g.integers<nw::uint16>(0, 50001, n).untyped()),
          to_golden(g.integers<nw::uint32>(0, 3u << 30, n).untyped()),
          to_golden(g.integers<nw::int64>(-5, 3l << 30, n).untyped()),
          to_golden(g.integers<nw::int64>(INT64_MIN, 1l << 62, n).untyped())};
}

void expect_equal(const std::vector<golden_array>& got, const std::vector<golden_array>& want) {
  for (std::size_t i = 0; i < want.size(); ++i) EXPECT_TRUE(equal(got[i], want[i])) << i;
}

TEST(random_threads, their_number_changes_nothing) {
  const nw::device_guard guard(nw::cpu);
  const int before = nw::get_num_threads();
  nw::set_num_threads(1);
  const auto alone = draws(default_rng(1));
  for (const int threads : {2, 3, 8}) {
    nw::set_num_threads(threads);
    expect_equal(draws(default_rng(1)), alone);
  }
  nw::set_num_threads(before);
}

TEST(random_threads, draw_at_the_same_time) {
  for_each_device([](nw::device d) {
    auto parent = default_rng(2);
    const auto children = parent.spawn(4);
    std::vector<std::vector<golden_array>> got(children.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < children.size(); ++i) {
      threads.emplace_back([&, i] {
        const nw::device_guard guard(d);
        const nw::stream stream;
        const nw::stream_guard on(stream);
        got[i] = draws(children[i]);
      });
    }
    for (auto& t : threads) t.join();
    for (std::size_t i = 0; i < children.size(); ++i) expect_equal(got[i], draws(children[i]));
  });
}

TEST(random_threads, all_devices_give_the_same_bits) {
  std::vector<golden_array> first;
  for_each_device([&] {
    const auto got = draws(default_rng(3));
    if (first.empty()) first = got;
    expect_equal(got, first);
  });
}

// The formulas one element after the other, as this file's compiler makes them.
template <class D> std::vector<typename D::type> plain(const core_random::draw& d) {
  std::vector<typename D::type> out;
  for (std::uint64_t k = 0; out.size() < std::size_t(n); ++k) {
    typename D::type e[D::size] = {};
    core_random::draw_block<D>(d, k, e);
    out.insert(out.end(), e, e + D::size);
  }
  out.resize(std::size_t(n));
  return out;
}

TEST(random_threads, vectors_give_the_bits_of_single_elements) {
  for_each_device([] {
    core_random::draw d{};
    d.seed = 4;
    d.real[1] = 1;
    EXPECT_TRUE(plain<core_random::normal<float>>(d) ==
                default_rng(4).standard_normal<float>(n).to_vector());
    EXPECT_TRUE(plain<core_random::normal<double>>(d) ==
                default_rng(4).standard_normal<double>(n).to_vector());
    d.real[2] = 1 - 0x1p-53;
    EXPECT_TRUE(plain<core_random::uniform<double>>(d) == default_rng(4).random(n).to_vector());
    d.count = 3ul << 30;
    d.refuse = 1ul << 30;
    EXPECT_TRUE((plain<core_random::integers<nw::uint32, nw::uint32>>(d)) ==
                default_rng(4).integers<nw::uint32>(3u << 30, {n}).to_vector());
    d.count = 3ul << 62;
    d.refuse = 1ul << 62;
    EXPECT_TRUE((plain<core_random::integers<nw::uint64, nw::uint64>>(d)) ==
                default_rng(4).integers<nw::uint64>(3ul << 62, {n}).to_vector());
  });
}

// Of every machine and compiler: hashes (FNV-1a) of all draws.
TEST(random_threads, bits_stay) {
  const auto hash = [](const std::string& bytes) {
    std::uint64_t h = 0xcbf29ce484222325u;
    for (const char c : bytes)
      h = (h ^ std::uint64_t(static_cast<unsigned char>(c))) * 0x100000001b3u;
    return h;
  };
  const std::uint64_t want[] = {0x862c899f7725ca29, 0xd04c5625a12e5e0e, 0xd7759c44d772a60a,
                                0xa43ed3a0b4899a6e, 0x9a3f55c2476d5739, 0x36d018d1531b5c4c,
                                0x750c8f115d8d6ccf, 0xeba9f265f10bfaa0, 0x268edfbc833496e0};
  for_each_device([&] {
    const auto got = draws(default_rng(5));
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(hash(got[i].bytes), want[i]) << i;
  });
}

}  // namespace
