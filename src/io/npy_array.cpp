// save() and load(): arrays to and from .npy files.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <numwarp/detail/call.hpp>
#include <numwarp/error.hpp>
#include <numwarp/io.hpp>
#include <optional>
#include <system_error>

#include "npy.hpp"

namespace numwarp {
namespace {

// Reading from a directory that opens like a file would fail later and say less.
std::ifstream open_file(const std::string& path) {
  std::error_code unknown;
  const bool folder = std::filesystem::is_directory(path, unknown);
  errno = folder ? EISDIR : 0;
  std::ifstream in;
  if (!folder) in.open(path, std::ios::binary);
  if (in.is_open()) return in;
  const int error = errno != 0 ? errno : EIO;
  throw io_error("load: cannot open '" + path + "': " + std::generic_category().message(error));
}

void check_type(const std::string& path, dtype found, dtype expected) {
  if (found == expected) return;
  throw type_error("load: '" + path + "' holds " + std::string(name(found)) + ", expected " +
                   std::string(name(expected)) + "; load_any reads every type");
}

any_array read_array(const std::string& path, std::optional<dtype> expected, device d) {
  std::ifstream in = open_file(path);
  const io::npy_header header = io::read_npy_header(in, "load");
  if (expected) check_type(path, header.type, *expected);
  io::check_length(in, header, "load");
  const order layout = header.fortran_order ? order::f : order::c;
  const any_array a = detail::empty(shape(header.shape), header.type, cpu, layout);
  io::read_npy_data(in, header, detail::begin_write(a));
  detail::end_write(a);
  return a.to(d);
}

// What lies in memory as it goes into the file: a itself where it is contiguous in either order.
any_array packed(const any_array& a) {
  const any_array here = a.to(cpu);
  return here.is_c_contiguous() || here.is_f_contiguous() ? here : here.copy(order::c);
}

}  // namespace

void save(const std::string& path, const any_array& a) {
  if (!a.valid()) {
    throw value_error("save: the array is null (default-constructed or moved from)");
  }
  const any_array here = packed(a);
  const bool fortran_order = !here.is_c_contiguous();
  io::atomic_file file(path.ends_with(".npy") ? path : path + ".npy", "save");
  const std::string header = io::make_npy_header(here.type(), here.shape(), fortran_order);
  file.write(header.data(), std::int64_t(header.size()));
  if (here.nbytes() > 0) file.write(here.data(), here.nbytes());
  file.commit();
}

any_array load_any(const std::string& path, device d) { return read_array(path, std::nullopt, d); }

any_array detail::load(const std::string& path, dtype expected, device d) {
  return read_array(path, expected, d);
}

}  // namespace numwarp
