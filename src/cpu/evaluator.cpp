#include "cpu/evaluator.hpp"

#include <algorithm>

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
                     std::span<const int> wanted, std::int64_t block)
    : program_(p),
      shape_(shape),
      inputs_(inputs),
      block_(block),
      row_(shape.empty() ? 1 : shape.back()),
      values_(p.steps.size(), nullptr) {
  plan_actions(wanted);
}

namespace {

// Which steps the wanted ones need.
std::vector<bool> live_steps(const plan::program& p, std::span<const int> wanted) {
  std::vector<bool> live(p.steps.size(), false);
  for (int w : wanted) live[std::size_t(w)] = true;
  for (std::size_t i = p.steps.size(); i-- > 0;) {
    const step& s = p.steps[i];
    if (!live[i] || (s.kind != step_kind::op && s.kind != step_kind::cast)) continue;
    for (int a : s.args) {
      if (a >= 0) live[std::size_t(a)] = true;
    }
  }
  return live;
}

// The last step that reads each value; wanted values live to the end.
std::vector<int> last_uses(const plan::program& p, const std::vector<bool>& live,
                           std::span<const int> wanted) {
  std::vector<int> last(p.steps.size(), 0);
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    const step& s = p.steps[i];
    if (!live[i] || (s.kind != step_kind::op && s.kind != step_kind::cast)) continue;
    for (int a : s.args) {
      if (a >= 0) last[std::size_t(a)] = int(i);
    }
  }
  for (int w : wanted) last[std::size_t(w)] = int(p.steps.size());
  return last;
}

}  // namespace

namespace {

bool reads_steps(const step& s) { return s.kind == step_kind::op || s.kind == step_kind::cast; }

// A buffer for each live value. One is free again after the last reader of its value, but not for
// that reader itself: a loop may not write over what it reads unless the elements are of one size.
// `kept` values are made once and stay.
std::vector<int> assign_buffers(const plan::program& p, const std::vector<bool>& live,
                                const std::vector<int>& last, const std::vector<bool>& kept,
                                int& count) {
  std::vector<int> buffer(p.steps.size(), -1), free_list;
  count = 0;
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    if (!live[i]) continue;
    // A kept value is there before the first step runs: its buffer never was another's.
    if (free_list.empty() || kept[i]) free_list.push_back(count++);
    buffer[i] = free_list.back();
    free_list.pop_back();
    for (std::size_t k = 0; k < i; ++k) {
      if (live[k] && !kept[k] && last[k] == int(i)) free_list.push_back(buffer[k]);
    }
  }
  return buffer;
}

}  // namespace

void evaluator::plan_actions(std::span<const int> wanted) {
  const auto& steps = program_.steps;
  const auto live = live_steps(program_, wanted);
  std::vector<bool> kept(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    kept[i] = steps[i].kind == step_kind::constant ||
              (steps[i].kind == step_kind::load &&
               all_zero(inputs_[std::size_t(steps[i].args[0])].strides));
  }
  int count = 0;
  const auto buffer =
      assign_buffers(program_, live, last_uses(program_, live, wanted), kept, count);
  const std::size_t bytes = (std::size_t(block_ * widest(program_)) + 63) / 64 * 64;
  memory_ = std::make_unique_for_overwrite<char[]>(bytes * std::size_t(count) + 64);
  char* base = memory_.get() + (64 - reinterpret_cast<std::uintptr_t>(memory_.get()) % 64) % 64;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!live[i]) continue;
    action a = make_action(int(i));
    a.buffer = base + bytes * std::size_t(buffer[i]);
    values_[i] = a.buffer;
    const auto at = std::find(wanted.begin(), wanted.end(), int(i));
    if (at != wanted.end()) a.wanted = int(at - wanted.begin());
    if (kept[i]) {
      fill_once(a);
    } else {
      actions_.push_back(a);
    }
  }
}

evaluator::action evaluator::make_action(int i) const {
  const step& s = program_.steps[std::size_t(i)];
  action a;
  a.step = i;
  if (s.kind == step_kind::op) a.run = op_loop(s.op, s.compute);
  if (s.kind == step_kind::cast) a.run = cast_loop(s.compute, s.type);
  if (reads_steps(s)) {
    while (a.n_args < 3 && s.args[a.n_args] >= 0) {
      a.args[a.n_args] = s.args[a.n_args];
      ++a.n_args;
    }
  }
  if (s.kind == step_kind::load) {
    const plan::view& v = inputs_[std::size_t(s.args[0])];
    a.linear = plan::is_c_contiguous(shape_, v.strides, itemsize(v.type));
    a.turned = is_turned(shape_, v, block_);
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
    const step& s = program_.steps[std::size_t(a.step)];
    if (s.kind == step_kind::load) {
      load(a, start, n);
    } else if (s.kind == step_kind::index) {
      auto* out = reinterpret_cast<std::int64_t*>(a.buffer);
      for (std::int64_t i = 0; i < n; ++i) out[i] = start + i;
    } else {
      const void* in[3];
      for (int k = 0; k < a.n_args; ++k) in[k] = values_[std::size_t(a.args[k])];
      char* out = a.wanted >= 0 && direct && direct[a.wanted] ? direct[a.wanted] : a.buffer;
      a.run(out, in, n);
      values_[std::size_t(a.step)] = out;
    }
  }
}

}  // namespace numwarp::cpu_backend
