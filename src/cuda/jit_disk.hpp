// Compiled kernels on disk, shared by processes of one user. Every trouble with the disk is a miss.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace numwarp::cuda_backend {

class disk_cache {
 public:
  // An empty directory name: no cache.
  explicit disk_cache(std::string directory, std::int64_t most_bytes = std::int64_t(256) << 20);

  // NUMWARP_CACHE_DIR, else numwarp in the user's cache directory.
  static std::string default_directory();

  std::optional<std::string> find(const std::string& key) const;
  void store(const std::string& key, const std::string& code) const;

 private:
  std::string path_of(const std::string& key) const;
  void trim() const;

  std::string directory_;
  std::int64_t most_bytes_;
};

}  // namespace numwarp::cuda_backend
