#include "runtime/moments.hpp"

#include "runtime/storage.hpp"

namespace numwarp::detail {

namespace {

any_array call(op_code op, any_array a, any_array b) {
  operand both[] = {{&a, true, {}}, {&b, true, {}}};
  return elementwise(op, both);
}
any_array call(op_code op, any_array a, const scalar& b) {
  operand both[] = {{&a, true, {}}, {nullptr, false, b}};
  return elementwise(op, both);
}
any_array call(op_code op, any_array a) {
  operand one{&a, true, {}};
  return elementwise(op, {&one, 1});
}

// Sums over the axes of one call, in the widest type.
class masked_sums {
 public:
  masked_sums(const reduce_options& o, dtype wide) : wide_(wide) {
    sum_.axis = o.axis;
    sum_.keepdims = true;
    sum_.where = o.where;
  }
  any_array sum(operand a) {
    sum_.as = int(wide_);
    return reduce(reduce_code::sum, a, sum_);
  }
  // How many elements the mask chooses of each set.
  any_array count(const numwarp::shape& s) {
    any_array wide_mask = sum_.where->broadcast_to(s);
    reduce_options o;
    o.axis = sum_.axis;
    o.keepdims = true;
    o.as = int(dtype::float64);
    return reduce(reduce_code::sum, {&wide_mask, false, {}}, o);
  }

 private:
  reduce_options sum_;
  dtype wide_;
};

// |x|^2 as a real array.
any_array squared(any_array x) {
  if (kind(x.type()) != 'c') return call(op_code::square, std::move(x));
  x.compute();
  return call(op_code::add, call(op_code::square, x.real()), call(op_code::square, x.imag()));
}

}  // namespace

any_array masked_moment(reduce_code op, operand a, const reduce_options& options, dtype element) {
  const dtype wide = kind(element) == 'c' ? dtype::complex128 : dtype::float64;
  const numwarp::shape shape = a.array->shape();
  any_array x = a.temporary ? std::move(*a.array) : *a.array;
  if (x.type() != element) x = cast({&x, true, {}}, element);
  if (op != reduce_code::mean) x.compute();  // read twice
  masked_sums sums(options, wide);
  const any_array n = sums.count(shape);
  any_array mean = call(op_code::divide, sums.sum({&x, op == reduce_code::mean, {}}), n);
  if (op == reduce_code::mean) return mean.compute();
  any_array distance = squared(call(op_code::subtract, x, std::move(mean)));
  any_array total = masked_sums(options, dtype::float64).sum({&distance, true, {}});
  any_array freedom =
      call(op_code::maximum, call(op_code::subtract, n, scalar(options.ddof)), scalar(0.0));
  any_array v = call(op_code::divide, std::move(total), std::move(freedom));
  return (op == reduce_code::std ? call(op_code::sqrt, std::move(v)) : v).compute();
}

}  // namespace numwarp::detail
