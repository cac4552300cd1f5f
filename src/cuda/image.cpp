#include "cuda/image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

namespace numwarp::cuda_backend {

namespace {

// Both kinds are little-endian, as is every host with a CUDA driver.
template <class T> std::uint64_t number_at(std::string_view image, std::size_t at) {
  T v = 0;
  std::memcpy(&v, image.data() + at, sizeof v);
  return v;
}

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b
             ? std::numeric_limits<std::uint64_t>::max()
             : a + b;
}

// A cubin ends with its tables of sections and of segments.
std::uint64_t elf_bytes(std::string_view image) {
  constexpr std::uint64_t header = 64;
  if (image.size() < header) return header;
  const auto table = [&](std::size_t offset, std::size_t entry, std::size_t count) {
    return saturating_sum(
        number_at<std::uint64_t>(image, offset),
        number_at<std::uint16_t>(image, entry) * number_at<std::uint16_t>(image, count));
  };
  const std::uint64_t segments = table(32, 54, 56), sections = table(40, 58, 60);
  return std::max({header, segments, sections});
}

std::uint64_t fatbin_bytes(std::string_view image) {
  constexpr std::uint64_t header = 16;
  if (image.size() < header) return header;
  return saturating_sum(number_at<std::uint16_t>(image, 6), number_at<std::uint64_t>(image, 8));
}

}  // namespace

std::uint64_t bytes_claimed(std::string_view image) {
  if (image.starts_with("\177ELF")) return elf_bytes(image);
  if (image.starts_with("\x50\xed\x55\xba")) return fatbin_bytes(image);
  return 0;
}

}  // namespace numwarp::cuda_backend
