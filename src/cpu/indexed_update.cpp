// ufunc.at: elements updated one after the other, so that one that is chosen twice is updated
// twice.
#include <cstring>
#include <numwarp/core/indexed_layout.hpp>
#include <type_traits>

#include "cpu/indexed_walker.hpp"
#include "cpu/kernels.hpp"
#include "cpu/loops.hpp"

namespace numwarp::cpu_backend {

namespace {

// By value, as the compiler must take a store for one into what it refers to.
template <class F> void for_each_element(const row_move m, const plan::indexed& p, const F& f) {
  const std::int64_t row = p.row, array_step = p.array_step, packed_step = p.packed_step;
  for (std::int64_t j = 0; j < m.rows; ++j) {
    char *array = m.array + m.offsets[j], *packed = m.packed + j * m.packed_step;
    m.ask_ahead<true>(j);
    f(array, packed);
    for (std::int64_t i = 1; i < row; ++i) f(array + i * array_step, packed + i * packed_step);
  }
}

// Where the op computes in the array's type and gives it.
template <class Op, class T> void update(const row_move& m, const plan::indexed& p) {
  for_each_element(m, p, [](char* array, const char* packed) {
    T a, b;
    std::memcpy(static_cast<void*>(&a), array, sizeof a);
    std::memcpy(static_cast<void*>(&b), packed, sizeof b);
    a = Op::template call<T>(a, b);
    std::memcpy(array, static_cast<const void*>(&a), sizeof a);
  });
}

// Any other: converted for the op and back, element by element.
void update_any(const row_move& m, const plan::indexed& base) {
  const auto& p = static_cast<const plan::indexed_update&>(base);
  const dtype type = p.array.type, compute = p.packed.type;
  const loop in = cast_loop(type, compute), op = op_loop(p.op, compute);
  const loop out = cast_loop(p.result, type);
  for_each_element(m, p, [&](char* array, const char* packed) {
    alignas(16) char a[16], b[16], r[16];
    const void* const from[] = {array};
    const void* const made[] = {r};
    const void* const operands[] = {a, b};
    in(a, from, 1);
    std::memcpy(b, packed, std::size_t(itemsize(compute)));
    op(r, operands, 1);
    out(array, made, 1);
  });
}

template <class Op> move_loop loop_for(dtype t) {
  switch (t) {
#define NW_DTYPE(tag, type, name, kind, npy)                                                   \
  case dtype::tag:                                                                             \
    if constexpr (core::compute_tag<Op, dtype::tag> == int(dtype::tag)) {                      \
      if constexpr (core::result_dtype<Op, dtype::tag> == dtype::tag) return update<Op, type>; \
    }                                                                                          \
    break;
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
  return nullptr;
}

move_loop find_update(const plan::indexed_update& p) {
  if (p.packed.type != p.array.type) return update_any;
  move_loop found = nullptr;
  switch (p.op) {
#define NW_UPDATE(name)                             \
  case core::op_code::name:                         \
    found = loop_for<core::op::name>(p.array.type); \
    break;
    NW_FOR_EACH_UPDATE(NW_UPDATE)
#undef NW_UPDATE
    default:
      break;
  }
  return found ? found : update_any;
}

}  // namespace

void run_indexed_update(const plan::indexed_update& p) {
  check_indices(p);
  index_walker(p, find_update(p)).run(0, p.size);
}

}  // namespace numwarp::cpu_backend
