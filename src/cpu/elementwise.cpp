#include <algorithm>
#include <string>

#include <numwarp/error.hpp>
#include "cpu/evaluator.hpp"
#include "cpu/kernels.hpp"
#include "cpu/thread_pool.hpp"
#include "plan/layout.hpp"

namespace numwarp::cpu_backend {

using plan::step_kind;

namespace {

// Pieces a thread should at least get, in elements.
constexpr std::int64_t grain = 32768;

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

template <class T>
const T* first_negative(const char* v, std::int64_t n) {
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
    case dtype::int8: return fail(first_negative<signed char>(v, n));
    case dtype::int16: return fail(first_negative<short>(v, n));
    case dtype::int32: return fail(first_negative<int>(v, n));
    default: return fail(first_negative<long>(v, n));
  }
}

void check_values(const plan::elementwise& p) {
  const auto list = exponents(*p.program);
  if (list.empty()) return;
  const std::int64_t block = block_elements(*p.program);
  const blocking pieces(p.shape, block);
  evaluator e(*p.program, p.shape, p.inputs, list, block);
  for (std::int64_t i = 0; i < pieces.count(); ++i) {
    std::int64_t start, n;
    pieces.piece(i, start, n);
    e.run(start, n, nullptr);
    for (int s : list) check_exponents(e.value(s), n, p.program->steps[std::size_t(s)].type);
  }
}

// How one output is stored: made in place where it is contiguous and of the value's type, else
// converted and scattered.
struct store {
  const plan::output_view& view;
  bool linear, converts;
  loop cast = nullptr;

  store(const plan::elementwise& p, const plan::output_view& o)
      : view(o), linear(plan::is_c_contiguous(p.shape, o.strides, itemsize(o.type))),
        converts(p.program->steps[std::size_t(o.step)].type != o.type) {
    if (converts) cast = cast_loop(p.program->steps[std::size_t(o.step)].type, o.type);
  }
  char* direct(std::int64_t start) const {
    return linear && !converts ? view.data + start * itemsize(view.type) : nullptr;
  }
  void put(const dims& shape, const char* value, std::int64_t start, std::int64_t n,
           std::vector<char>& temp) const {
    const int size = itemsize(view.type);
    char* target = linear ? view.data + start * size : nullptr;
    if (converts) {
      temp.resize(std::size_t(n * 16));
      const void* in[] = {value};
      cast(target ? target : temp.data(), in, n);
      value = temp.data();
    } else if (target) {
      if (value != target) std::copy_n(value, n * size, target);
    }
    if (!target) scatter(shape, view, start, n, value);
  }
};

}  // namespace

void run_elementwise(const plan::elementwise& p) {
  check_values(p);
  std::vector<int> wanted;
  std::vector<store> stores;
  for (const auto& o : p.outputs) {
    wanted.push_back(o.step);
    stores.emplace_back(p, o);
  }
  const std::int64_t block = block_elements(*p.program);
  const blocking pieces(p.shape, block);
  const auto work = [&](std::int64_t first, std::int64_t last) {
    evaluator e(*p.program, p.shape, p.inputs, wanted, block);
    std::vector<char*> direct(stores.size());
    std::vector<char> temp;
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t start, n;
      pieces.piece(i, start, n);
      for (std::size_t k = 0; k < stores.size(); ++k) direct[k] = stores[k].direct(start);
      e.run(start, n, direct.data());
      for (std::size_t k = 0; k < stores.size(); ++k) {
        stores[k].put(p.shape, e.value(wanted[k]), start, n, temp);
      }
    }
  };
  if (p.size < 2 * grain) {
    work(0, pieces.count());
  } else {
    parallel_for(pieces.count(), work);
  }
}

}  // namespace numwarp::cpu_backend
