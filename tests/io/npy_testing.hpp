// What the tests of the .npy format share: files made in memory, elements of the golden ones.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <numwarp/error.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "io/npy.hpp"

namespace npy_testing {

namespace io = numwarp::io;
using numwarp::dtype;
using shape = std::vector<std::int64_t>;

// The elements of every golden file, described in tests/golden/npy.py.
inline std::string pattern(dtype type, std::int64_t count) {
  std::string bytes;
  for (std::int64_t i = 0; i < count * numwarp::itemsize(type); ++i)
    bytes += char(type == dtype::bool_ ? i % 2 : (7 * i + 1) % 251);
  return bytes;
}

struct loaded {
  io::npy_header header;
  std::string data;
};

inline loaded read(const std::string& bytes) {
  std::istringstream in(bytes);
  loaded out;
  out.header = io::read_npy_header(in, "load");
  io::check_length(in, out.header, "load");
  out.data.resize(std::size_t(out.header.data_bytes));
  io::read_npy_data(in, out.header, out.data.data());
  return out;
}

// A file with the given dictionary, padded by nothing.
inline std::string file_with(const std::string& dictionary, int version = 1) {
  std::string out = "\x93NUMPY";
  out.append({char(version), '\0'});
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += char(dictionary.size() >> (8 * i));
  return out + dictionary;
}

inline std::string with_shape(const std::string& text) {
  return file_with("{'descr': '<f4', 'fortran_order': False, 'shape': " + text + ", }");
}

inline std::string with_descr(const std::string& text) {
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

}  // namespace npy_testing
