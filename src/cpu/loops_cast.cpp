#include <numwarp/core/cast.hpp>

#include "cpu/loops.hpp"

namespace numwarp::cpu_backend {

namespace {

// Conversions that go through int, a block at a time. As one loop, g++ makes masks of the narrow
// type of the clamps, which takes twice as long.
template <class To, class From>
inline constexpr bool in_two_steps = core::integer<To> &&
                                     sizeof(To) <= 2 && core::is_same<From, float>;

// As core::cast<To>, for such To.
template <class To> inline int clamped(float x) {
  constexpr float low = float(core::limits<To>::lowest), top = float(core::limits<To>::max);
  const float above = x > low ? x : low;
  const float inside = above < top ? above : top;
  return int(low == 0 || x == x ? inside : 0.0f);
}

}  // namespace

#define NW_DEFINE_CASTS(name, attribute)                                               \
  namespace name {                                                                     \
  template <class To, class From>                                                      \
  attribute void convert(void* out, const void* const* in, std::int64_t n) {           \
    const auto* a = static_cast<const From*>(in[0]);                                   \
    auto* o = static_cast<To*>(out);                                                   \
    if constexpr (in_two_steps<To, From>) {                                            \
      constexpr std::int64_t block = 512;                                              \
      for (; n > 0; n -= block, a += block, o += block) {                              \
        const std::int64_t m = n < block ? n : block;                                  \
        int whole[block];                                                              \
        for (std::int64_t i = 0; i < m; ++i) whole[i] = clamped<To>(a[i]);             \
        for (std::int64_t i = 0; i < m; ++i) o[i] = To(whole[i]);                      \
      }                                                                                \
    } else {                                                                           \
      NW_INDEPENDENT for (std::int64_t i = 0; i < n; ++i) o[i] = core::cast<To>(a[i]); \
    }                                                                                  \
  }                                                                                    \
  template <class From> loop find(dtype to) {                                          \
    static constexpr loop table[] = {NW_EVERY_TARGET};                                 \
    return table[int(to)];                                                             \
  }                                                                                    \
  }

#define NW_TARGET(tag) &convert<core::type_at<tag>, From>
#define NW_EVERY_TARGET                                                                     \
  NW_TARGET(0), NW_TARGET(1), NW_TARGET(2), NW_TARGET(3), NW_TARGET(4), NW_TARGET(5),       \
      NW_TARGET(6), NW_TARGET(7), NW_TARGET(8), NW_TARGET(9), NW_TARGET(10), NW_TARGET(11), \
      NW_TARGET(12), NW_TARGET(13), NW_TARGET(14)

NW_FOR_EACH_ISA(NW_DEFINE_CASTS)

namespace {

template <class From> loop find_cast(dtype to) {
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
  if (best_isa() == isa::v3) return v3::find<From>(to);
#endif
  return base::find<From>(to);
}

}  // namespace

loop cast_loop(dtype from, dtype to) {
  switch (from) {
#define NW_DTYPE(tag, type, name, kind, npy) \
  case dtype::tag:                           \
    return find_cast<type>(to);
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
  return nullptr;
}

}  // namespace numwarp::cpu_backend
