#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <numwarp/error.hpp>
#include <random>
#include <sstream>

#include "golden_file.hpp"
#include "io/npy.hpp"

namespace {

namespace io = numwarp::io;
using numwarp::dtype;
using numwarp::testing::golden_bytes;
using shape = std::vector<std::int64_t>;

static_assert(std::endian::native == std::endian::little, "the golden bytes are little-endian");

std::vector<dtype> all_types() {
  std::vector<dtype> types;
  for (int i = 0; i < numwarp::dtype_count; ++i) types.push_back(dtype(i));
  return types;
}

// The elements of every golden file, described in tests/golden/npy.py.
std::string pattern(dtype type, std::int64_t count) {
  std::string bytes;
  for (std::int64_t i = 0; i < count * numwarp::itemsize(type); ++i)
    bytes += char(type == dtype::bool_ ? i % 2 : (7 * i + 1) % 251);
  return bytes;
}

// C order to the Fortran order of a (2, 3) array.
std::string transposed(const std::string& c_order, int itemsize) {
  std::string out;
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 2; ++row)
      out += c_order.substr(std::size_t((row * 3 + column) * itemsize), std::size_t(itemsize));
  return out;
}

struct loaded {
  io::npy_header header;
  std::string data;
};

loaded read(const std::string& bytes) {
  std::istringstream in(bytes);
  loaded out;
  out.header = io::read_npy_header(in, "load");
  io::check_length(in, out.header, "load");
  out.data.resize(std::size_t(out.header.data_bytes));
  io::read_npy_data(in, out.header, out.data.data());
  return out;
}

// A file with the given dictionary, padded by nothing.
std::string file_with(const std::string& dictionary, int version = 1) {
  std::string out = "\x93NUMPY";
  out.append({char(version), '\0'});
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += char(dictionary.size() >> (8 * i));
  return out + dictionary;
}

std::string with_shape(const std::string& text) {
  return file_with("{'descr': '<f4', 'fortran_order': False, 'shape': " + text + ", }");
}

std::string with_descr(const std::string& text) {
  return file_with("{'descr': " + text + ", 'fortran_order': False, 'shape': (2,), }");
}

template <class Error, class Call> void expect_throw(Call call, const std::string& message) {
  try {
    call();
    FAIL() << "nothing thrown; expected " << message;
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << e.what();
  }
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

struct hostile {
  std::string bytes;
  std::string message;
};

std::vector<hostile> hostile_shapes() {
  const std::string max = "9223372036854775807";
  std::string rank65 = "(";
  for (int i = 0; i < 65; ++i) rank65 += "1,";
  return {
      {with_shape("(-1,)"), "negative dimensions are not allowed: shape '(-1,)'"},
      {with_shape("(2, -3)"), "negative dimensions are not allowed: shape '(2, -3)'"},
      {with_shape("(9223372036854775808,)"), "array is too big: shape '(9223372036854775808,)'"},
      {with_shape("(99999999999999999999999999,)"), "array is too big"},
      {with_shape("(" + max + ",)"), "array is too big: shape (" + max + ",) of 4 bytes"},
      {with_shape("(2305843009213693952,)"), "array is too big"},
      {with_shape("(4294967296, 4294967296)"), "array is too big"},
      {with_shape("(0, 4294967296, 4294967296)"), "array is too big"},
      {with_shape("(2147483648, 2147483648, 2147483648, 2147483648)"), "array is too big"},
      {with_shape("(2.0,)"), "shape is not valid: '(2.0,)'"},
      {with_shape("(1e3,)"), "shape is not valid: '(1e3,)'"},
      {with_shape("(0x10,)"), "shape is not valid: '(0x10,)'"},
      {with_shape("(007,)"), "shape is not valid: '(007,)'"},
      {with_shape("('2',)"), "shape is not valid"},
      {with_shape("(True,)"), "shape is not valid: '(True,)'"},
      {with_shape("(None,)"), "shape is not valid: '(None,)'"},
      {with_shape("(2)"), "shape is not valid: '(2)'"},
      {with_shape("(,)"), "shape is not valid: '(,)'"},
      {with_shape("(1 2)"), "shape is not valid: '(1 2)'"},
      {with_shape("(1,,2)"), "shape is not valid: '(1,,2)'"},
      {with_shape("((1,), 2)"), "shape is not valid"},
      {with_shape("[2, 3]"), "shape is not valid: '[2, 3]'"},
      {with_shape("2"), "shape is not valid: '2'"},
      {with_shape("None"), "shape is not valid: 'None'"},
      {with_shape(rank65 + ")"), "maximum supported dimension for an ndarray is 64"},
      {with_shape("(1000000000000,)"), "expected 4000000000000 bytes, got 0"},
      {with_shape("(2, 3)") + "12345678901234567890123", "shape (2, 3), expected 24 bytes, got 23"},
  };
}

std::vector<hostile> hostile_types() {
  return {
      {with_descr("'|O'"), "object arrays cannot be loaded: descr '|O'"},
      {with_descr("'O8'"), "object arrays cannot be loaded: descr 'O8'"},
      {with_descr("[('x', '<f4'), ('y', '<f4')]"),
       "structured dtypes are not supported: descr '[("},
      {with_descr("('<f4', (2,))"), "structured dtypes are not supported"},
      {with_descr(std::string(5000, '[')), "structured dtypes are not supported"},
      {with_descr("'<U5'"), "dtype '<U5' is not supported"},
      {with_descr("'|S3'"), "dtype '|S3' is not supported"},
      {with_descr("'<M8[ns]'"), "dtype '<M8[ns]' is not supported"},
      {with_descr("'<m8[s]'"), "dtype '<m8[s]' is not supported"},
      {with_descr("'<f16'"), "dtype '<f16' is not supported"},
      {with_descr("'<c32'"), "dtype '<c32' is not supported"},
      {with_descr("'|V3'"), "dtype '|V3' is not supported"},
      {with_descr("'<i3'"), "dtype '<i3' is not supported"},
      {with_descr("'<<i4'"), "dtype '<<i4' is not supported"},
      {with_descr("'<'"), "dtype '<' is not supported"},
      {with_descr("''"), "dtype '' is not supported"},
      {with_descr("None"), "descr is not a valid dtype descriptor: 'None"},
      {with_descr("4"), "descr is not a valid dtype descriptor: '4"},
      {with_descr("'<f4\\x00'"), "cannot parse header"},
      {with_descr("'<f4\xff'"), "dtype '<f4\\xff' is not supported"},
      {with_descr("'<f4"), "cannot parse header at byte 17"},
  };
}

std::vector<hostile> hostile_dictionaries() {
  const std::string d = "'descr': '<f4'", f = "'fortran_order': False", s = "'shape': (2,)";
  const std::string keys = "header does not contain the correct keys: ";
  const std::string syntax = "cannot parse header at byte ";
  return {
      {file_with(""), "header is not a dictionary: ''"},
      {file_with("[]"), "header is not a dictionary: '[]'"},
      {file_with(std::string(40, '\0')), "header is not a dictionary: '\\x00"},
      {file_with("{}"), keys + "[]"},
      {file_with("{" + f + ", " + s + "}"), keys + "['fortran_order', 'shape']"},
      {file_with("{" + d + ", " + s + "}"), keys + "['descr', 'shape']"},
      {file_with("{" + d + ", " + f + "}"), keys + "['descr', 'fortran_order']"},
      {file_with("{" + d + ", " + f + ", " + s + ", 'x': 1}"), keys + "unexpected 'x'"},
      {file_with("{" + d + ", " + f + ", " + s + ", " + s + "}"), keys + "'shape' appears twice"},
      {file_with("{" + d + ", 'fortran_order': 1, " + s + "}"), "not a valid bool: '1'"},
      {file_with("{" + d + ", 'fortran_order': true, " + s + "}"), "not a valid bool: 'true'"},
      {file_with("{" + d + ", 'fortran_order': , " + s + "}"), "not a valid bool: ''"},
      {file_with("{" + d + ", " + f + ", " + s), syntax},
      {file_with("{" + d + ", " + f + ", " + s + "} x"), syntax},
      {file_with("{" + d + ", " + f + ", " + s + ",, }"), syntax},
      {file_with("{, " + d + ", " + f + ", " + s + "}"), syntax},
      {file_with("{" + d + " " + f + ", " + s + "}"), syntax},
      {file_with("{descr: '<f4'}"), syntax},
      {file_with("{'descr' '<f4'}"), syntax},
      {file_with("{'descr"), syntax},
      {file_with("{'descr':"), "descr is not a valid dtype descriptor: ''"},
      {file_with("{'shape':"), "shape is not valid: ''"},
      {file_with("{'shape': (2"), "shape is not valid: '(2'"},
  };
}

std::vector<hostile> hostile_starts() {
  const std::string good = golden_bytes("npy/v2.npy");
  const auto patched = [&](std::size_t at, const std::string& bytes) {
    std::string copy = good;
    return copy.replace(at, bytes.size(), bytes);
  };
  return {
      {"", "EOF: reading magic string, expected 8 bytes, got 0"},
      {good.substr(0, 3), "EOF: reading magic string, expected 8 bytes, got 3"},
      {"PK\x03\x04 a zip", "magic string is not correct; expected '\\x93NUMPY', got 'PK\\x03\\x04"},
      {patched(0, "\x92"), "the magic string is not correct"},
      {patched(6, std::string(1, '\0')), "(3,0), not (0,0)"},
      {patched(6, "\x04"), "we only support format version (1,0), (2,0), and (3,0), not (4,0)"},
      {patched(7, "\x01"), "not (2,1)"},
      {patched(6, "\xff\xff"), "not (255,255)"},
      {good.substr(0, 8), "EOF: reading array header length, expected 4 bytes, got 0"},
      {good.substr(0, 11), "EOF: reading array header length, expected 4 bytes, got 3"},
      {good.substr(0, 12), "EOF: reading array header, expected 116 bytes, got 0"},
      {good.substr(0, 60), "EOF: reading array header, expected 116 bytes, got 48"},
      {good.substr(0, 128), "shape (5,), expected 20 bytes, got 0"},
      {good.substr(0, 147), "shape (5,), expected 20 bytes, got 19"},
      {patched(8, "\xff\xff\xff\xff"), "header info length (4294967295) is larger than 1048576"},
      {patched(8, std::string("\x01\x00\x10\x00", 4)), "header info length (1048577)"},
      {patched(8, std::string("\x00\x00\x10\x00", 4)), "expected 1048576 bytes, got 136"},
      {patched(8, std::string("\x00\x00\x00\x00", 4)), "header is not a dictionary: ''"},
      {patched(8, std::string("\x10\x00\x00\x00", 4)), "cannot parse header"},
  };
}

long peak_resident_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

TEST(NpyRead, HostileFilesAreRefusedWithTheirValues) {
  const long before = peak_resident_kib();
  for (const auto& list :
       {hostile_starts(), hostile_dictionaries(), hostile_types(), hostile_shapes()}) {
    for (const hostile& file : list) {
      expect_throw<numwarp::value_error>([&] { read(file.bytes); }, file.message);
      expect_throw<numwarp::value_error>([&] { read(file.bytes); }, "load: ");
    }
  }
  EXPECT_LT(peak_resident_kib() - before, 16 * 1024);
}

TEST(NpyRead, MessagesStartWithWhatWasGiven) {
  std::istringstream in("");
  expect_throw<numwarp::value_error>([&] { io::read_npy_header(in, "load: a.npz: x"); },
                                     "load: a.npz: x: EOF");
}

TEST(NpyRead, EveryTruncationIsRefused) {
  for (const char* name : {"npy/v1.npy", "npy/v3.npy", "npy/complex64_big_f.npy"}) {
    const std::string bytes = golden_bytes(name);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_THROW(read(bytes.substr(0, size)), numwarp::value_error) << name << ' ' << size;
  }
}

// Any file is either read or refused; sanitizers watch.
TEST(NpyRead, RandomDamage) {
  const std::string good = golden_bytes("npy/float32_little_c.npy");
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (unsigned n = random() % 4 + 1; n > 0; --n) bytes[random() % 90] = char(random());
    try {
      read(bytes);
    } catch (const numwarp::value_error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 10000);
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
