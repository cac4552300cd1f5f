#include <algorithm>
#include <numwarp/error.hpp>
#include <numwarp/shape.hpp>

namespace numwarp {

void detail::throw_extent(std::uint64_t value) {
  throw overflow_error("shape: extent " + std::to_string(value) + " does not fit int64");
}

void dims::grow(std::int64_t n) {
  const int room_needed = std::max(int(n), 2 * capacity_);
  auto larger = std::make_unique<std::int64_t[]>(std::size_t(room_needed));
  std::copy_n(data(), size_, larger.get());
  heap_ = std::move(larger);
  capacity_ = room_needed;
}

void dims::insert(int at, std::int64_t v) {
  push_back(v);
  std::rotate(begin() + at, end() - 1, end());
}

void dims::erase(int at) {
  std::copy(begin() + at + 1, end(), begin() + at);
  --size_;
}

std::string to_string(const dims& d) {
  std::string s = "(";
  for (int i = 0; i < d.size(); ++i) {
    if (i > 0) s += ", ";
    s += std::to_string(d[i]);
  }
  return s + (d.size() == 1 ? ",)" : ")");
}

}  // namespace numwarp
