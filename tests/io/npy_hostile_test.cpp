#include <gtest/gtest.h>
#include <sys/resource.h>

#include <numwarp/error.hpp>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "golden_file.hpp"
#include "io/npy_testing.hpp"

namespace {

using namespace npy_testing;
using numwarp::testing::golden_bytes;

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

TEST(NpyHostile, FilesAreRefusedWithTheirValues) {
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

TEST(NpyHostile, MessagesStartWithWhatWasGiven) {
  std::istringstream in("");
  expect_throw<numwarp::value_error>([&] { io::read_npy_header(in, "load: a.npz: x"); },
                                     "load: a.npz: x: EOF");
}

TEST(NpyHostile, EveryTruncationIsRefused) {
  for (const char* name : {"npy/v1.npy", "npy/v3.npy", "npy/complex64_big_f.npy"}) {
    const std::string bytes = golden_bytes(name);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      EXPECT_THROW(read(bytes.substr(0, size)), numwarp::value_error) << name << ' ' << size;
  }
}

// Any file is either read or refused; sanitizers watch.
TEST(NpyHostile, RandomDamage) {
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

}  // namespace
