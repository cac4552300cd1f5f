// The one entry of all elementwise functions: NumPy's type resolution, broadcasting, out and where.
#include <algorithm>
#include <array>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/elementwise_call.hpp"
#include "runtime/output.hpp"

namespace numwarp::detail {

numwarp::shape common_shape(const char* name, std::span<operand> operands) {
  plan::small_vector<const dims*, 5> shapes;
  for (const operand& o : operands) {
    if (o.array) shapes.push_back(&access::lay(*o.array, name).shape);
  }
  return plan::broadcast_shapes(shapes, name);
}

const numwarp::shape& shape_of(const operand& o, const char* name) {
  static const numwarp::shape scalar_shape;
  return o.array ? access::lay(*o.array, name).shape : scalar_shape;
}

std::vector<operand> named_operands(std::span<const any_array> list) {
  std::vector<operand> out;
  for (const any_array& a : list) out.push_back({const_cast<any_array*>(&a), false, {}});
  return out;
}

device common_device(const char* name, std::span<operand> operands) {
  const storage* first = nullptr;
  for (const operand& o : operands) {
    if (!o.array) continue;
    const storage* s = access::store(resolved(*o.array, name)).get();
    if (!first) first = s;
    if (!(s->where == first->where)) {
      throw device_error(std::string(name) + ": operands are on different devices, " +
                         to_string(first->where) + " and " + to_string(s->where) +
                         "; move one with .to(device)");
    }
  }
  return first ? first->where : default_device();
}

namespace {

using core::op_name;

std::string type_list(std::span<operand> operands) {
  std::string text;
  for (const operand& o : operands) {
    if (!text.empty()) text += ", ";
    text += o.array ? std::string(numwarp::name(o.array->type())) : "scalar";
  }
  return text;
}

// What promotion asks of each operand; no op has more than three.
std::array<type_argument, 3> type_arguments(std::span<operand> operands) {
  std::array<type_argument, 3> list{};
  type_argument* to = list.data();
  for (const operand& o : operands) {
    *to++ = o.array ? type_argument{o.array->type(), true, 0}
                    : type_argument{o.value.type, o.value.strong, o.value.kind};
  }
  return list;
}

// Comparisons of int64 with uint64 are exact in NumPy, where promotion to float64 would not be:
// each side becomes int64 or uint64 after the sign has been asked.
bool mixed_signs(dtype a, dtype b) {
  return (a == dtype::uint64 && kind(b) == 'i') || (b == dtype::uint64 && kind(a) == 'i');
}

bool is_comparison(op_code op) {
  return op == op_code::equal || op == op_code::not_equal || op == op_code::less ||
         op == op_code::less_equal || op == op_code::greater || op == op_code::greater_equal;
}

// The answer of `x op y` when x is below y (-1) or above it (1) for certain.
bool verdict(op_code op, int order) {
  switch (op) {
    case op_code::not_equal:
      return true;
    case op_code::less:
    case op_code::less_equal:
      return order < 0;
    case op_code::greater:
    case op_code::greater_equal:
      return order > 0;
    default:
      return false;
  }
}

// The types of an op on arrays of one type, which most calls are; -1 where it has none.
struct op_types {
  std::int8_t compute = -1, result = -1;
};
constexpr auto types_of_alike = [] {
  std::array<std::array<op_types, std::size_t(dtype_count)>, std::size_t(op_code::count_)> table{};
  for (int op = 0; op < int(op_code::count_); ++op) {
    for (int t = 0; t < dtype_count; ++t) {
      const type_argument a{dtype(t), true, 0};
      const type_argument list[] = {a, a, a};
      const dtype promoted = promote_arguments(op_code(op), list, core::op_arity(op_code(op)));
      dtype compute{}, result{};
      if (!core::resolve(op_code(op), promoted, compute, result)) continue;
      table[std::size_t(op)][std::size_t(t)] = {std::int8_t(compute), std::int8_t(result)};
    }
  }
  return table;
}();

class ufunc_call final : public elementwise_call {
 public:
  ufunc_call(op_code op, std::span<operand> operands, const call_options& options)
      : elementwise_call(op_name(op), operands, options), op_(op) {}

 private:
  void resolve() override {
    if (resolve_alike()) return;
    const auto list = type_arguments(operands_);
    const int n = int(operands_.size());
    promoted_ = options_.as >= 0 ? dtype(options_.as) : promote_arguments(op_, list.data(), n);
    const bool common = options_.as >= 0 || promotable_arguments(op_, list.data(), n);
    if (!common || !core::resolve(op_, promoted_, compute_, result_)) {
      refuse_types();
    }
    exact_ = is_comparison(op_) && options_.as < 0 && operands_[0].array && operands_[1].array &&
             mixed_signs(operands_[0].array->type(), operands_[1].array->type());
    for (const operand& o : operands_) {
      if (options_.as >= 0 && o.array && !can_cast_same_kind(o.array->type(), compute_)) {
        throw type_error(std::string(name_) + ": Cannot cast ufunc '" + name_ +
                         "' input from dtype('" + std::string(numwarp::name(o.array->type())) +
                         "') to dtype('" + std::string(numwarp::name(compute_)) +
                         "') with casting rule 'same_kind'");
      }
    }
    check_scalars();
  }

  // True for arrays of one type for which there is a loop.
  bool resolve_alike() {
    if (options_.as >= 0 || !operands_[0].array) return false;
    const dtype t = operands_[0].array->type();
    for (const operand& o : operands_.subspan(1)) {
      if (!o.array || o.array->type() != t) return false;
    }
    const op_types known = types_of_alike[std::size_t(op_)][std::size_t(t)];
    if (known.compute < 0) return false;
    compute_ = dtype(known.compute);
    result_ = dtype(known.result);
    return true;
  }

  [[noreturn]] void refuse_types() const {
    std::string text = std::string(name_) + ": ";
    if (promoted_ == dtype::bool_ && op_ == op_code::subtract) {
      text +=
          "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the "
          "`^` operator, or the logical_xor function instead; got the input types (";
    } else if (promoted_ == dtype::bool_ && op_ == op_code::negative) {
      text +=
          "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator "
          "or the logical_not function instead; got the input types (";
    } else {
      text += "ufunc '" + std::string(name_) + "' not supported for the input types (";
    }
    throw type_error(text + type_list(operands_) + ")");
  }

  // All that can be refused is refused before any operand is taken.
  void check_scalars() {
    outside_ = 0;
    for (std::size_t k = 0; k < operands_.size(); ++k) {
      const operand& o = operands_[k];
      if (o.array) continue;
      const dtype t = core::arg_dtype(op_, int(k), compute_);
      if (is_comparison(op_) && !fits(o.value, t)) {
        const bool below = o.value.kind == 'i' && o.value.i < 0;
        outside_ = (below ? 1 : -1) * (k == 0 ? -1 : 1);
      } else {
        operand_bits(op_, int(k), compute_, o.value);
      }
    }
  }

  int body(statement& st, statement::values& v) override {
    auto& program = st.program();
    if (outside_ != 0) return st.constant(scalar(verdict(op_, outside_)), dtype::bool_);
    if (exact_) return compare_exactly(st, v);
    for (std::size_t k = 0; k < v.size(); ++k) {
      const dtype t = core::arg_dtype(op_, int(k), compute_);
      v[k] = v[k] >= 0 ? program.cast(v[k], t) : st.constant(operands_[k].value, t);
    }
    return program.op(op_, compute_, result_, v.data(), int(v.size()));
  }

  // a op b for int64 a and uint64 b: where a is negative the answer is known, else compare as
  // uint64.
  int compare_exactly(statement& st, const statement::values& v) {
    auto& p = st.program();
    const int s = kind(p.steps[std::size_t(v[0])].type) == 'i' ? 0 : 1;
    const int wide = p.cast(v[std::size_t(s)], dtype::int64);
    const int zero = st.constant(scalar(0), dtype::int64);
    const int sign_args[] = {wide, zero};
    const int negative = p.op(op_code::less, dtype::int64, dtype::bool_, sign_args, 2);
    int args[2];
    args[s] = p.cast(wide, dtype::uint64);
    args[1 - s] = p.cast(v[std::size_t(1 - s)], dtype::uint64);
    const int same_sign = p.op(op_, dtype::uint64, dtype::bool_, args, 2);
    const int known = st.constant(scalar(verdict(op_, s == 0 ? -1 : 1)), dtype::bool_);
    const int pick[] = {negative, known, same_sign};
    return p.op(op_code::where, dtype::bool_, dtype::bool_, pick, 3);
  }

  op_code op_;
  dtype promoted_{}, compute_{};
  bool exact_ = false;
  int outside_ = 0;  // comparison with a scalar beyond the type: -1 array below it, 1 above
};

}  // namespace

any_array elementwise(op_code op, std::span<operand> operands, const call_options& options) {
  return ufunc_call(op, operands, options).run();
}

std::pair<any_array, any_array> divmod(std::span<operand> operands) {
  const char* name = "divmod";
  const numwarp::shape shape = common_shape(name, operands);
  const auto list = type_arguments(operands);
  const dtype promoted = promote_arguments(op_code::floor_divide, list.data(), 2);
  dtype compute, result;
  if (!core::resolve(op_code::floor_divide, promoted, compute, result)) {
    throw type_error("divmod: ufunc 'divmod' not supported for the input types (" +
                     type_list(operands) + ")");
  }
  for (const operand& o : operands) {
    if (!o.array) to_bits(o.value, compute, name);
  }
  statement st(name, shape, common_device(name, operands));
  statement::values v = st.take(operands);
  for (std::size_t k = 0; k < v.size(); ++k) {
    v[k] = v[k] >= 0 ? st.program().cast(v[k], compute) : st.constant(operands[k].value, compute);
  }
  const int q = st.program().op(op_code::floor_divide, compute, result, v.data(), 2);
  const int r = st.program().op(op_code::remainder, compute, result, v.data(), 2);
  return st.results(q, r, result);
}

any_array cast(operand source, dtype t, order o) {
  const std::span<operand> one(&source, 1);
  const numwarp::shape shape = common_shape("astype", one);
  const dims strides =
      plan::like_strides(o, access::lay(*source.array, "astype"), shape, itemsize(t));
  statement st("astype", shape, common_device("astype", one));
  const int v = st.take(one)[0];
  return st.result(st.program().cast(v, t), t, strides);
}

}  // namespace numwarp::detail
