// Golden data: where the files written by tests/golden/*.py lie.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace numwarp::testing {

inline std::filesystem::path golden_path(const std::string& name) {
#ifdef NW_GOLDEN_DIR
  return std::filesystem::path(NW_GOLDEN_DIR) / name;
#else
  return std::filesystem::path(__FILE__).parent_path() / "golden" / name;
#endif
}

// All bytes of tests/golden/<name>.
inline std::string golden_bytes(const std::string& name) {
  std::ifstream in(golden_path(name), std::ios::binary);
  if (!in) throw std::runtime_error("no golden file " + golden_path(name).string());
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace numwarp::testing
