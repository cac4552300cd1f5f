// Numbers of the command line.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <numwarp/error.hpp>
#include <string>

// Argument `i` as a number of at least one, or `otherwise` where it is not given. Throws
// value_error.
inline std::int64_t positive(int argc, char** argv, int i, std::int64_t otherwise) {
  if (i >= argc) return otherwise;
  std::int64_t n = 0;
  const char* const end = argv[i] + std::strlen(argv[i]);
  if (std::from_chars(argv[i], end, n).ptr != end || n < 1) {
    const std::string program = argv[0];
    throw numwarp::value_error(program.substr(program.rfind('/') + 1) +
                               ": expected a positive number, got " + argv[i]);
  }
  return n;
}
