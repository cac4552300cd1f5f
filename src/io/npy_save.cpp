#include <cerrno>
#include <cstdio>
#include <numwarp/error.hpp>
#include <random>
#include <system_error>

#include "npy.hpp"

namespace numwarp::io {
namespace {

namespace fs = std::filesystem;

// A link whose target does not exist yet is followed too: the file appears where the link points.
fs::path follow_links(fs::path path) {
  std::error_code error;
  while (fs::is_symlink(path, error)) path = path.parent_path() / fs::read_symlink(path, error);
  return path;
}

// Short, so that it fits wherever the target's own name fits.
std::string random_name() {
  std::random_device source;
  char text[40];
  std::snprintf(text, sizeof text, ".numwarp-%08x%08x.tmp", unsigned(source()), unsigned(source()));
  return text;
}

// Creates an empty file that did not exist; 0 or the error. The umask decides its permissions.
int create_new(const fs::path& path) {
  errno = 0;
  std::FILE* const file = std::fopen(path.string().c_str(), "wbx");
  if (file == nullptr) return errno != 0 ? errno : EIO;
  std::fclose(file);
  return 0;
}

}  // namespace

atomic_file::atomic_file(const fs::path& path, std::string what)
    : what_(std::move(what)), name_(path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) fail("open", error.value());  // a circle of links, say
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    open_directly();
    return;
  }
  target_ = follow_links(path);
  if (fs::exists(status)) check_writable();
  open_temporary();
  if (fs::exists(status)) keep_permissions(status.permissions());
}

atomic_file::~atomic_file() { remove_temporary(); }

void atomic_file::open_directly() {
  errno = 0;
  stream_.open(name_, std::ios::binary);
  if (!stream_) fail("open", errno);
}

// A rename would replace a read-only file without asking. Opening to append changes nothing.
void atomic_file::check_writable() {
  errno = 0;
  if (!std::ofstream(target_, std::ios::binary | std::ios::app)) fail("open", errno);
}

void atomic_file::open_temporary() {
  int error = EEXIST;
  for (int attempt = 0; attempt < 16 && error == EEXIST; ++attempt) {
    temporary_ = target_.parent_path() / random_name();
    error = create_new(temporary_);
  }
  if (error != 0) {
    temporary_.clear();
    fail("create", error);
  }
  stream_.open(temporary_, std::ios::binary | std::ios::trunc);
  if (!stream_) {
    error = errno;
    remove_temporary();
    fail("create", error);
  }
}

// The destructor does not run when the constructor throws, so a failure here cleans up itself.
void atomic_file::keep_permissions(fs::perms permissions) {
  std::error_code error;
  fs::permissions(temporary_, permissions, error);
  if (!error) return;
  remove_temporary();
  fail("set the permissions of", error.value());
}

void atomic_file::write(const void* bytes, std::int64_t size) {
  errno = 0;
  if (!stream_.write(static_cast<const char*>(bytes), size)) fail("write", errno);
}

void atomic_file::commit() {
  errno = 0;
  const bool written = bool(stream_.flush());
  const int error = errno;
  stream_.close();
  if (!written || !stream_) fail("write", error != 0 ? error : errno);
  if (temporary_.empty()) return;
  std::error_code renamed;
  fs::rename(temporary_, target_, renamed);
  if (renamed) fail("replace", renamed.value());
  temporary_.clear();
}

void atomic_file::remove_temporary() noexcept {
  if (temporary_.empty()) return;
  stream_.close();
  std::error_code ignored;
  fs::remove(temporary_, ignored);
  temporary_.clear();
}

void atomic_file::fail(const char* action, int error) const {
  std::string reason = error != 0 ? ": " + std::generic_category().message(error) : "";
  throw io_error(what_ + ": cannot " + action + " '" + name_.string() + "'" + reason);
}

}  // namespace numwarp::io
