// Result types against NumPy's, for all types and pairs of types.
#include "core_test_support.hpp"

using namespace core_test;

namespace {

// One letter a dtype, in the order of the tags; '-': NumPy refuses, '.': not compared.
constexpr char letters[] = "TbhilBHILegfdFD";
static_assert(sizeof letters == dtype_count + 1);

dtype at(int tag) { return dtype(tag); }

op_code code_of(const std::string& name) {
  for (int i = 0; i < op_count; ++i) {
    if (name == op_name(op_code(i))) return op_code(i);
  }
  ADD_FAILURE() << "no op " << name;
  return op_code::add;
}

char resolved(op_code code, dtype promoted) {
  dtype compute{}, result{};
  return resolve(code, promoted, compute, result) ? letters[int(result)] : '-';
}

void check_promote(dtype a, const char* row) {
  for (int b = 0; b < dtype_count; ++b) {
    EXPECT_EQ(promotable(a, at(b)), row[b] != '-');
    if (row[b] != '-') {
      EXPECT_EQ(letters[int(promote(a, at(b)))], row[b]) << int(a) << ' ' << b;
    }
    EXPECT_EQ(promote(a, at(b)), promote(at(b), a));
  }
}

void check_weak(char scalar_kind, const char* row) {
  for (int a = 0; a < dtype_count; ++a) {
    if (row[a] == '.') continue;
    EXPECT_EQ(letters[int(promote_weak(at(a), scalar_kind))], row[a]) << scalar_kind << a;
  }
}

void check_result(const char* name, const char* row) {
  for (int a = 0; a < dtype_count; ++a) {
    if (row[a] != '.') {
      EXPECT_EQ(resolved(code_of(name), at(a)), row[a]) << name << ' ' << a;
    }
  }
}

void check_pair(const char* name, dtype a, const char* row) {
  const op_code code = code_of(name);
  for (int b = 0; b < dtype_count; ++b) {
    if (row[b] == '.') continue;
    EXPECT_EQ(resolved(code, promote_for(code, a, at(b))), row[b]) << name << int(a) << ' ' << b;
  }
}

TEST(type_rules, are_those_of_numpy) {
#define NW_PROMOTE(a, row) check_promote(dtype::a, row);
#define NW_WEAK(kind, row) check_weak(kind, row);
#define NW_RESULT(op, row) check_result(#op, row);
#define NW_PAIR(op, a, row) check_pair(#op, dtype::a, row);
#include "type_rules_golden.inc"
}

// NumPy has no bfloat16; its rows are those of float16.
TEST(type_rules, bfloat16_follows_float16) {
  EXPECT_EQ(promote_weak(dtype::bfloat16, 'f'), dtype::bfloat16);
  for (int i = 0; i < op_count; ++i) {
    const char half = resolved(op_code(i), dtype::float16);
    EXPECT_EQ(resolved(op_code(i), dtype::bfloat16), half == 'e' ? 'g' : half);
  }
}

TEST(type_rules, compile_time_and_run_time_agree) {
  static_assert(compute_tag<op::sqrt, dtype::int16> == int(dtype::float32));
  static_assert(compute_tag<op::bitwise_and, dtype::float32> == -1);
  static_assert(result_dtype<op::absolute, dtype::complex128> == dtype::float64);
  static_assert(op::clip::arity == 3 && op_arity(op_code::clip) == 3);
  static_assert(arg_dtype(op_code::where, 0, dtype::int8) == dtype::bool_);
  static_assert(arg_dtype(op_code::where, 1, dtype::int8) == dtype::int8);
  EXPECT_STREQ(op_name(op_code::floor_divide), "floor_divide");
}

template <class Op, int Tag> void check_call() {
  constexpr int tag = compute_tag<Op, dtype(Tag)>;
  if constexpr (tag >= 0) {
    using T = type_at<tag>;
    using R = type_at<int(result_dtype<Op, dtype(tag)>)>;
    if constexpr (Op::arity == 1) {
      static_assert(is_same<decltype(Op::call(T())), R>);
    } else if constexpr (Op::arity == 2) {
      static_assert(is_same<decltype(Op::call(T(), T())), R>);
    } else {
      using A = typename Op::template first<T>;
      static_assert(is_same<decltype(Op::template call<T>(A(), T(), T())), R>);
    }
  }
  if constexpr (Tag + 1 < dtype_count) check_call<Op, Tag + 1>();
}

TEST(type_rules, calls_give_the_result_dtype) {
#define NW_UNARY(name, rule, ...) check_call<op::name, 0>();
#define NW_BINARY(name, rule, ...) check_call<op::name, 0>();
#define NW_TERNARY(name, rule, ...) check_call<op::name, 0>();
#include <numwarp/core/ops.def>
}

}  // namespace
