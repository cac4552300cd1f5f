// Compiled kernels on disk, shared by processes of one user. Every trouble with the disk is a miss.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace numwarp::runtime {

class kernel_cache {
 public:
  static constexpr std::int64_t default_limit = std::int64_t(256) << 20;

  // An empty directory name: no cache. So is a directory that others can write to: its files are
  // run. One that does not exist is made.
  explicit kernel_cache(std::string directory, std::int64_t most_bytes = default_limit);

  // NUMWARP_CACHE_DIR, else numwarp in the user's cache directory.
  static std::string default_directory();

  // Empty where there is none.
  const std::string& directory() const { return directory_; }
  std::int64_t limit() const { return most_bytes_; }
  std::optional<std::string> find(const std::string& key) const;
  void store(const std::string& key, const std::string& code) const;
  // Bytes of its files.
  std::int64_t size() const;
  // Removes the oldest of its files until the rest fits.
  void trim_to(std::int64_t most_bytes) const;

 private:
  std::string path_of(const std::string& key) const;

  std::string directory_;
  std::int64_t most_bytes_;
};

// The cache of the process; another one for whoever asks from now on.
std::shared_ptr<const kernel_cache> current_kernel_cache();
void replace_kernel_cache(kernel_cache c);

}  // namespace numwarp::runtime
