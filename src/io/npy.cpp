#include "npy.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <istream>
#include <limits>
#include <numwarp/error.hpp>
#include <string_view>

#include "npy_literal.hpp"

namespace numwarp::io {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);
constexpr bool little_endian = std::endian::native == std::endian::little;

constexpr std::string_view codes[] = {
#define NW_DTYPE(tag, type, name, kind, npy) npy,
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
};

[[noreturn]] void fail(const std::string& what, const std::string& message) {
  throw value_error(what + ": " + message);
}

std::int64_t read_some(std::istream& in, void* dst, std::int64_t size, const std::string& what) {
  in.read(static_cast<char*>(dst), size);
  if (in.bad()) throw io_error(what + ": error while reading the file");
  return in.gcount();
}

std::string expected_got(const std::string& part, std::int64_t expected, std::int64_t got) {
  return "EOF: reading " + part + ", expected " + std::to_string(expected) + " bytes, got " +
         std::to_string(got);
}

std::string read_exactly(std::istream& in, std::int64_t size, const char* part,
                         const std::string& what) {
  std::string bytes(std::size_t(size), '\0');
  const std::int64_t got = read_some(in, bytes.data(), size, what);
  if (got != size) fail(what, expected_got(part, size, got));
  return bytes;
}

// A major version above 1 has a length field of four bytes instead of two.
int read_version(std::istream& in, const std::string& what) {
  const std::string start = read_exactly(in, 8, "magic string", what);
  if (start.substr(0, magic.size()) != magic)
    fail(what, "the magic string is not correct; expected " + printable(magic) + ", got " +
                   printable(std::string_view(start).substr(0, magic.size())));
  const int major = static_cast<unsigned char>(start[6]);
  const int minor = static_cast<unsigned char>(start[7]);
  if (major < 1 || major > 3 || minor != 0)
    fail(what, "we only support format version (1,0), (2,0), and (3,0), not (" +
                   std::to_string(major) + "," + std::to_string(minor) + ")");
  return major;
}

std::int64_t read_header_length(std::istream& in, int length_bytes, const std::string& what) {
  const std::string bytes = read_exactly(in, length_bytes, "array header length", what);
  std::int64_t length = 0;
  for (int i = 0; i < length_bytes; ++i)
    length |= std::int64_t{static_cast<unsigned char>(bytes[std::size_t(i)])} << (8 * i);
  if (length > max_header_bytes)
    fail(what, "header info length (" + std::to_string(length) + ") is larger than " +
                   std::to_string(max_header_bytes));
  return length;
}

// A type string such as '<f4': byte order ('=' and '|' or none mean this machine's), then code.
void set_type(npy_header& header, std::string_view descr, const std::string& what) {
  const bool has_order = !descr.empty() && std::string_view("<>=|").find(descr[0]) < 4;
  const std::string_view code = descr.substr(has_order ? 1 : 0);
  if (code == "O" || code == "O8")
    fail(what, "object arrays cannot be loaded: descr " + printable(descr));
  const auto* const found = std::find(std::begin(codes), std::end(codes), code);
  if (found == std::end(codes))
    fail(what, "dtype " + printable(descr) +
                   " is not supported; element types are bool, integers, " +
                   "float16, bfloat16, float32, float64, complex64 and complex128");
  header.type = dtype(found - std::begin(codes));
  const bool other = has_order && descr[0] == (little_endian ? '>' : '<');
  header.swapped = other && itemsize(header.type) > 1;
}

std::string shape_text(std::span<const std::int64_t> shape) {
  std::string text = "(";
  for (const std::int64_t extent : shape)
    text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + (shape.size() == 1 ? ",)" : ")");
}

// Extents of zero are left out of the overflow check's product, as in NumPy: an array of shape
// (0, 2^40, 2^40) has no elements, and no strides either.
void set_size(npy_header& header, const std::string& what) {
  constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  std::int64_t bytes = itemsize(header.type);
  for (const std::int64_t extent : header.shape) {
    if (extent == 0) continue;
    if (bytes > limit / extent)
      fail(what, "array is too big: shape " + shape_text(header.shape) + " of " +
                     std::to_string(itemsize(header.type)) + " bytes an element");
    bytes *= extent;
  }
  const bool empty = std::find(header.shape.begin(), header.shape.end(), 0) != header.shape.end();
  header.data_bytes = empty ? 0 : bytes;
  header.count = header.data_bytes / itemsize(header.type);
}

constexpr std::uint16_t swap(std::uint16_t v) { return std::uint16_t(v << 8 | v >> 8); }
constexpr std::uint32_t swap(std::uint32_t v) {
  return std::uint32_t{swap(std::uint16_t(v))} << 16 | swap(std::uint16_t(v >> 16));
}
constexpr std::uint64_t swap(std::uint64_t v) {
  return std::uint64_t{swap(std::uint32_t(v))} << 32 | swap(std::uint32_t(v >> 32));
}

template <class Word> void swap_words(char* bytes, std::int64_t size) {
  for (std::int64_t i = 0; i < size; i += std::int64_t(sizeof(Word))) {
    Word word;
    std::memcpy(&word, bytes + i, sizeof word);
    word = swap(word);
    std::memcpy(bytes + i, &word, sizeof word);
  }
}

// A complex number is two components, each swapped on its own.
void swap_elements(dtype type, char* bytes, std::int64_t size) {
  const int width = itemsize(type) / (kind(type) == 'c' ? 2 : 1);
  if (width == 2) swap_words<std::uint16_t>(bytes, size);
  if (width == 4) swap_words<std::uint32_t>(bytes, size);
  if (width == 8) swap_words<std::uint64_t>(bytes, size);
}

// A C++ bool that holds anything but 0 or 1 is undefined behaviour.
void normalise_bools(char* bytes, std::int64_t size) {
  for (std::int64_t i = 0; i < size; ++i) bytes[i] = bytes[i] != 0;
}

std::string descr_of(dtype type) {
  const char order = itemsize(type) == 1 ? '|' : little_endian ? '<' : '>';
  return order + std::string(codes[int(type)]);
}

// NumPy leaves room for the growing axis to become any int64 in place.
std::string growth_space(std::span<const std::int64_t> shape, bool fortran_order) {
  constexpr std::size_t digits = 21;
  if (shape.empty()) return {};
  const std::string text = std::to_string(fortran_order ? shape.back() : shape.front());
  return std::string(digits - text.size(), ' ');
}

}  // namespace

npy_header read_npy_header(std::istream& in, const std::string& what) {
  const int length_bytes = read_version(in, what) == 1 ? 2 : 4;
  const std::int64_t length = read_header_length(in, length_bytes, what);
  const std::string text = read_exactly(in, length, "array header", what);
  npy_literal literal = parse_npy_literal(text, what);
  npy_header header;
  header.fortran_order = literal.fortran_order;
  header.shape = std::move(literal.shape);
  header.data_offset = 8 + length_bytes + length;
  set_type(header, literal.descr, what);
  set_size(header, what);
  return header;
}

void check_length(std::int64_t available, const npy_header& header, const std::string& what) {
  if (available < header.data_bytes)
    fail(what, expected_got("array data of shape " + shape_text(header.shape), header.data_bytes,
                            available));
}

void check_length(std::istream& in, const npy_header& header, const std::string& what) {
  const std::istream::pos_type here = in.tellg();
  if (here == std::istream::pos_type(-1) || !in.seekg(0, std::ios::end)) return in.clear();
  const std::istream::pos_type end = in.tellg();
  in.seekg(here);
  if (!in) throw io_error(what + ": cannot seek in the file");
  check_length(std::int64_t(end - here), header, what);
}

void read_npy_data(std::istream& in, const npy_header& header, void* dst, const std::string& what) {
  // A chunk is swapped while it is still in the cache.
  constexpr std::int64_t chunk = std::int64_t{1} << 18;
  char* const bytes = static_cast<char*>(dst);
  for (std::int64_t done = 0; done < header.data_bytes; done += chunk) {
    const std::int64_t size = std::min(chunk, header.data_bytes - done);
    const std::int64_t got = read_some(in, bytes + done, size, what);
    if (got != size) check_length(done + got, header, what);
    if (header.swapped) swap_elements(header.type, bytes + done, size);
    if (header.type == dtype::bool_) normalise_bools(bytes + done, size);
  }
}

std::string make_npy_header(dtype type, std::span<const std::int64_t> shape, bool fortran_order) {
  std::string text = "{'descr': '" + descr_of(type) +
                     "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                     ", 'shape': " + shape_text(shape) + ", }";
  text += growth_space(shape, fortran_order);
  // The data start at a multiple of 64; NumPy pads by 64 where 0 would do.
  const auto padded = [&](std::size_t prefix) {
    return text.size() + 1 + 64 - (prefix + text.size() + 1) % 64;
  };
  const int version = padded(10) <= 0xffff ? 1 : 2;
  const int length_bytes = version == 1 ? 2 : 4;
  const std::size_t length = padded(8 + std::size_t(length_bytes));
  std::string out(magic);
  out.append({char(version), '\0'});
  for (int i = 0; i < length_bytes; ++i) out += char(length >> (8 * i) & 0xff);
  text.resize(length - 1, ' ');
  return out + text + '\n';
}

}  // namespace numwarp::io
