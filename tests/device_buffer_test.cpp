// Device memory as bytes, and what a device says of itself.
#include <gtest/gtest.h>

#include <cstdint>
#include <numwarp/device_buffer.hpp>
#include <numwarp/memory.hpp>
#include <numwarp/numwarp.hpp>
#include <string>
#include <vector>

#include "support/devices.hpp"
#include "support/errors.hpp"

namespace nw = numwarp;
using numwarp::testing::text_of;
using numwarp_test::for_each_device;

namespace {

TEST(DeviceBuffer, CopiesToAndFromTheHost) {
  for_each_device([](nw::device d) {
    const nw::device_buffer b(40);
    EXPECT_EQ(b.size(), 40);
    EXPECT_EQ(b.device(), d);
    std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, back(10);
    b.copy_from_host(values.data(), 40);
    b.copy_to_host(back.data(), 40);
    EXPECT_EQ(back, values);
    b.copy_from_host(values.data(), 8, {.offset = 12});
    b.copy_to_host(back.data(), 12, {.offset = 8});
    EXPECT_EQ(back[0], 3);
    EXPECT_EQ(back[1], 1);
    EXPECT_EQ(back[2], 2);
  });
}

TEST(DeviceBuffer, IsSharedByArraysOverIt) {
  for_each_device([] {
    const nw::device_buffer b(64), c(32);
    b.fill(0);
    const auto a = b.as<std::int32_t>({2, 3}, 16);
    a(nw::ellipsis) = 7;
    const auto all = b.as<std::int32_t>(16);
    EXPECT_EQ(all.to_vector(),
              (std::vector<std::int32_t>{0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0}));
    c.copy_from(b, 32);
    EXPECT_EQ(c.as<std::int32_t>(8).sum().item(), 28);
    const auto later = all + 1;  // pending: sees what was there at its call
    std::int32_t nine = 9;
    b.copy_from_host(&nine, 4);
    EXPECT_EQ(later.to_vector()[0], 1);
    EXPECT_EQ(all.to_vector()[0], 9);
  });
}

TEST(DeviceBuffer, CopiesOnAStream) {
  for_each_device([](nw::device d) {
    const std::int64_t n = 4 << 20;
    const nw::stream s(d), t(d);
    const nw::device_buffer b(n), c(n);
    const auto from = nw::empty_pinned<std::uint8_t>(n), to = nw::empty_pinned<std::uint8_t>(n);
    from.fill(7);
    to.fill(0);
    std::uint8_t* const target = to.mutable_data();
    b.copy_from_host(from.data(), n, {.stream = s, .blocking = false});
    c.copy_from(b, n, {.stream = t});  // after the upload, by itself
    c.memset(9, 16, {.offset = 32, .stream = s});
    c.copy_to_host(target, n, {.stream = t, .blocking = false});
    t.synchronize();
    s.synchronize();
    EXPECT_EQ(target[31], 7);
    EXPECT_EQ(target[32], 9);
    EXPECT_EQ(target[47], 9);
    EXPECT_EQ(target[48], 7);
    EXPECT_EQ(target[n - 1], 7);
    if (d.is_cpu()) return;
    EXPECT_THROW(b.memset(1, 1, {.stream = nw::stream(nw::cpu)}), nw::device_error);
  });
}

TEST(DeviceBuffer, CopiesToBuffersAndWithinItself) {
  for_each_device([] {
    const nw::device_buffer b(16), c(4);
    const std::vector<std::uint8_t> values{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    b.copy_from_host(values.data(), 16);
    b.copy_to(c, 4, {.offset = 6});
    EXPECT_EQ(c.bytes().to_vector(), (std::vector<std::uint8_t>{6, 7, 8, 9}));
    b.copy_from(b, 12, {.offset = 2});  // the ranges overlap
    EXPECT_EQ(b.bytes().to_vector(),
              (std::vector<std::uint8_t>{0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15}));
    EXPECT_EQ(text_of<nw::index_error>([&] { b.copy_to(c, 5); }),
              "copy_to: 5 bytes at offset 0 of a buffer of 4");
    EXPECT_THROW(b.copy_to(b, 4, {.offset = 13}), nw::index_error);
    EXPECT_THROW(b.memset(0, 17), nw::index_error);
  });
}

TEST(DeviceBuffer, RefusesRangesThatDoNotLieInIt) {
  for_each_device([] {
    const nw::device_buffer b(16);
    b.fill(5);
    char host[32] = {};
    EXPECT_EQ(text_of<nw::index_error>([&] { b.copy_from_host(host, 17); }),
              "copy_from_host: 17 bytes at offset 0 of a buffer of 16");
    EXPECT_EQ(text_of<nw::index_error>([&] { b.copy_to_host(host, 4, {.offset = 13}); }),
              "copy_to_host: 4 bytes at offset 13 of a buffer of 16");
    EXPECT_EQ(text_of<nw::index_error>([&] { b.copy_to_host(host, -1); }),
              "copy_to_host: -1 bytes at offset 0 of a buffer of 16");
    EXPECT_THROW(b.copy_from(nw::device_buffer(8), 9), nw::index_error);
    EXPECT_THROW(b.as<float>(5), nw::index_error);
    EXPECT_EQ(text_of<nw::value_error>([&] { b.as<double>(1, 4); }),
              "as: offset 4 is no multiple of float64's 8 bytes");
    EXPECT_THROW(nw::device_buffer(-1), nw::value_error);
    EXPECT_EQ(b.bytes().to_vector(), std::vector<std::uint8_t>(16, 5));
  });
}

TEST(DeviceProperties, SayWhatIsThere) {
  EXPECT_EQ(nw::device_count() > 0, nw::is_available(nw::cuda(0)));
  for_each_device([](nw::device d) {
    const nw::device_properties p = nw::get_device_properties();
    const nw::memory_info m = nw::get_memory_info();
    EXPECT_FALSE(p.name.empty());
    EXPECT_GT(p.multiprocessors, 0);
    EXPECT_GT(m.total, 0);
    EXPECT_GE(m.total, m.free);
    if (d.is_cpu()) return;
    EXPECT_GE(p.major * 10 + p.minor, 75);
    EXPECT_EQ(p.warp_size, 32);
    EXPECT_EQ(p.max_threads_per_block, 1024);
    EXPECT_GE(p.most_shared_memory, p.shared_memory_per_block);
  });
  EXPECT_THROW(nw::get_device_properties(nw::cuda(63)), nw::device_error);
  EXPECT_THROW(nw::get_memory_info(nw::cuda(63)), nw::device_error);
}

}  // namespace
