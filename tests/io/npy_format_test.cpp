#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numwarp/error.hpp>
#include <sstream>

#include "golden_file.hpp"
#include "io/npy_testing.hpp"

namespace {

using namespace npy_testing;
using numwarp::testing::golden_bytes;

static_assert(std::endian::native == std::endian::little, "the golden bytes are little-endian");

std::vector<dtype> all_types() {
  std::vector<dtype> types(numwarp::dtype_count);
  for (int i = 0; i < numwarp::dtype_count; ++i) types[std::size_t(i)] = dtype(i);
  return types;
}

// C order to the Fortran order of a (2, 3) array.
std::string transposed(const std::string& c_order, int itemsize) {
  const auto size = std::size_t(itemsize);
  std::string out;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 2; ++row)
      out += c_order.substr(std::size_t(row * 3 + column) * size, size);
  return out;
}

TEST(NpyRead, EveryTypeByteOrderAndElementOrder) {
  for (const dtype type : all_types()) {
    for (const bool big : {false, true}) {
      if (big && (numwarp::itemsize(type) == 1 || type == dtype::bfloat16)) continue;
      for (const bool fortran : {false, true}) {
        const std::string name = std::string(numwarp::name(type)) + (big ? "_big" : "_little") +
                                 (fortran ? "_f" : "_c") + ".npy";
        SCOPED_TRACE(name);
        const loaded file = read(golden_bytes("npy/" + name));
        EXPECT_EQ(file.header.type, type);
        EXPECT_EQ(file.header.shape, (shape{2, 3}));
        EXPECT_EQ(file.header.fortran_order, fortran);
        EXPECT_EQ(file.header.swapped, big);
        EXPECT_EQ(file.header.count, 6);
        const std::string expected = pattern(type, 6);
        EXPECT_EQ(file.data, fortran ? transposed(expected, numwarp::itemsize(type)) : expected);
      }
    }
  }
}

TEST(NpyRead, ScalarsAndEmptyArrays) {
  for (const dtype type : all_types()) {
    const std::string name = "npy/" + std::string(numwarp::name(type));
    const loaded scalar = read(golden_bytes(name + "_0d.npy"));
    EXPECT_EQ(scalar.header.type, type);
    EXPECT_EQ(scalar.header.shape, shape{});
    EXPECT_EQ(scalar.header.count, 1);
    EXPECT_EQ(scalar.data, pattern(type, 1));
    const loaded empty = read(golden_bytes(name + "_empty.npy"));
    EXPECT_EQ(empty.header.shape, (shape{3, 0}));
    EXPECT_EQ(empty.header.data_bytes, 0);
  }
}

TEST(NpyRead, VersionsAndSpellings) {
  for (const char* name : {"v1", "v2", "v3", "descr_none", "descr_native", "descr_bar"}) {
    SCOPED_TRACE(name);
    const std::string bytes = golden_bytes("npy/" + std::string(name) + ".npy");
    const loaded file = read(bytes);
    EXPECT_EQ(file.header.type, dtype::int32);
    EXPECT_EQ(file.header.shape, shape{5});
    EXPECT_EQ(file.header.data_offset, std::int64_t(bytes.size()) - 20);
    EXPECT_EQ(file.data, pattern(dtype::int32, 5));
  }
}

TEST(NpyRead, TheDictionaryMayBeSpelledFreely) {
  const char* const texts[] = {
      "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3)}",
      "{'shape': (2, 3), 'fortran_order': True, 'descr': '<i2'}",
      "{\"fortran_order\":True,\"shape\":(2,3),\"descr\":\"<i2\"}",
      "  { 'descr' : '<i2' ,\n 'fortran_order'\t: True , 'shape' : ( 2 , 3 , ) , }  \n",
      "{'descr': '<i2', 'fortran_order': True, 'shape': (2L, 3L)}",
  };
  for (const std::string text : texts) {
    for (const int version : {1, 2, 3}) {
      const loaded file = read(file_with(text, version) + pattern(dtype::int16, 6));
      EXPECT_EQ(file.header.shape, (shape{2, 3})) << text;
      EXPECT_TRUE(file.header.fortran_order);
      EXPECT_EQ(file.header.type, dtype::int16);
      EXPECT_EQ(file.data, pattern(dtype::int16, 6));
    }
  }
}

TEST(NpyRead, Bfloat16HasTheCodeOfTwoOpaqueBytes) {
  for (const std::string descr : {"'<V2'", "'|V2'", "'V2'", "'>V2'"}) {
    const bool big = descr == "'>V2'";
    const loaded file = read(with_descr(descr) + (big ? "\x3f\x80\x40\x49" : "\x80\x3f\x49\x40"));
    EXPECT_EQ(file.header.type, dtype::bfloat16);
    EXPECT_EQ(file.data, "\x80\x3f\x49\x40");
  }
}

TEST(NpyRead, BoolsAreMadeZeroOrOne) {
  EXPECT_EQ(read(with_descr("'|b1'") + "\xff\x02").data, "\x01\x01");
}

TEST(NpyRead, LongDataCrossChunks) {
  const std::int64_t count = (std::int64_t{1} << 18) / 4 * 2 + 5;
  std::string text = "{'descr': '>f8', 'fortran_order': False, 'shape': (";
  text += std::to_string(count) + ",), }";
  std::string swapped = pattern(dtype::float64, count);
  const std::string expected = swapped;
  for (std::size_t i = 0; i < swapped.size(); i += 8)
    std::reverse(swapped.begin() + std::int64_t(i), swapped.begin() + std::int64_t(i) + 8);
  EXPECT_EQ(read(file_with(text) + swapped).data, expected);
}

TEST(NpyRead, ZeroExtentsMayStandBesideLargeOnes) {
  const loaded file = read(with_shape("(0, 1152921504606846976)"));
  EXPECT_EQ(file.header.count, 0);
  EXPECT_EQ(file.header.shape, (shape{0, std::int64_t{1} << 60}));
}

// A stream that cannot seek, as a pipe.
struct pipe_buffer : std::stringbuf {
  using std::stringbuf::stringbuf;
  pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override {
    return pos_type(off_type(-1));
  }
};

TEST(NpyRead, PipesAreReadWithoutALengthCheck) {
  const std::string bytes = golden_bytes("npy/int16_big_c.npy");
  for (const std::size_t missing : {0u, 1u}) {
    pipe_buffer buffer(bytes.substr(0, bytes.size() - missing));
    std::istream in(&buffer);
    const io::npy_header header = io::read_npy_header(in, "load");
    EXPECT_NO_THROW(io::check_length(in, header, "load"));
    std::string data(12, '\0');
    const auto call = [&] { io::read_npy_data(in, header, data.data()); };
    if (missing != 0) {
      expect_throw<numwarp::value_error>(call, "expected 12 bytes, got 11");
      continue;
    }
    call();
    EXPECT_EQ(data, pattern(dtype::int16, 6));
  }
}

TEST(NpyRead, SeveralArraysInOneStream) {
  std::istringstream in(golden_bytes("npy/v1.npy") + golden_bytes("npy/uint8_little_c.npy"));
  const io::npy_header first = io::read_npy_header(in, "load");
  io::check_length(in, first, "load");
  std::string data(20, '\0');
  io::read_npy_data(in, first, data.data());
  const io::npy_header second = io::read_npy_header(in, "load");
  EXPECT_EQ(second.type, dtype::uint8);
  EXPECT_THROW(io::check_length(5, second, "load"), numwarp::value_error);
  EXPECT_NO_THROW(io::check_length(6, second, "load"));
}

TEST(NpyRead, WhatIsWritten) {
  for (const dtype type : all_types()) {
    const std::string data = pattern(type, 24);
    const loaded file = read(io::make_npy_header(type, shape{2, 3, 4}, true) + data);
    EXPECT_EQ(file.header.type, type);
    EXPECT_EQ(file.header.shape, (shape{2, 3, 4}));
    EXPECT_TRUE(file.header.fortran_order);
    EXPECT_EQ(file.data, data);
  }
}

}  // namespace
