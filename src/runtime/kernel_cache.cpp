#include "runtime/kernel_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <numwarp/detail/function_calls.hpp>
#include <vector>

namespace numwarp::runtime {

namespace fs = std::filesystem;
using detail::hash_text;

namespace {

// A file: this, then the key, then the code. The whole key is kept, so that a clash of hashes is
// seen.
struct file_head {
  char magic[8];
  std::uint64_t key_bytes, code_bytes, code_hash;
};
constexpr char magic[8] = {'n', 'w', 'c', 'u', 'b', 'i', 'n', '1'};
constexpr std::uint64_t most_file_bytes = std::uint64_t(1) << 28;

// A directory of the user's own, or of the system, that nobody else can write to: its files are
// run.
bool usable(const std::string& directory) {
  std::error_code e;
  fs::create_directories(fs::path(directory).parent_path(), e);
  mkdir(directory.c_str(), 0700);
  struct stat s;
  if (stat(directory.c_str(), &s) != 0 || !S_ISDIR(s.st_mode)) return false;
  return (s.st_uid == geteuid() || s.st_uid == 0) && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string hex(std::uint64_t x) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(x));
  return text;
}

}  // namespace

kernel_cache::kernel_cache(std::string directory, std::int64_t most_bytes)
    : directory_(std::move(directory)), most_bytes_(most_bytes) {
  if (!directory_.empty() && !usable(directory_)) directory_.clear();
}

std::string kernel_cache::default_directory() {
  const char* given = std::getenv("NUMWARP_CACHE_DIR");
  if (given) return given;
  const char* cache = std::getenv("XDG_CACHE_HOME");
  if (cache && *cache) return std::string(cache) + "/numwarp";
  const char* home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.cache/numwarp" : std::string();
}

std::string kernel_cache::path_of(const std::string& key) const {
  return directory_ + '/' + hex(hash_text(key)) + hex(hash_text(key, 0x9e3779b97f4a7c15ull)) +
         ".cubin";
}

std::optional<std::string> kernel_cache::find(const std::string& key) const {
  if (directory_.empty()) return std::nullopt;
  std::ifstream in(path_of(key), std::ios::binary);
  file_head head{};
  if (!in.read(reinterpret_cast<char*>(&head), sizeof head)) return std::nullopt;
  if (std::memcmp(head.magic, magic, sizeof magic) != 0 || head.key_bytes != key.size() ||
      head.code_bytes == 0 || head.code_bytes > most_file_bytes) {
    return std::nullopt;
  }
  std::string stored(key.size(), '\0'), code(head.code_bytes, '\0');
  if (!in.read(stored.data(), std::streamsize(stored.size())) || stored != key) return std::nullopt;
  if (!in.read(code.data(), std::streamsize(code.size())) || hash_text(code) != head.code_hash) {
    return std::nullopt;
  }
  return code;
}

void kernel_cache::store(const std::string& key, const std::string& code) const {
  if (directory_.empty()) return;
  static std::atomic<unsigned> counter{0};
  const std::string path = path_of(key);
  const std::string part = path + '.' + std::to_string(getpid()) + '.' + std::to_string(counter++);
  file_head head{{}, key.size(), code.size(), hash_text(code)};
  std::memcpy(head.magic, magic, sizeof magic);
  std::ofstream out(part, std::ios::binary);
  out.write(reinterpret_cast<const char*>(&head), sizeof head);
  out.write(key.data(), std::streamsize(key.size()));
  out.write(code.data(), std::streamsize(code.size()));
  out.close();
  if (!out) {
    std::remove(part.c_str());
    return;
  }
  chmod(part.c_str(), 0600);
  if (std::rename(part.c_str(), path.c_str()) != 0) std::remove(part.c_str());
  if (counter % 64 == 1) trim_to(most_bytes_);
}

namespace {

struct file {
  fs::file_time_type time;
  std::int64_t bytes;
  fs::path path;
};

// Names of 32 hexadecimal digits, and what follows where a process died writing. Whatever else lies
// in the directory is somebody else's.
bool is_ours(const std::string& name) {
  return name.find_first_not_of("0123456789abcdef") == 32 && name.compare(32, 6, ".cubin") == 0;
}

std::vector<file> files_of(const std::string& directory) {
  std::vector<file> files;
  std::error_code e;
  if (directory.empty()) return files;
  for (fs::directory_iterator it(directory, e), end; !e && it != end; it.increment(e)) {
    std::error_code each;
    const auto bytes = it->file_size(each);
    const auto time = it->last_write_time(each);
    if (!each && is_ours(it->path().filename().string()))
      files.push_back({time, std::int64_t(bytes), it->path()});
  }
  return files;
}

std::int64_t total(const std::vector<file>& files) {
  std::int64_t bytes = 0;
  for (const file& f : files) bytes += f.bytes;
  return bytes;
}

}  // namespace

std::int64_t kernel_cache::size() const { return total(files_of(directory_)); }

void kernel_cache::trim_to(std::int64_t most_bytes) const {
  std::vector<file> files = files_of(directory_);
  std::int64_t left = total(files);
  std::sort(files.begin(), files.end(),
            [](const file& a, const file& b) { return a.time < b.time; });
  for (const file& f : files) {
    if (left <= most_bytes) break;
    std::error_code e;
    fs::remove(f.path, e);
    left -= f.bytes;
  }
}

namespace {

// Never destroyed: a compilation may be under way when the process ends.
struct held_cache {
  std::mutex mutex;
  std::shared_ptr<const kernel_cache> cache =
      std::make_shared<kernel_cache>(kernel_cache::default_directory());
};
held_cache& held() {
  static held_cache* const one = new held_cache;
  return *one;
}

}  // namespace

std::shared_ptr<const kernel_cache> current_kernel_cache() {
  const std::lock_guard lock(held().mutex);
  return held().cache;
}

void replace_kernel_cache(kernel_cache c) {
  auto made = std::make_shared<const kernel_cache>(std::move(c));
  const std::lock_guard lock(held().mutex);
  held().cache.swap(made);
}

}  // namespace numwarp::runtime
