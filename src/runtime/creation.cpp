// New arrays.
#include "runtime/creation.hpp"

#include <cmath>
#include <cstring>
#include <numwarp/creation.hpp>
#include <numwarp/error.hpp>
#include <sstream>

#include "plan/layout.hpp"
#include "runtime/backend.hpp"
#include "runtime/output.hpp"
#include "runtime/statement.hpp"
#include "runtime/transfer.hpp"

namespace numwarp::detail {

void check_rank(const numwarp::shape& s, const char* function) {
  if (s.size() <= max_ndim) return;
  throw value_error(std::string(function) +
                    ": maximum supported dimension for an array is 64, got " +
                    std::to_string(s.size()));
}

any_array empty_with_strides(const numwarp::shape& s, dims strides, dtype t, device d,
                             const char* function) {
  check_rank(s, function);
  layout l{s, std::move(strides), 0, t};
  auto store = allocate_storage(d, l, function);
  return access::make(std::move(store), std::move(l));
}

any_array empty(const numwarp::shape& s, dtype t, device d, order o, const char* function) {
  const bool f_order = o == order::f;
  return empty_with_strides(
      s, f_order ? plan::f_strides(s, itemsize(t)) : plan::c_strides(s, itemsize(t)), t, d,
      function);
}

any_array full(const numwarp::shape& s, dtype t, const scalar& value, device d, order o,
               const char* function) {
  to_bits(value, t, function);
  any_array a = empty(s, t, d, o, function);
  assign(a, {nullptr, false, value}, function);
  return a;
}

double real_value(const scalar& s) {
  return s.kind == 'u' ? double(std::uint64_t(s.i)) : s.kind == 'i' ? double(s.i) : s.re;
}

namespace {

// a[i] = start + i * step for a new one-dimensional array, computed at `compute`; with `parts`
// start + i / parts * step.
any_array ramp(std::int64_t n, const scalar& start, const scalar& step, dtype compute, dtype t,
               device d, const char* name, double parts = 0) {
  any_array a = empty(n, t, d, order::c, name);
  if (n == 0) return a;
  statement st(name, n, d);
  auto& p = st.program();
  plan::step index;
  index.kind = plan::step_kind::index;
  index.type = index.compute = dtype::int64;
  int i = p.cast(p.add(index), compute);
  if (parts > 0) {
    const int part_args[] = {i, st.constant(scalar(parts), compute)};
    i = p.op(op_code::divide, compute, compute, part_args, 2);
  }
  const int scaled_args[] = {i, st.constant(step, compute)};
  const int scaled = p.op(op_code::multiply, compute, compute, scaled_args, 2);
  const int sum_args[] = {scaled, st.constant(start, compute)};
  int v = p.op(op_code::add, compute, compute, sum_args, 2);
  // linspace of integers rounds down.
  if (kind(compute) == 'f' && core::is_integer(t))
    v = p.op(op_code::floor, compute, compute, &v, 1);
  st.write(p.cast(v, t), a);
  return a;
}

void set_element(const any_array& a, std::int64_t i, const scalar& value, const char* name) {
  const subscript at[] = {i};
  assign(a.subscript(at), {nullptr, false, value}, name);
}

std::int64_t checked_length(double n, const char* name) {
  if (std::isnan(n)) throw value_error(std::string(name) + ": cannot compute length");
  if (n > 9.0e18)
    throw value_error(std::string(name) + ": Maximum allowed size exceeded, length " +
                      std::to_string(n));
  return n <= 0 ? 0 : std::int64_t(n);
}

// A quotient that underflows, or a step of infinity, still makes one element.
std::int64_t floating_length(double span, double step, const char* name) {
  const double n = span / step;
  if (n == 0 && span != 0) return std::signbit(n) ? 0 : 1;
  return checked_length(std::ceil(n), name);
}

bool is_integral(const scalar& s) { return s.kind == 'i' || s.kind == 'u' || s.kind == 'b'; }

__extension__ typedef __int128 int128;

// ceil((stop - start) / step) without rounding for integers.
std::int64_t integer_length(const scalar& start, const scalar& stop, const scalar& step,
                            const char* name) {
  const int128 a = start.kind == 'u' ? int128(std::uint64_t(start.i)) : start.i;
  const int128 b = stop.kind == 'u' ? int128(std::uint64_t(stop.i)) : stop.i;
  const int128 s = step.kind == 'u' ? int128(std::uint64_t(step.i)) : step.i;
  const int128 span = s > 0 ? b - a : a - b, size = s > 0 ? s : -s;
  if (span <= 0) return 0;
  const int128 n = (span + size - 1) / size;
  if (n > INT64_MAX) throw value_error(std::string(name) + ": Maximum allowed size exceeded");
  return std::int64_t(n);
}

// NumPy fills from the first two elements, as they are after conversion to t.
template <class T>
any_array arange_from_two(std::int64_t n, const scalar& start, const scalar& step, dtype compute,
                          dtype t, device d) {
  const auto as_t = [&](double x) {
    return t == dtype::float16    ? T(float(float16(x)))
           : t == dtype::bfloat16 ? T(float(bfloat16(x)))
                                  : core::cast<T>(x);
  };
  const T first = as_t(real_value(start)), second = as_t(real_value(start) + real_value(step));
  const T delta = n > 1 ? T(second - first) : T(0);
  any_array a = ramp(n, scalar(first), scalar(delta), compute, t, d, "arange");
  if (n > 1 && T(first + delta) != second) set_element(a, 1, scalar(second), "arange");
  return a;
}

}  // namespace

std::int64_t range_length(const scalar& start, const scalar& stop, const scalar& step,
                          const char* function) {
  if (real_value(step) == 0) throw value_error(std::string(function) + ": step must not be zero");
  if (is_integral(start) && is_integral(stop) && is_integral(step))
    return integer_length(start, stop, step, function);
  return floating_length(real_value(stop) - real_value(start), real_value(step), function);
}

any_array arange(const scalar& start, const scalar& stop, const scalar& step, dtype t, device d) {
  const bool whole = is_integral(start) && is_integral(stop) && is_integral(step);
  const std::int64_t n = range_length(start, stop, step, "arange");
  if (t == dtype::bool_ && n > 2) {
    throw type_error(
        "arange: arange() is only supported for booleans when the result has at most length 2, "
        "got length " +
        std::to_string(n));
  }
  if (kind(t) == 'f' || kind(t) == 'c') {
    if (itemsize(core::real_dtype(t)) < 8)
      return arange_from_two<float>(n, start, step, dtype::float32, t, d);
    return arange_from_two<double>(n, start, step, dtype::float64, t, d);
  }
  if (whole)
    return ramp(n, start, step, kind(t) == 'u' ? dtype::uint64 : dtype::int64, t, d, "arange");
  return arange_from_two<core::i64>(n, start, step, dtype::int64, t, d);
}

any_array linspace(const scalar& start, const scalar& stop, std::int64_t n, bool endpoint, dtype t,
                   device d, const char* function) {
  if (n < 0)
    throw value_error(std::string(function) + ": Number of samples, " + std::to_string(n) +
                      ", must be non-negative.");
  const double first = real_value(start), last = real_value(stop);
  const std::int64_t parts = endpoint ? n - 1 : n;
  const double step = parts > 0 ? (last - first) / double(parts) : last - first;
  // As NumPy, where the step underflows: the fraction is taken of the whole span.
  const bool underflow = step == 0 && last != first && parts > 0;
  any_array a = underflow ? ramp(n, scalar(first), scalar(last - first), dtype::float64, t, d,
                                 function, double(parts))
                          : ramp(n, scalar(first), scalar(step), dtype::float64, t, d, function);
  if (endpoint && n > 1)
    set_element(a, n - 1, scalar(core::is_integer(t) ? std::floor(last) : last), function);
  return a;
}

any_array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype t, device d,
              const char* function) {
  any_array a = full({rows, columns}, t, scalar(false), d, order::c, function);
  assign(diagonal_view(a, k, 0, 1, function), {nullptr, false, scalar(true)}, function);
  return a;
}

any_array from_host(const void* data, const numwarp::shape& s, dtype t, device d,
                    const char* function) {
  any_array a = empty(s, t, d, order::c, function);
  runtime::write_bytes(*access::store(a), 0, data, a.nbytes());
  return a;
}

any_array wrap(void* data, const numwarp::shape& s, const dims& strides, dtype t, device d,
               bool writeable, bool stable, callback<> release) {
  check_rank(s, "wrap");
  plan::checked_bytes(s, itemsize(t), "wrap");
  auto store = std::make_shared<storage>(d, plan::size(s) * itemsize(t));
  layout l;
  l.shape = s;
  l.strides = strides;
  l.type = t;
  l.writeable = writeable;
  store->data = static_cast<char*>(data);
  store->foreign = true;
  store->release_foreign = std::move(release);
  store->exposed = stable ? 0 : 1;
  store->publish();
  return access::make(std::move(store), std::move(l));
}

namespace {

void check_foreign(const void* data, const numwarp::shape& s, dtype t, device d) {
  std::ostringstream text;
  text << "wrap: the pointer " << data << " to " << name(t) << " of shape " << to_string(s);
  if (!data) throw value_error(text.str() + " is null");
  // A GPU loads complex numbers as one.
  const int alignment = d.is_cpu() && core::is_complex(t) ? itemsize(t) / 2 : itemsize(t);
  if (reinterpret_cast<std::uintptr_t>(data) % std::uintptr_t(alignment) != 0) {
    throw value_error(text.str() + " is not aligned to " + std::to_string(alignment) + " bytes");
  }
  if (!runtime::backend_for(d).can_use(data)) {
    throw value_error(text.str() + " is no memory that " + to_string(d) + " can use");
  }
}

}  // namespace

any_array wrap_foreign(void* data, const numwarp::shape& s, dtype t, device d, bool writeable,
                       bool stable, callback<> release) {
  check_rank(s, "wrap");
  runtime::backend_for(d);
  if (plan::checked_bytes(s, itemsize(t), "wrap") > 0) check_foreign(data, s, t, d);
  return wrap(data, s, plan::c_strides(s, itemsize(t)), t, d, writeable, stable,
              std::move(release));
}

any_array empty_like(const any_array& a, dtype t, order o, const numwarp::shape* s,
                     const char* function) {
  const layout& l = access::lay(a, function);
  const numwarp::shape& made = s ? *s : l.shape;
  return empty_with_strides(made, plan::like_strides(o, l, made, itemsize(t)), t, a.device(),
                            function);
}

any_array full_like(const any_array& a, dtype t, const scalar& value, order o,
                    const numwarp::shape* s, const char* function) {
  to_bits(value, t, function);
  any_array made = empty_like(a, t, o, s, function);
  assign(made, {nullptr, false, value}, function);
  return made;
}

void throw_ragged() {
  throw value_error(
      "array: setting an array element with a sequence. The requested array has an inhomogeneous "
      "shape");
}

void check_length(std::int64_t given, const numwarp::shape& s, const char* function) {
  if (plan::checked_size(s, function) == given) return;
  throw value_error(std::string(function) + ": cannot reshape array of size " +
                    std::to_string(given) + " into shape " + to_string(s));
}

}  // namespace numwarp::detail
