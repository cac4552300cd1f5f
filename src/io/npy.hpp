// The .npy format and safe saving, without the array class: what load, save and the npz code share.
// Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
//
// Errors: value_error for what the bytes say (truncation included, as in NumPy), io_error for what
// the operating system refuses. Each message starts with `what`, for example "load".
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <numwarp/dtype.hpp>
#include <span>
#include <string>
#include <vector>

namespace numwarp::io {

// The longest header that is read. Rank 64 needs about 1500 bytes; only structured types, which are
// refused by name, write more.
inline constexpr std::int64_t max_header_bytes = std::int64_t{1} << 20;
inline constexpr std::int64_t max_rank = 64;

struct npy_header {
  dtype type{};
  bool fortran_order = false;
  bool swapped = false;  // the elements are in the other byte order than this machine's
  std::vector<std::int64_t> shape;
  std::int64_t count = 0;        // product of the shape: 1 for rank 0
  std::int64_t data_bytes = 0;   // count * itemsize; the product is checked
  std::int64_t data_offset = 0;  // bytes from the magic string to the first element
};

// Reads magic string, version (1, 2 or 3) and dictionary; leaves `in` at the first element. No
// memory is allocated on the strength of a number in the file, except for a header of up to
// max_header_bytes. '<V2', '|V2' and '>V2' are read as bfloat16: it has no code of its own, and
// '<V2' is what ml_dtypes, JAX and TensorFlow write.
npy_header read_npy_header(std::istream& in, const std::string& what);

// Throws value_error if fewer than header.data_bytes remain, so that nothing is allocated for a
// shape that the file cannot fill. The second form does nothing on a stream that cannot seek.
void check_length(std::int64_t available, const npy_header& header, const std::string& what);
void check_length(std::istream& in, const npy_header& header, const std::string& what);

// Reads header.data_bytes into dst, in file order (the caller gives a Fortran-order array its
// strides), in the byte order of this machine. Bools are made 0 or 1.
void read_npy_data(std::istream& in, const npy_header& header, void* dst,
                   const std::string& what = "load");

// Magic string and header, byte for byte as numpy.save writes them. As there, fortran_order must be
// false for an array that is contiguous in both orders.
std::string make_npy_header(dtype type, std::span<const std::int64_t> shape, bool fortran_order);

// A file that appears under its name only when it is complete: until commit() the bytes go to a
// temporary file in the same directory, which the destructor removes if commit() was not reached.
// An existing file keeps its permissions (not its hard links); a symbolic link is followed and
// stays a link. A target that is no regular file, such as /dev/stdout, is written directly.
class atomic_file {
 public:
  atomic_file(const std::filesystem::path& path, std::string what);
  ~atomic_file();
  atomic_file(const atomic_file&) = delete;
  atomic_file& operator=(const atomic_file&) = delete;

  std::ostream& stream() { return stream_; }
  void write(const void* bytes, std::int64_t size);  // throws io_error at once
  void commit();  // throws io_error if any write failed, and leaves the old file

 private:
  void open_directly();
  void check_writable();
  void open_temporary();
  void keep_permissions(std::filesystem::perms permissions);
  void remove_temporary() noexcept;
  [[noreturn]] void fail(const char* action, int error) const;

  std::string what_;
  std::filesystem::path name_;       // as given, for messages
  std::filesystem::path target_;     // with symbolic links followed
  std::filesystem::path temporary_;  // empty: name_ is written directly, or all is done
  std::ofstream stream_;
};

}  // namespace numwarp::io
