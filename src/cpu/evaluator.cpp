#include "cpu/evaluator.hpp"

#include <algorithm>
#include <utility>

#include "cpu/strided_loops.hpp"
#include "plan/layout.hpp"

namespace numwarp::cpu_backend {

using plan::step;
using plan::step_kind;

namespace {

// Whether a block is one tile, the last two axes, that lies in memory column by column.
bool is_turned(const dims& shape, const plan::view& v, std::int64_t block) {
  const int n = shape.size();
  return n >= 2 && shape[n - 2] * shape[n - 1] == block && shape[n - 1] % 4 == 0 &&
         v.strides[n - 2] == itemsize(v.type) && v.strides[n - 1] != 0;
}

bool all_zero(const dims& strides) {
  return std::all_of(strides.begin(), strides.end(), [](std::int64_t s) { return s == 0; });
}

}  // namespace

blocking::blocking(const dims& shape, std::int64_t block)
    : block_(block),
      row_(shape.empty() ? 1 : shape.back()),
      per_row_(0),
      total_(plan::size(shape)) {
  if (shape.size() > 1 && row_ >= 256) {
    per_row_ = (row_ + block - 1) / block;
    count_ = total_ / row_ * per_row_;
  } else {
    count_ = (total_ + block - 1) / block;
  }
}

void blocking::piece(std::int64_t i, std::int64_t& start, std::int64_t& n) const {
  if (per_row_ > 0) {
    const std::int64_t in_row = i % per_row_ * block_;
    start = i / per_row_ * row_ + in_row;
    n = std::min(block_, row_ - in_row);
  } else {
    start = i * block_;
    n = std::min(block_, total_ - start);
  }
}

namespace {

int widest(const plan::program& p) {
  int bytes = 1;
  for (const step& s : p.steps) bytes = std::max({bytes, itemsize(s.type), itemsize(s.compute)});
  return bytes;
}

}  // namespace

std::int64_t block_elements(const plan::program& p, int bytes) { return bytes / widest(p); }

evaluator::evaluator(const plan::program& p, const dims& shape, std::span<const plan::view> inputs,
                     std::span<const int> wanted, std::int64_t block, std::span<char> room)
    : program_(p),
      shape_(shape),
      inputs_(inputs),
      block_(block),
      row_(shape.empty() ? 1 : shape.back()) {
  plan_actions(wanted);
  place_buffers(room);
}

bool worth_threads(const plan::program& p, std::int64_t n) {
  return n >= 1 << 16 && (n >= 1 << 18 || !p.cheap());
}

namespace {

// A value while it is needed: until the last step that reads it, or to the end where it is wanted.
struct life {
  bool needed = false;
  int last = -1;
  int slot = -1;  // its buffer, where that is free for others afterwards
};

plan::small_vector<life, 12> find_lives(const plan::program& p, std::span<const int> wanted) {
  plan::small_vector<life, 12> list;
  list.resize(p.steps.size());
  for (int w : wanted) list[std::size_t(w)] = {true, int(p.steps.size())};
  for (std::size_t i = p.steps.size(); i-- > 0;) {
    if (!list[i].needed || !p.steps[i].computed()) continue;
    for (int a : p.steps[i].args) {
      if (a >= 0 && !list[std::size_t(a)].needed) list[std::size_t(a)] = {true, int(i)};
    }
  }
  return list;
}

}  // namespace

// Gives each value that needs one a buffer. It is free again after the last reader of the value,
// but not for that reader itself: a loop may not write over what it reads unless the elements are
// of one size.
void evaluator::plan_actions(std::span<const int> wanted) {
  auto lives = find_lives(program_, wanted);
  plan::small_vector<int, 12> free_slots;
  actions_.reserve(lives.size());
  for (std::size_t i = 0; i < lives.size(); ++i) {
    if (!lives[i].needed) continue;
    action& a = actions_.emplace_back(make_action(int(i)));
    const auto at = std::find(wanted.begin(), wanted.end(), int(i));
    if (at != wanted.end()) a.wanted = int(at - wanted.begin());
    if (a.linear) continue;  // read where it lies
    // A kept value is there before the first step runs: its buffer is nobody else's.
    if (free_slots.empty() || a.kept) {
      a.slot = slots_++;
    } else {
      a.slot = free_slots.back();
      free_slots.pop_back();
    }
    if (!a.kept) lives[i].slot = a.slot;
    for (int k = 0; k < a.n_args; ++k) {
      life& read = lives[std::size_t(a.args[k])];
      if (read.last == int(i) && read.slot >= 0) free_slots.push_back(std::exchange(read.slot, -1));
    }
  }
}

void evaluator::place_buffers(std::span<char> room) {
  const std::size_t bytes = (std::size_t(block_ * widest(program_)) + 63) / 64 * 64;
  const std::size_t all = bytes * std::size_t(slots_) + 64;
  char* memory = room.data();
  if (all > room.size()) {
    memory_ = std::make_unique_for_overwrite<char[]>(all);
    memory = memory_.get();
  }
  char* base = memory + (64 - reinterpret_cast<std::uintptr_t>(memory) % 64) % 64;
  values_.resize(program_.steps.size());
  for (action& a : actions_) {
    if (a.slot < 0) continue;
    a.buffer = base + bytes * std::size_t(a.slot);
    values_[std::size_t(a.step)] = a.buffer;
    if (a.kept) fill_once(a);
  }
}

evaluator::action evaluator::make_action(int i) const {
  const step& s = program_.steps[std::size_t(i)];
  action a;
  a.step = i;
  a.kept = s.kind == step_kind::constant;
  if (s.kind == step_kind::op) a.run = op_loop(s.op, s.compute);
  if (s.kind == step_kind::cast) a.run = cast_loop(s.compute, s.type);
  if (s.kind == step_kind::call) a.run = s.called().loop;
  if (s.computed()) {
    while (a.n_args < plan::max_args && s.args[a.n_args] >= 0) {
      a.args[a.n_args] = s.args[a.n_args];
      ++a.n_args;
    }
  }
  if (s.kind == step_kind::load) {
    const plan::view& v = inputs_[std::size_t(s.args[0])];
    a.kept = all_zero(v.strides);
    a.linear = !a.kept && plan::is_c_contiguous(shape_, v.strides, itemsize(v.type));
    a.turned = !a.linear && is_turned(shape_, v, block_);
  }
  return a;
}

// A constant, or an input that is one element for the whole index space.
void evaluator::fill_once(const action& a) {
  const step& s = program_.steps[std::size_t(a.step)];
  const char* element = s.kind == step_kind::constant ? reinterpret_cast<const char*>(s.value.bytes)
                                                      : inputs_[std::size_t(s.args[0])].data;
  const std::int64_t n = std::min(block_, plan::size(shape_));
  repeat(a.buffer, element, n, itemsize(s.type));
}

void evaluator::load(const action& a, std::int64_t start, std::int64_t n) {
  const plan::view& v = inputs_[std::size_t(program_.steps[std::size_t(a.step)].args[0])];
  const int size = itemsize(v.type);
  if (a.linear) {
    values_[std::size_t(a.step)] = v.data + start * size;
    return;
  }
  // A piece of one contiguous row is read where it lies.
  if (!shape_.empty() && v.strides.back() == size && start % row_ + n <= row_) {
    values_[std::size_t(a.step)] = v.data + offset_at(shape_, v.strides, start);
    return;
  }
  if (a.turned && n == block_ && start % block_ == 0) {
    gather_turned(shape_, v, start, a.buffer);
  } else {
    gather(shape_, v, start, n, a.buffer);
  }
  values_[std::size_t(a.step)] = a.buffer;
}

void evaluator::run(std::int64_t start, std::int64_t n, char* const* direct) {
  for (const action& a : actions_) {
    if (a.kept) continue;
    if (a.run) {
      const void* in[plan::max_args];
      for (int k = 0; k < a.n_args; ++k) in[k] = values_[std::size_t(a.args[k])];
      char* out = a.wanted >= 0 && direct && direct[a.wanted] ? direct[a.wanted] : a.buffer;
      a.run(out, in, n);
      values_[std::size_t(a.step)] = out;
    } else if (program_.steps[std::size_t(a.step)].kind == step_kind::load) {
      load(a, start, n);
    } else {
      auto* out = reinterpret_cast<std::int64_t*>(a.buffer);
      for (std::int64_t i = 0; i < n; ++i) out[i] = start + i;
    }
  }
}

}  // namespace numwarp::cpu_backend
