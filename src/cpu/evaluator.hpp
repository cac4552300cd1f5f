// Interprets a program over blocks of an index space: each step is one vectorised loop over a block
// that stays in the first-level cache.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "cpu/loops.hpp"
#include "plan/elementwise.hpp"

namespace numwarp::cpu_backend {

// How the index space is cut: linear pieces of `block` elements, or pieces of rows where rows are
// long, so that operands with contiguous rows need no copy.
class blocking {
 public:
  blocking(const dims& shape, std::int64_t block);
  std::int64_t count() const { return count_; }
  // Start and length of piece i.
  void piece(std::int64_t i, std::int64_t& start, std::int64_t& n) const;

 private:
  std::int64_t block_, row_, per_row_, total_, count_;
};

// Elements of a block such that a value of the program's widest type takes `bytes`.
std::int64_t block_elements(const plan::program& p, int bytes = 4096);

// Whether n elements are worth other threads: waking them takes as long as some ten thousand
// exponentials, or some hundred thousand sums.
bool worth_threads(const plan::program& p, std::int64_t n);

// One thread's interpreter. Value buffers are its own; values of loads may point into the inputs.
class evaluator {
 public:
  // `wanted`: the steps whose values will be asked for. The buffers lie in `room`, which outlives
  // the evaluator, where that is large enough.
  evaluator(const plan::program& p, const dims& shape, std::span<const plan::view> inputs,
            std::span<const int> wanted, std::int64_t block, std::span<char> room = {});

  // Evaluates elements [start, start + n), n <= block. Where direct[k] is not null, the value of
  // wanted[k] is made there, if it is computed.
  void run(std::int64_t start, std::int64_t n, char* const* direct);
  const char* value(int step) const { return values_[std::size_t(step)]; }

 private:
  struct action {
    int step;
    loop run = nullptr;  // of an op, a cast or a call
    int args[plan::max_args] = {};
    int n_args = 0;
    int wanted = -1;  // position in `wanted`
    int slot = -1;    // number of its buffer; -1: the value needs none
    char* buffer = nullptr;
    bool kept = false;    // one element everywhere: its buffer is filled once
    bool linear = false;  // a load whose elements follow each other over the whole index space
    bool turned = false;  // a load whose blocks are tiles that lie column by column
  };
  void plan_actions(std::span<const int> wanted);
  void place_buffers(std::span<char> room);
  action make_action(int step) const;
  void fill_once(const action& a);
  void load(const action& a, std::int64_t start, std::int64_t n);

  const plan::program& program_;
  const dims& shape_;
  std::span<const plan::view> inputs_;
  std::int64_t block_;
  std::int64_t row_;
  plan::small_vector<action, 8> actions_;
  plan::small_vector<const char*, 12> values_;
  int slots_ = 0;
  std::unique_ptr<char[]> memory_;
};

}  // namespace numwarp::cpu_backend
