// Random numbers: the blocks of a draw are shared among threads, and each thread's are computed
// side by side in vectors.
#include <algorithm>

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

#define NW_DEFINE_FILL(name, attribute)                                         \
  namespace name {                                                              \
  template <class D>                                                            \
  attribute bool fill(const draw& d, core::u64 first, void* to, std::int64_t n, \
                      core::u32* refused) {                                     \
    auto* const out = static_cast<typename D::type*>(to);                       \
    const draw use = d; /* the loop's own: stores cannot change it */           \
    core::u32 any = 0;                                                          \
    for (std::int64_t k = 0; k < n; ++k) {                                      \
      typename D::type e[D::size] = {};                                         \
      const auto w = core_random::block(use.seed, first + core::u64(k));        \
      const core::u32 bits = D::sample(use, w, e, (1u << D::size) - 1);         \
      for (int j = 0; j < D::size; ++j) out[k * D::size + j] = e[j];            \
      if constexpr (D::refuses) refused[k] = bits;                              \
      any |= bits;                                                              \
    }                                                                           \
    return any;                                                                 \
  }                                                                             \
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
