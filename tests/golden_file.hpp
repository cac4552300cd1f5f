// Reads the golden data that tests/golden/generate.py writes; tests/golden/README.md describes it.
// It understands just what is written there (stored zip members, .npy version 1, little-endian),
// and shares no code with the library, so that a fault in src/io cannot hide one elsewhere.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numwarp/dtype.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace numwarp::testing {

struct golden_array {
  dtype type{};
  std::vector<std::int64_t> shape;
  bool fortran_order = false;
  std::string bytes;

  std::int64_t size() const { return std::int64_t(bytes.size()) / itemsize(type); }

  // The elements in file order; throws unless they are of type T.
  template <element T> std::vector<T> values() const {
    if (dtype_of<T> != type) throw std::runtime_error("golden array is " + std::string(name(type)));
    std::vector<T> out;
    out.reserve(std::size_t(size()));
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(T)) {
      T value;
      std::memcpy(static_cast<void*>(&value), bytes.data() + i, sizeof(T));
      out.push_back(value);
    }
    return out;
  }

  // Of ".../error": the class, such as "ValueError", and the message.
  std::string error_class() const { return bytes.substr(0, bytes.find(": ")); }
  std::string error_message() const { return bytes.substr(bytes.find(": ") + 2); }
};

using golden_map = std::map<std::string, golden_array, std::less<>>;
using golden_fields = std::vector<std::string>;

inline std::filesystem::path golden_path(const std::string& file) {
#ifdef NUMWARP_GOLDEN_DIR
  return std::filesystem::path(NUMWARP_GOLDEN_DIR) / file;
#else
  return std::filesystem::path(__FILE__).parent_path() / "golden" / file;
#endif
}

// All bytes of tests/golden/<file>.
inline std::string golden_bytes(const std::string& file) {
  std::ifstream in(golden_path(file), std::ios::binary);
  if (!in) throw std::runtime_error("no golden file " + golden_path(file).string());
  return {std::istreambuf_iterator<char>(in), {}};
}

// "3,4,5" as numbers; "-" is the empty list.
inline std::vector<std::int64_t> golden_numbers(const std::string& text) {
  std::vector<std::int64_t> out;
  std::istringstream in(text == "-" ? "" : text);
  for (std::string number; std::getline(in, number, ',');) out.push_back(std::stoll(number));
  return out;
}

inline dtype golden_type(std::string_view type_name) {
  for (int i = 0; i < dtype_count; ++i)
    if (name(dtype(i)) == type_name) return dtype(i);
  throw std::runtime_error("no type " + std::string(type_name));
}

namespace golden_detail {

inline std::uint32_t little_endian(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < width; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes.at(at + i))} << (8 * i);
  return value;
}

// The text between two marks of a header.
inline std::string between(std::string_view text, std::string_view open, std::string_view close) {
  const std::size_t begin = text.find(open);
  if (begin == std::string_view::npos) throw std::runtime_error("bad golden array");
  const std::size_t from = begin + open.size();
  return std::string(text.substr(from, text.find(close, from) - from));
}

inline dtype type_of_descr(const std::string& descr) {
  constexpr std::string_view codes[] = {
#define NW_DTYPE(tag, type, name, kind, npy) npy,
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  };
  for (int i = 0; i < dtype_count; ++i)
    if (codes[i] == std::string_view(descr).substr(1)) return dtype(i);
  throw std::runtime_error("golden array of type " + descr);
}

inline golden_array parse_npy(std::string_view bytes) {
  const std::size_t begin = 10 + little_endian(bytes, 8, 2);
  const std::string_view header = bytes.substr(10, begin - 10);
  golden_array out;
  out.type = type_of_descr(between(header, "'descr': '", "'"));
  out.fortran_order = between(header, "'fortran_order': ", ",") == "True";
  std::string shape = between(header, "'shape': (", ")");
  out.shape = golden_numbers(shape.empty() ? "-" : shape);
  out.bytes = std::string(bytes.substr(begin));
  return out;
}

// A zip file is a sequence of local headers, each followed by its name, extra field and data.
inline golden_map parse_npz(std::string_view zip) {
  golden_map out;
  std::size_t at = 0;
  while (zip.substr(at, 4) == std::string_view("PK\3\4", 4)) {
    if (little_endian(zip, at + 8, 2) != 0) throw std::runtime_error("compressed golden file");
    const std::size_t size = little_endian(zip, at + 18, 4);
    const std::size_t name_size = little_endian(zip, at + 26, 2);
    const std::size_t begin = at + 30 + name_size + little_endian(zip, at + 28, 2);
    const std::string_view name = zip.substr(at + 30, name_size);
    out.emplace(name.substr(0, name.rfind(".npy")), parse_npy(zip.substr(begin, size)));
    at = begin + size;
  }
  return out;
}

}  // namespace golden_detail

// The arrays of tests/golden/<file>, an .npz; read once.
inline const golden_map& golden(const std::string& file) {
  static std::map<std::string, golden_map> files;
  const auto found = files.find(file);
  if (found != files.end()) return found->second;
  return files.emplace(file, golden_detail::parse_npz(golden_bytes(file))).first->second;
}

// An array of an .npz by name; throws for a name that is not there.
inline const golden_array& golden(const std::string& file, const std::string& array) {
  const golden_map& arrays = golden(file);
  const auto found = arrays.find(array);
  if (found == arrays.end()) throw std::runtime_error("no array " + array + " in " + file);
  return found->second;
}

// The lines of tests/golden/<file>, a .txt, without comments, split at '|'.
inline std::vector<golden_fields> golden_lines(const std::string& file) {
  std::vector<golden_fields> out;
  std::istringstream in(golden_bytes(file));
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    out.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '|');) out.back().push_back(field);
  }
  return out;
}

// Operand i of an op with `arity` operands in ufuncs.npz: its own, or the one that ops share.
inline const golden_array& golden_operand(const std::string& op, const std::string& type, int arity,
                                          int i) {
  const golden_map& arrays = golden("ufuncs.npz");
  const auto own = arrays.find(op + "/" + type + "/" + std::to_string(i));
  if (own != arrays.end()) return own->second;
  return golden("ufuncs.npz",
                "inputs/" + type + "/" + std::to_string(arity) + "/" + std::to_string(i));
}

}  // namespace numwarp::testing
