// Random numbers: the blocks of a draw are shared among threads, and each thread's are computed
// side by side in vectors.
#include <algorithm>

#if defined(__x86_64__)
#  include <immintrin.h>
#endif

#include "cpu/kernels.hpp"
#include "cpu/loops.hpp"
#include "cpu/thread_pool.hpp"
#include "plan/random.hpp"

namespace numwarp::cpu_backend {

namespace {

namespace core_random = core::random;
using core_random::draw;

constexpr std::int64_t tile = 256, chunk = 64 * tile;  // blocks

// f(draw, first block, out, n, refused): n whole blocks, at most a tile, and for each the samples
// that were refused. Returns whether there are any.
using fill_function = bool (*)(const draw&, core::u64, void*, std::int64_t, core::u32*);

// The words of a tile of blocks, each kind of word by itself.
struct words_of_tile {
  alignas(32) core::u32 a[tile], b[tile], c[tile], d[tile];
};

void set_words(words_of_tile& t, core::u64 seed, core::u64 first, std::int64_t from,
               std::int64_t n) {
  for (std::int64_t k = from; k < n; ++k) {
    const auto w = core_random::block(seed, first + core::u64(k));
    t.a[k] = w.a;
    t.b[k] = w.b;
    t.c[k] = w.c;
    t.d[k] = w.d;
  }
}

}  // namespace

namespace base {
static std::int64_t make_words(words_of_tile&, core::u64, core::u64, std::int64_t) { return 0; }
}  // namespace base

#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
namespace v3 {

#  define NW_V3 __attribute__((target("arch=x86-64-v3")))

// The state of four blocks: a word in the low half of each lane, anything in the high half.
struct four_blocks {
  __m256i a, b, c, d;
};

// core::random::philox: a product of 32 by 32 bits is one instruction for four lanes, and looks at
// the low halves only.
NW_V3 inline void philox(four_blocks& x, core::u64 seed) {
  const __m256i by_a = _mm256_set1_epi64x(0xd2511f53), by_c = _mm256_set1_epi64x(0xcd9e8d57);
  core::u32 key0 = core::u32(seed), key1 = core::u32(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const __m256i p = _mm256_mul_epu32(x.a, by_a), q = _mm256_mul_epu32(x.c, by_c);
    const __m256i k0 = _mm256_set1_epi64x(key0), k1 = _mm256_set1_epi64x(key1);
    x = {_mm256_xor_si256(_mm256_srli_epi64(q, 32), _mm256_xor_si256(x.b, k0)), q,
         _mm256_xor_si256(_mm256_srli_epi64(p, 32), _mm256_xor_si256(x.d, k1)), p};
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
}

// Makes words of the first blocks of a tile, eight at a time, and returns of how many.
NW_V3 inline std::int64_t make_words(words_of_tile& t, core::u64 seed, core::u64 first,
                                     std::int64_t n) {
  // The numbers of eight blocks, in the order in which packing the low halves puts them in line.
  const __m256i even = _mm256_setr_epi64x(0, 1, 4, 5), odd = _mm256_setr_epi64x(2, 3, 6, 7);
  const auto pack = [](core::u32* to, __m256i x, __m256i y) NW_V3 {
    const __m256 both = _mm256_shuffle_ps(_mm256_castsi256_ps(x), _mm256_castsi256_ps(y), 0x88);
    _mm256_store_ps(reinterpret_cast<float*>(to), both);
  };
  const auto start = [](__m256i k) NW_V3 {
    return four_blocks{k, _mm256_srli_epi64(k, 32), _mm256_setzero_si256(), _mm256_setzero_si256()};
  };
  std::int64_t k = 0;
  for (; k + 8 <= n; k += 8) {
    const __m256i at = _mm256_set1_epi64x(std::int64_t(first + core::u64(k)));
    four_blocks x = start(_mm256_add_epi64(at, even)), y = start(_mm256_add_epi64(at, odd));
    philox(x, seed);
    philox(y, seed);
    pack(t.a + k, x.a, y.a);
    pack(t.b + k, x.b, y.b);
    pack(t.c + k, x.c, y.c);
    pack(t.d + k, x.d, y.d);
  }
  return k;
}

}  // namespace v3
#endif

namespace {

#define NW_DEFINE_FILL(name, attribute)                                              \
  namespace name {                                                                   \
  template <class D>                                                                 \
  attribute bool fill(const draw& d, core::u64 first, void* to, std::int64_t n,      \
                      core::u32* refused) {                                          \
    auto* const out = static_cast<typename D::type*>(to);                            \
    const draw use = d; /* the loop's own: stores cannot change it */                \
    words_of_tile t;                                                                 \
    const auto made = numwarp::cpu_backend::name::make_words(t, use.seed, first, n); \
    set_words(t, use.seed, first, made, n);                                          \
    core::u32 any = 0;                                                               \
    for (std::int64_t k = 0; k < n; ++k) {                                           \
      typename D::type e[D::size] = {};                                              \
      const core_random::words w{t.a[k], t.b[k], t.c[k], t.d[k]};                    \
      const core::u32 bits = D::sample(use, w, e, (1u << D::size) - 1);              \
      for (int j = 0; j < D::size; ++j) out[k * D::size + j] = e[j];                 \
      if constexpr (D::refuses) refused[k] = bits;                                   \
      any |= bits;                                                                   \
    }                                                                                \
    return any;                                                                      \
  }                                                                                  \
  }
NW_FOR_EACH_ISA(NW_DEFINE_FILL)
#undef NW_DEFINE_FILL

template <class D> fill_function best_fill() {
#if defined(__x86_64__) && !defined(NUMWARP_SANITIZED)
  if (best_isa() == isa::v3) return &v3::fill<D>;
#endif
  return &base::fill<D>;
}

template <class D> class filling {
  using T = typename D::type;

 public:
  explicit filling(const draw& d)
      : draw_(d), blocks_(plan::blocks_of(d, D::size)), out_(static_cast<T*>(d.out)) {}

  void run() {
    parallel_for((blocks_.count + chunk - 1) / chunk, [&](std::int64_t first, std::int64_t last) {
      const std::int64_t end = std::min(blocks_.count, last * chunk);
      for (std::int64_t k = first * chunk; k < end; k += tile) whole(k, std::min(end, k + tile));
    });
  }

 private:
  // Blocks [k, end), those apart of which only some elements are asked for.
  void whole(std::int64_t k, std::int64_t end) {
    if (k == 0 && blocks_.skipped > 0) part(k++);
    const bool cut = end == blocks_.count && (draw_.n + blocks_.skipped) % D::size > 0;
    if (cut && k < end) part(--end);
    if (k >= end) return;
    T* const to = out_ + k * D::size - blocks_.skipped;
    core::u32 refused[tile];
    if (!fill_(draw_, blocks_.first + core::u64(k), to, end - k, refused)) return;
    for (std::int64_t i = k; i < end; ++i) {
      if (refused[i - k]) part(i);
    }
  }

  void part(std::int64_t k) {
    T e[D::size] = {};
    core_random::draw_block<D>(draw_, blocks_.first + core::u64(k), e);
    const std::int64_t at = k * D::size - blocks_.skipped;
    for (int j = 0; j < D::size; ++j) {
      if (at + j >= 0 && at + j < draw_.n) out_[at + j] = e[j];
    }
  }

  const draw draw_;
  const plan::random_blocks blocks_;
  T* const out_;
  const fill_function fill_ = best_fill<D>();
};

}  // namespace

void run_random(const plan::random& p) {
  switch (p.code) {
#define NW_RUN(name, ...)       \
  case core_random::code::name: \
    return filling<core_random::distribution<core_random::code::name>>(p.draw).run();
    NW_FOR_EACH_DISTRIBUTION(NW_RUN)
#undef NW_RUN
  }
}

}  // namespace numwarp::cpu_backend
