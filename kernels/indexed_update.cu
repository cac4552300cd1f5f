#include "indexed_update.cuh"
#include "prebuilt_indexed.hpp"

namespace numwarp::kernels {

namespace {

template <class T>
inline constexpr bool adds_atomically = is_same<T, int> || is_same<T, u32> || is_same<T, i64> ||
                                        is_same<T, u64> || is_same<T, float> || is_same<T, double>;
template <class Op, class T>
inline constexpr bool is_atomic =
    adds_atomically<T> &&
    (Op::code == op_code::add || ((Op::code == op_code::maximum || Op::code == op_code::minimum) &&
                                  !is_same<T, float> && !is_same<T, double>));

template <class Op, int Tag = 0> void add_updates(update_table& t) {
  if constexpr (Tag < dtype_count) {
    if constexpr (compute_tag<Op, dtype(Tag)> == Tag) {
      using T = type_at<Tag>;
      if constexpr (result_dtype<Op, dtype(Tag)> == dtype(Tag)) {
        t.at[int(Op::code)][Tag].runs = reinterpret_cast<const void*>(&update_runs<Op, T, T>);
      }
      if constexpr (is_atomic<Op, T>) {
        t.at[int(Op::code)][Tag].atomic = reinterpret_cast<const void*>(&update_atomic<Op, T>);
      }
    }
    add_updates<Op, Tag + 1>(t);
  }
}

}  // namespace

void add_updates(update_table& t) {
#define NW_ADD(name) add_updates<op::name>(t);
  NW_FOR_EACH_UPDATE(NW_ADD)
#undef NW_ADD
}

}  // namespace numwarp::kernels
