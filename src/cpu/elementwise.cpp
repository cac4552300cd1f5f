#include <algorithm>
#include <atomic>
#include <list>
#include <memory>
#include <numwarp/error.hpp>
#include <optional>
#include <string>

#include "cpu/evaluator.hpp"
#include "cpu/kernels.hpp"
#include "cpu/strided_loops.hpp"
#include "cpu/thread_pool.hpp"
#include "cpu/tiles.hpp"
#include "plan/layout.hpp"

namespace numwarp::cpu_backend {

using plan::step_kind;

namespace {

// Elements of a piece of a loop that needs no buffers.
constexpr std::int64_t long_piece = 32768;
// Fewer elements stay in the caches in whatever order they are walked.
constexpr std::int64_t least_for_tiles = 65536;

// Steps whose values must be looked at before anything is stored: exponents of integer powers.
std::vector<int> exponents(const plan::program& p) {
  std::vector<int> list;
  for (const plan::step& s : p.steps) {
    if (s.kind == step_kind::op && s.op == core::op_code::power && kind(s.compute) == 'i' &&
        p.steps[std::size_t(s.args[1])].kind != step_kind::constant) {
      list.push_back(s.args[1]);
    }
  }
  return list;
}

template <class T> const T* first_negative(const char* v, std::int64_t n) {
  const T* x = reinterpret_cast<const T*>(v);
  const T* at = std::find_if(x, x + n, [](T e) { return e < 0; });
  return at == x + n ? nullptr : at;
}

void check_exponents(const char* v, std::int64_t n, dtype t) {
  const auto fail = [](const auto* e) {
    if (e) {
      throw value_error("power: Integers to negative integer powers are not allowed, got " +
                        std::to_string(*e));
    }
  };
  switch (t) {
    case dtype::int8:
      return fail(first_negative<signed char>(v, n));
    case dtype::int16:
      return fail(first_negative<short>(v, n));
    case dtype::int32:
      return fail(first_negative<int>(v, n));
    default:
      return fail(first_negative<long>(v, n));
  }
}

// Whether an output is streamed: it is larger than what the caches keep for later readers, not in
// them already as an input, and so much of the traffic that its lines are better not read first.
bool is_streamed(const plan::elementwise& p, const plan::output_view& o) {
  constexpr std::int64_t limit = std::int64_t(1) << 24;
  const int size = itemsize(o.type);
  int read = 0;  // bytes an element
  for (const plan::view& v : p.inputs) read += itemsize(v.type);
  return p.size * size >= limit && 4 * size > read &&
         std::none_of(p.inputs.begin(), p.inputs.end(),
                      [&](const plan::view& v) { return v.data == o.data; });
}

// How one output is stored: made in place where it is contiguous and of the value's type, else
// converted, streamed, scattered.
struct store {
  const plan::output_view& view;
  bool linear, converts, streamed;
  loop cast = nullptr;

  store(const plan::elementwise& p, const plan::output_view& o)
      : view(o),
        linear(plan::is_c_contiguous(p.shape, o.strides, itemsize(o.type))),
        converts(p.program->steps[std::size_t(o.step)].type != o.type),
        streamed(is_streamed(p, o)) {
    if (converts) cast = cast_loop(p.program->steps[std::size_t(o.step)].type, o.type);
  }
  char* direct(std::int64_t start) const {
    return linear && !converts && !streamed ? view.data + start * itemsize(view.type) : nullptr;
  }
  void put(const dims& shape, const char* value, std::int64_t start, std::int64_t n,
           char* temp) const {
    const int size = itemsize(view.type);
    char* target = linear ? view.data + start * size : nullptr;
    if (converts) {
      char* made = target && !streamed ? target : temp;
      const void* in[] = {value};
      cast(made, in, n);
      value = made;
    }
    if (!target) {
      scatter(shape, view, start, n, value, streamed);
    } else if (streamed) {
      stream(target, value, n * size);
    } else if (value != target) {
      std::copy_n(value, n * size, target);
    }
  }
};

using store_list = plan::small_vector<store, 1>;

// What one thread works with.
struct lane {
  evaluator values;
  plan::small_vector<char*, 1> direct;
  std::unique_ptr<char[]> temp;
  lane(const plan::elementwise& p, std::span<const int> wanted, const store_list& stores,
       std::int64_t block, std::span<char> room)
      : values(*p.program, p.shape, p.inputs, wanted, block, room) {
    direct.resize(stores.size());
    if (std::any_of(stores.begin(), stores.end(), [](const store& s) { return s.converts; }))
      temp = std::make_unique_for_overwrite<char[]>(std::size_t(block * 16));
  }
};

// One op or cast of whole contiguous arrays and constants: no interpreter, only the loop.
class direct_loop {
 public:
  explicit direct_loop(const plan::elementwise& p) : p_(p), root_(root()) {
    if (!root_) return;
    loop_ = root_->kind == step_kind::op ? op_loop(root_->op, root_->compute)
                                         : cast_loop(root_->compute, root_->type);
    for (int k = 0; k < 3 && root_->args[k] >= 0; ++k) {
      const plan::step& s = p.program->steps[std::size_t(root_->args[k])];
      if (s.kind == step_kind::constant) {
        has_constant_ = true;
        constants_[k] = &s;
      } else {
        in_[k] = p.inputs[std::size_t(s.args[0])].data;
        size_[k] = itemsize(s.type);
      }
    }
  }
  bool fits() const { return root_ != nullptr; }

  void run() const {
    // Without constants nothing but the tasks of the threads asks for pieces.
    const std::int64_t piece = has_constant_ ? buffer_bytes / widest() : long_piece;
    const std::int64_t pieces = (p_.size + piece - 1) / piece;
    const auto work = [&](std::int64_t first, std::int64_t last) {
      alignas(64) char buffers[3][buffer_bytes];
      fill(buffers, std::min(piece, p_.size));
      for (std::int64_t i = first; i < last; ++i)
        call(buffers, i * piece, std::min(piece, p_.size - i * piece));
    };
    if (worth_threads(*p_.program, p_.size)) {
      parallel_for(pieces, work);
    } else {
      work(0, pieces);
    }
  }

 private:
  static constexpr int buffer_bytes = 4096;

  const plan::step* root() const {
    if (p_.outputs.size() != 1) return nullptr;
    const plan::output_view& o = p_.outputs[0];
    const plan::step& s = p_.program->steps[std::size_t(o.step)];
    if ((s.kind != step_kind::op && s.kind != step_kind::cast) || s.type != o.type ||
        !is_linear(o) || is_streamed(p_, o)) {
      return nullptr;
    }
    for (int a : s.args) {
      if (a >= 0 && !is_simple(p_.program->steps[std::size_t(a)])) return nullptr;
    }
    return &s;
  }
  bool is_linear(const plan::view& v) const {
    return plan::is_c_contiguous(p_.shape, v.strides, itemsize(v.type));
  }
  bool is_simple(const plan::step& s) const {
    return s.kind == step_kind::constant ||
           (s.kind == step_kind::load && is_linear(p_.inputs[std::size_t(s.args[0])]));
  }
  int widest() const {
    int bytes = 1;
    for (const plan::step* c : constants_) bytes = c ? std::max(bytes, itemsize(c->type)) : bytes;
    return bytes;
  }
  void fill(char (&buffers)[3][buffer_bytes], std::int64_t n) const {
    for (int k = 0; k < 3; ++k) {
      if (constants_[k])
        repeat(buffers[k], constants_[k]->value.bytes, n, itemsize(constants_[k]->type));
    }
  }
  void call(char (&buffers)[3][buffer_bytes], std::int64_t start, std::int64_t n) const {
    const void* in[3];
    for (int k = 0; k < 3; ++k) in[k] = constants_[k] ? buffers[k] : in_[k] + start * size_[k];
    loop_(p_.outputs[0].data + start * itemsize(p_.outputs[0].type), in, n);
  }

  const plan::elementwise& p_;
  const plan::step* root_;
  loop loop_ = nullptr;
  const char* in_[3] = {};
  int size_[3] = {};
  const plan::step* constants_[3] = {};
  bool has_constant_ = false;
};

}  // namespace

void check_values(const plan::program& p, const dims& shape, std::span<const plan::view> inputs) {
  const auto list = exponents(p);
  if (list.empty()) return;
  const std::int64_t block = block_elements(p);
  const blocking pieces(shape, block);
  evaluator e(p, shape, inputs, list, block);
  for (std::int64_t i = 0; i < pieces.count(); ++i) {
    std::int64_t start, n;
    pieces.piece(i, start, n);
    e.run(start, n, nullptr);
    for (int s : list) check_exponents(e.value(s), n, p.steps[std::size_t(s)].type);
  }
}

namespace {

// A plan run block by block. Made with the work memory of every thread, before anything is stored:
// the output may be a lent input.
class block_run {
 public:
  block_run(const plan::elementwise& p, std::int64_t block)
      : p_(p), block_(block), pieces_(p.shape, block), alone_(!worth_threads(*p.program, p.size)) {
    for (const auto& o : p.outputs) {
      wanted_.push_back(o.step);
      streams_ |= stores_.emplace_back(p, o).streamed;
    }
    const std::int64_t threads =
        alone_ ? 1 : std::min<std::int64_t>(thread_count(), pieces_.count());
    lanes_.reserve(std::size_t(threads));
    for (std::int64_t i = 0; i < threads; ++i) add_lane(i == 0 ? std::span(room_) : no_room);
  }
  block_run(const block_run&) = delete;
  block_run& operator=(const block_run&) = delete;

  void run() {
    if (alone_) return run_pieces(lanes_[0], 0, pieces_.count());
    parallel_for(pieces_.count(), [this](std::int64_t first, std::int64_t last) {
      const std::size_t index = taken_.fetch_add(1, std::memory_order_relaxed);
      std::optional<lane> late;  // the number of threads was raised meanwhile
      if (index >= lanes_.size()) late.emplace(p_, wanted_, stores_, block_, no_room);
      run_pieces(late ? *late : lanes_[index], first, last);
    });
  }

 private:
  static constexpr std::span<char> no_room{};

  void add_lane(std::span<char> room) { lanes_.emplace_back(p_, wanted_, stores_, block_, room); }
  void run_pieces(lane& mine, std::int64_t first, std::int64_t last) const {
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t start, n;
      pieces_.piece(i, start, n);
      for (std::size_t k = 0; k < stores_.size(); ++k) mine.direct[k] = stores_[k].direct(start);
      mine.values.run(start, n, mine.direct.data());
      for (std::size_t k = 0; k < stores_.size(); ++k)
        stores_[k].put(p_.shape, mine.values.value(wanted_[k]), start, n, mine.temp.get());
    }
    if (streams_) stream_fence();
  }

  const plan::elementwise& p_;
  const std::int64_t block_;
  const blocking pieces_;
  const bool alone_;
  bool streams_ = false;
  plan::small_vector<int, 1> wanted_;
  store_list stores_;
  plan::small_vector<lane, 1> lanes_;
  std::atomic<std::size_t> taken_{0};
  // Buffers of the first lane: a small statement asks for no memory.
  alignas(64) char room_[16384];
};

}  // namespace

void run_elementwise(const plan::elementwise& p) {
  check_values(*p.program, p.shape, p.inputs);
  if (const direct_loop direct(p); direct.fits()) return direct.run();
  const std::int64_t block = std::min(block_elements(*p.program), p.size);
  if (p.size >= least_for_tiles) {
    if (const auto tiles = cut_into_tiles(p, block); !tiles.empty()) {
      std::list<block_run> runs;
      for (const auto& part : tiles) runs.emplace_back(part, block);
      for (block_run& r : runs) r.run();
      return;
    }
  }
  block_run(p, block).run();
}

}  // namespace numwarp::cpu_backend
