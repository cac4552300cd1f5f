// FNV-1a with 64 bits: names of cache files and a check of their contents, not a protection.
#pragma once

#include <cstdint>
#include <string_view>

namespace numwarp::cuda_backend {

inline constexpr std::uint64_t hash_start = 14695981039346656037ull;

inline std::uint64_t hash_text(std::string_view text, std::uint64_t h = hash_start) {
  for (unsigned char c : text) h = (h ^ c) * 1099511628211ull;
  return h;
}

}  // namespace numwarp::cuda_backend
