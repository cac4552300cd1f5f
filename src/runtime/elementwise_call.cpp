#include "runtime/elementwise_call.hpp"

#include "runtime/output.hpp"

namespace numwarp::detail {

any_array elementwise_call::run() {
  if (const any_array* const plain =
          options_.where ? nullptr : plain_operand(operands_, options_.out)) {
    resolve();
    const auto& shape = access::raw_layout(*plain).shape;
    if (options_.out) check_output(*options_.out, shape, result_, name_);
    statement st(name_, shape, access::store(*plain)->where, op_count(), true);
    statement::values v = st.take(operands_, options_.out);
    return finish(st, body(st, v));
  }
  for (const operand& o : operands_) {
    if (o.array) access::lay(*o.array, name_);
  }
  if (order_ == order::a) order_ = common_order();
  resolve();
  std::span<operand> all = operands_;
  plan::small_vector<operand, 5> more;
  if (options_.where || options_.out) {
    for (const operand& o : operands_) more.push_back(o);
    for (const any_array* extra : {options_.where, options_.out}) {
      if (extra) more.push_back({const_cast<any_array*>(extra), false, {}});
    }
    all = more;
  }
  const numwarp::shape shape = common_shape(name_, all);
  const device where = common_device(name_, all);
  if (options_.out) check_output(*options_.out, shape, result_, name_);
  if (options_.where) {
    check_mask(*options_.where, name_);
    options_.where->compute();
  }
  statement st(name_, shape, where, op_count());
  statement::values v = st.take(operands_, options_.out);
  return finish(st, body(st, v));
}

// A is F where all operands are in F order, and not all in C order, too.
order elementwise_call::common_order() const {
  bool c = true, f = true;
  for (const operand& o : operands_) {
    if (!o.array) continue;
    c &= o.array->is_c_contiguous();
    f &= o.array->is_f_contiguous();
  }
  return f && !c ? order::f : order::c;
}

int elementwise_call::masked(statement& st, int step) {
  operand more[] = {{const_cast<any_array*>(options_.where), false, {}},
                    {const_cast<any_array*>(options_.out), false, {}}};
  const auto v = st.load_named(std::span(more).first(options_.out ? 2 : 1));
  const int other =
      options_.out ? st.program().cast(v[1], result_) : st.constant(scalar(false), result_);
  const int args[] = {v[0], step, other};
  return st.program().op(op_code::where, result_, result_, args, 3);
}

any_array elementwise_call::finish(statement& st, int step) {
  if (options_.where) step = masked(st, step);
  if (!options_.out) return st.result(step, result_, order_);
  st.write(step, *options_.out);
  return *options_.out;
}

}  // namespace numwarp::detail
