// Random numbers as functions of (seed, position, element): Philox 4x32-10 (J. Salmon et al.,
// "Parallel random numbers: as easy as 1, 2, 3", 2011), and the distributions made of its words.
//
// A stream is a sequence of 32-bit words; block k holds words 4 k to 4 k + 3. Elements of four
// bytes or less take one word each, others two that start at an even word.
#pragma once

#include <numwarp/core/random_math.hpp>

namespace numwarp::core::random {

struct words {
  u32 a, b, c, d;
};

// Ten rounds of two products, their halves swapped and mixed with a key that goes on by Weyl steps.
template <int Rounds = 10> NW_HD words philox(words x, u32 key0, u32 key1) {
  if constexpr (Rounds == 0) {
    return x;
  } else {
    const u64 p = u64(0xd2511f53u) * x.a, q = u64(0xcd9e8d57u) * x.c;
    const words y{u32(q >> 32) ^ x.b ^ key0, u32(q), u32(p >> 32) ^ x.d ^ key1, u32(p)};
    return philox<Rounds - 1>(y, key0 + 0x9e3779b9u, key1 + 0xbb67ae85u);
  }
}

// Block k. A sample that is refused takes the same words of the next attempt, so that it shifts no
// other. Seeds of spawned generators come from a stream of their own.
enum class purpose : u32 { draws, seeds };
NW_HD words block(u64 seed, u64 k, u32 attempt = 0, purpose why = purpose::draws) {
  return philox({u32(k), u32(k >> 32), attempt, u32(why)}, u32(seed), u32(seed >> 32));
}

// Elements [0, n) of a draw; element i takes the words of element `first + i` of the stream.
struct draw {
  void* out;
  i64 n;
  u64 first;  // counted in elements
  u64 seed;
  double real[3];          // uniform: low, high - low, the largest value; normal: loc, scale
  u64 low, count, refuse;  // integers: low + [0, count); as a word, count 0 is 2^bits
};

// A distribution has the type of an element, `size`, the number of elements of a block, and
// sample(draw, words, out, wanted), which sets those of the elements whose bits are set in
// `wanted`, and returns the bits of those that it refused; none where `refuses` is false.

NW_HD u64 wide(u32 low, u32 high) { return u64(high) << 32 | low; }

// As many bits as the type has digits: from 0 to 1 - 2^-digits.
NW_HD float unit(u32 w) { return float(i32(w >> 8)) * 0x1p-24f; }
NW_HD double unit(u64 w) {
  return double(u32(w >> 32)) * 0x1p-32 + double(i32(u32(w) >> 11)) * 0x1p-53;
}

template <class T> struct uniform {
  using type = T;
  static constexpr int size = 16 / int(sizeof(T));
  static constexpr bool refuses = false;

  NW_HD static u32 sample(const draw& d, words w, T (&out)[size], u32) {
    if constexpr (size == 4) {
      out[0] = place(d, unit(w.a));
      out[1] = place(d, unit(w.b));
      out[2] = place(d, unit(w.c));
      out[3] = place(d, unit(w.d));
    } else {
      out[0] = place(d, unit(wide(w.a, w.b)));
      out[1] = place(d, unit(wide(w.c, w.d)));
    }
    return 0;
  }

 private:
  // Rounding must not reach `high`.
  NW_HD static T place(const draw& d, T u) {
    const T x = T(d.real[0]) + T(d.real[1]) * u, most = T(d.real[2]);
    return x < most ? x : most;
  }
};

// A pair of elements is a random radius times a random direction (G. Box, M. Muller, "A note on the
// generation of random normal deviates", 1958).
template <class T> struct normal {
  using type = T;
  static constexpr int size = 16 / int(sizeof(T));
  static constexpr bool refuses = false;

  NW_HD static u32 sample(const draw& d, words w, T (&out)[size], u32) {
    if constexpr (size == 4) {
      pair(d, w.a, w.b, out[0], out[1]);
      pair(d, w.c, w.d, out[2], out[3]);
    } else {
      pair(d, wide(w.a, w.b), wide(w.c, w.d), out[0], out[1]);
    }
    return 0;
  }

 private:
  using word = typename format<T>::word;
  NW_HD static void pair(const draw& d, word u, word v, T& first, T& second) {
    const T r = radius<T>(u);
    const direction<T> to = direction_of<T>(v);
    first = math::fma(T(d.real[1]), r * to.x, T(d.real[0]));
    second = math::fma(T(d.real[1]), r * to.y, T(d.real[0]));
  }
};

template <class Word> struct halves { Word high, low; };
NW_HD halves<u32> product(u32 a, u32 b) {
  const u64 p = u64(a) * b;
  return {u32(p >> 32), u32(p)};
}
NW_HD halves<u64> product(u64 a, u64 b) {
  const u64 al = u32(a), ah = a >> 32, bl = u32(b), bh = b >> 32;
  const u64 middle = ah * bl + (al * bl >> 32), rest = al * bh + u32(middle);
  return {ah * bh + (middle >> 32) + (rest >> 32), a * b};
}

// The high half of word * count is below count. Each result comes from as many words once those
// whose low half is below 2^bits mod count are refused (D. Lemire, "Fast random integer generation
// in an interval", 2019): no range is biased. T is the unsigned type of the result's size.
template <class T, class Word> struct integers {
  using type = T;
  static constexpr int size = 16 / int(sizeof(Word));
  static constexpr bool refuses = true;

  NW_HD static u32 sample(const draw& d, words w, T (&out)[size], u32 wanted) {
    if constexpr (size == 4) {
      return take(d, w.a, out[0], wanted & 1) | take(d, w.b, out[1], wanted & 2) |
             take(d, w.c, out[2], wanted & 4) | take(d, w.d, out[3], wanted & 8);
    } else {
      return take(d, wide(w.a, w.b), out[0], wanted & 1) |
             take(d, wide(w.c, w.d), out[1], wanted & 2);
    }
  }

 private:
  NW_HD static u32 take(const draw& d, Word w, T& out, u32 wanted) {
    const Word count = Word(d.count);
    const halves<Word> p = count ? product(w, count) : halves<Word>{w, 0};
    out = wanted ? T(d.low + p.high) : out;
    return p.low < Word(d.refuse) ? wanted : 0;
  }
};

// Elements of block k. Each goes on until it is accepted.
template <class D> NW_HD void draw_block(const draw& d, u64 k, typename D::type (&out)[D::size]) {
  u32 wanted = (1u << D::size) - 1;
  for (u32 attempt = 0; wanted; ++attempt)
    wanted = D::sample(d, block(d.seed, k, attempt), out, wanted);
}

// Every distribution that a device must have: X(code, class).
#define NW_FOR_EACH_DISTRIBUTION(X) \
  X(uniform32, uniform<float>)      \
  X(uniform64, uniform<double>)     \
  X(normal32, normal<float>)        \
  X(normal64, normal<double>)       \
  X(integers8, integers<u8, u32>)   \
  X(integers16, integers<u16, u32>) \
  X(integers32, integers<u32, u32>) \
  X(integers64, integers<u64, u32>) \
  X(integers64_wide, integers<u64, u64>)

enum class code : unsigned char {
#define NW_CODE(name, ...) name,
  NW_FOR_EACH_DISTRIBUTION(NW_CODE)
#undef NW_CODE
};
inline constexpr int code_count = int(code::integers64_wide) + 1;

template <code C> struct distribution_for;
#define NW_DISTRIBUTION(name, ...) \
  template <> struct distribution_for<code::name> { using type = __VA_ARGS__; };
NW_FOR_EACH_DISTRIBUTION(NW_DISTRIBUTION)
#undef NW_DISTRIBUTION
template <code C> using distribution = typename distribution_for<C>::type;

}  // namespace numwarp::core::random
