#include <numwarp/core/cast.hpp>

#if defined(__x86_64__)
#  include <immintrin.h>
#endif

#include "cpu/loops.hpp"

namespace numwarp::cpu_backend {

namespace {

// float to a type of one or two bytes. As one loop g++ makes masks of the narrow type of the
// clamps, which takes three times as long.
template <class To, class From>
inline constexpr bool is_narrowing = core::integer<To> &&
                                     sizeof(To) <= 2 && core::is_same<From, float>;

}  // namespace

namespace base {
template <class To> std::int64_t narrow(const float*, To*, std::int64_t) { return 0; }
}  // namespace base

#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
namespace v3 {

#  define NW_V3 __attribute__((target("arch=x86-64-v3")))

// Eight floats as int32, saturated to To; NaN gives 0.
template <class To> NW_V3 inline __m256i clamped(const float* a) {
  const __m256 low = _mm256_set1_ps(float(core::limits<To>::lowest));
  const __m256 top = _mm256_set1_ps(float(core::limits<To>::max));
  const __m256 x = _mm256_loadu_ps(a);
  // Of a NaN and a number, the second operand is the maximum.
  const __m256 inside = _mm256_min_ps(_mm256_max_ps(x, low), top);
  if (core::limits<To>::lowest == 0) return _mm256_cvttps_epi32(inside);
  return _mm256_cvttps_epi32(_mm256_and_ps(inside, _mm256_cmp_ps(x, x, _CMP_ORD_Q)));
}

// How many of the first elements it converted.
template <class To> NW_V3 std::int64_t narrow(const float* a, To* o, std::int64_t n) {
  constexpr bool is_signed = core::limits<To>::lowest != 0;
  constexpr std::int64_t step = 32 / sizeof(To);
  const auto store = [](To* to, __m256i x)
                         NW_V3 { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x); };
  std::int64_t i = 0;
  for (; i + step <= n; i += step) {
    const __m256i first = clamped<To>(a + i), second = clamped<To>(a + i + 8);
    if constexpr (sizeof(To) == 2) {
      const __m256i words =
          is_signed ? _mm256_packs_epi32(first, second) : _mm256_packus_epi32(first, second);
      store(o + i, _mm256_permute4x64_epi64(words, 0xd8));
    } else {
      const __m256i words[] = {
          _mm256_packs_epi32(first, second),
          _mm256_packs_epi32(clamped<To>(a + i + 16), clamped<To>(a + i + 24))};
      const __m256i bytes = is_signed ? _mm256_packs_epi16(words[0], words[1])
                                      : _mm256_packus_epi16(words[0], words[1]);
      const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
      store(o + i, _mm256_permutevar8x32_epi32(bytes, order));
    }
  }
  return i;
}

}  // namespace v3
#endif

#define NW_DEFINE_CASTS(name, attribute)                                     \
  namespace name {                                                           \
  template <class To, class From>                                            \
  attribute void convert(void* out, const void* const* in, std::int64_t n) { \
    const auto* a = static_cast<const From*>(in[0]);                         \
    auto* o = static_cast<To*>(out);                                         \
    std::int64_t i = 0;                                                      \
    if constexpr (is_narrowing<To, From>) i = narrow(a, o, n);               \
    NW_INDEPENDENT for (; i < n; ++i) o[i] = core::cast<To>(a[i]);           \
  }                                                                          \
  template <class From> loop find(dtype to) {                                \
    static constexpr loop table[] = {NW_EVERY_TARGET};                       \
    return table[int(to)];                                                   \
  }                                                                          \
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
