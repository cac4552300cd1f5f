#include "cpu/indexed_walker.hpp"

#include <algorithm>

namespace numwarp::cpu_backend {

index_walker::index_walker(const plan::indexed& p, move_loop how) : p_(p), move_(how) {
  views_.push_back({p.array.data, &p.array.strides});
  views_.push_back({p.packed.data, &p.packed.strides});
  for (const plan::index_list& l : p.lists) {
    views_.push_back({l.data, &l.strides});
    loops_.push_back(find_offset_loop(l.type, p.mode));
  }
  if (p.constant) {
    auto* const bytes = const_cast<unsigned char*>(p.constant->bytes);
    views_[1].data = reinterpret_cast<char*>(bytes);
  }
}

bool index_walker::run(std::int64_t first, std::int64_t last) const {
  const int rank = p_.shape.size();
  const std::int64_t width = rank == 0 ? 1 : p_.shape[rank - 1];
  bool good = true;
  for (std::int64_t at = first; at < last;) {
    const std::int64_t along = at % width;
    const std::int64_t n = std::min({last - at, width - along, stretch});
    good &= move(at / width, along, n);
    at += n;
  }
  return good;
}

// n rows from place `along` of the last axis on, `outer` being the index of the other axes.
bool index_walker::move(std::int64_t outer, std::int64_t along, std::int64_t n) const {
  plan::small_vector<char*, 6> at;
  for (const place& v : views_) at.push_back(v.data);
  for (int k = p_.shape.size() - 1; k >= 0; --k) {
    const bool inner = k == p_.shape.size() - 1;
    const std::int64_t i = inner ? along : outer % p_.shape[k];
    if (!inner) outer /= p_.shape[k];
    for (std::size_t v = 0; v < views_.size(); ++v) at[v] += i * (*views_[v].strides)[k];
  }
  const auto step = [&](std::size_t v) { return p_.shape.empty() ? 0 : views_[v].strides->back(); };
  std::int64_t offsets[stretch];
  for (std::int64_t j = 0; j < n; ++j) offsets[j] = j * step(0);
  bool good = true;
  for (std::size_t k = 0; k < loops_.size(); ++k) {
    const plan::index_list& l = p_.lists[k];
    good &= loops_[k](at[2 + k], step(2 + k), n, l.extent, l.step, offsets);
  }
  if (good) move_({at[0], offsets, at[1], step(1), n}, p_);
  return good;
}

}  // namespace numwarp::cpu_backend
