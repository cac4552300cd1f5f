// Random numbers: NumPy's default_rng and its Generator.
//
//   auto rng = nw::random::default_rng(42);
//   auto x = rng.random<float>({1000, 1000});
//
// A generator is a seed and a position in that seed's stream of 32-bit words, Philox 4x32-10. Each
// element is a function of seed, position and its own index, so that the bits are the same on every
// device, for any number of threads, and from one release to the next. An element of four bytes or
// less takes one word, any other two; integers of eight bytes take one where they span at most 2^32
// values. Elements of two words start at an even one. So random(10) and then random(20) give what
// random(30) gives, as in NumPy; the values are not NumPy's.
//
// Every function fills a new array in C order on the default device, or on the device given, and
// does not wait for it; without a shape the array is 0-d. The words are taken at the call. All
// throw value_error for a bad shape; one that throws takes no words.
//
// A generator is a small value: a copy goes on from the same position and gives the same numbers.
// Calls on one generator must not run at the same time; give each thread its own, by spawn().
#pragma once

#include <concepts>
#include <cstdint>
#include <numwarp/ndarray.hpp>
#include <vector>

namespace numwarp::random {

// The types of real numbers that can be drawn, and the integers.
template <class T>
concept real_element = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept integer_element = element<T> && std::integral<T> && !std::same_as<T, bool>;
template <class S>
concept integer_bound = std::integral<S> && !std::same_as<S, bool>;

}  // namespace numwarp::random

namespace numwarp::detail {

// What the methods below call. They move `next`, the position in words, past what they took.
struct random_state {
  std::uint64_t seed = 0, next = 0, spawned = 0;
};
any_array random_uniform(random_state& g, const char* function, double low, double high, dtype t,
                         const numwarp::shape& s, device d);
any_array random_normal(random_state& g, const char* function, double loc, double scale, dtype t,
                        const numwarp::shape& s, device d);
any_array random_integers(random_state& g, const scalar& low, const scalar& high, bool endpoint,
                          dtype t, const numwarp::shape& s, device d);
std::uint64_t random_seed(const scalar& given);
std::uint64_t entropy();
std::uint64_t spawn_seed(random_state& g);
void check_children(std::int64_t n);

}  // namespace numwarp::detail

namespace numwarp::random {

struct integers_options {
  bool endpoint = false;  // `high` can be drawn, too
};

class generator {
 public:
  explicit generator(std::uint64_t seed) : state_{.seed = seed} {}

  // [0, 1): multiples of 2^-24 for float, of 2^-53 for double.
  template <real_element T = double>
  ndarray<T> random(const shape& s = {}, device d = default_device()) {
    return as<T>(detail::random_uniform(state_, "random", 0, 1, dtype_of<T>, s, d));
  }

  // [low, high); `high` is not reached by rounding unless it is low. Throws value_error for
  // high < low, overflow_error where high - low is infinite or NaN as a T.
  template <real_element T = double>
  ndarray<T> uniform(double low = 0, double high = 1, const shape& s = {},
                     device d = default_device()) {
    return as<T>(detail::random_uniform(state_, "uniform", low, high, dtype_of<T>, s, d));
  }

  // Mean 0, variance 1; up to 6.7 (float) and 9.4 (double) on either side.
  template <real_element T = double>
  ndarray<T> standard_normal(const shape& s = {}, device d = default_device()) {
    return as<T>(detail::random_normal(state_, "standard_normal", 0, 1, dtype_of<T>, s, d));
  }

  // Mean loc, standard deviation scale. Throws value_error for a negative scale and for NaN.
  template <real_element T = double>
  ndarray<T> normal(double loc = 0, double scale = 1, const shape& s = {},
                    device d = default_device()) {
    return as<T>(detail::random_normal(state_, "normal", loc, scale, dtype_of<T>, s, d));
  }

  // [low, high), or [low, high] with {.endpoint = true}, every integer with the same probability.
  // Throws value_error for an empty range and for bounds that T cannot hold.
  template <integer_element T = std::int64_t, integer_bound A, integer_bound B>
  ndarray<T> integers(A low, B high, const shape& s = {}, integers_options o = {},
                      device d = default_device()) {
    return as<T>(detail::random_integers(state_, detail::scalar(low), detail::scalar(high),
                                         o.endpoint, dtype_of<T>, s, d));
  }
  // From 0 on. Of two plain integers the second is `high`, as in NumPy: a shape needs its braces.
  template <integer_element T = std::int64_t, integer_bound B>
  ndarray<T> integers(B high, const shape& s = {}, integers_options o = {},
                      device d = default_device()) {
    return integers<T>(0, high, s, o, d);
  }

  // Generators with streams of their own, never the same ones again. Throws value_error for n < 0.
  std::vector<generator> spawn(std::int64_t n) {
    detail::check_children(n);
    std::vector<generator> children;
    for (std::int64_t i = 0; i < n; ++i) children.emplace_back(detail::spawn_seed(state_));
    return children;
  }

 private:
  template <element T> static ndarray<T> as(any_array&& a) {
    return ndarray<T>::from_any_unchecked(std::move(a));
  }

  detail::random_state state_;
};

// The generator of a seed: any integer from 0 to 2^64 - 1. A negative one throws value_error.
template <integer_bound S> generator default_rng(S seed) {
  return generator(detail::random_seed(detail::scalar(seed)));
}
// Seeded by the operating system: other numbers in every run.
inline generator default_rng() { return generator(detail::entropy()); }

}  // namespace numwarp::random
