// What the typed templates call: one non-template function per family of operations.
#pragma once

#include <complex>
#include <cstdint>
#include <numwarp/any_array.hpp>
#include <numwarp/core/ops.hpp>
#include <numwarp/core/promotion.hpp>
#include <numwarp/core/reduce_ops.hpp>
#include <numwarp/detail/callback.hpp>
#include <span>
#include <utility>

namespace numwarp::detail {

// A scalar operand. It is weak (takes the arrays' type, as a Python scalar does) unless it is of a
// type that Python has no literal for.
struct scalar {
  char kind = 'f';      // 'b', 'i', 'u', 'f' or 'c'
  bool strong = false;  // then `type` takes part in promotion
  dtype type = dtype::float64;
  std::int64_t i = 0;  // kinds b, i, u (as bits)
  double re = 0, im = 0;

  scalar() = default;
  scalar(bool v) : kind('b'), i(v), re(v) {}
  template <std::signed_integral T> scalar(T v) : kind('i'), i(v), re(double(v)) {}
  template <std::unsigned_integral T>
  requires(!std::same_as<T, bool>) scalar(T v) : kind('u'), i(std::int64_t(v)), re(double(v)) {}
  scalar(float v) : re(double(v)) {}
  scalar(double v) : re(v) {}
  scalar(float16 v) : strong(true), type(dtype::float16), re(double(float(v))) {}
  scalar(bfloat16 v) : strong(true), type(dtype::bfloat16), re(double(float(v))) {}
  template <std::floating_point T>
  scalar(std::complex<T> v) : kind('c'), re(double(v.real())), im(double(v.imag())) {}
};

// An operand of an operation: an array or a scalar. A temporary's elements may be taken over.
struct operand {
  any_array* array = nullptr;
  bool temporary = false;
  scalar value;
};

// Keyword arguments of ufuncs. order: of a new result. `as` is the tag of the dtype to compute in,
// or -1.
struct call_options {
  const any_array* out = nullptr;
  const any_array* where = nullptr;
  numwarp::order order = numwarp::order::k;
  int as = -1;
};

any_array elementwise(op_code op, std::span<operand> operands, const call_options& options = {});

// Quotient and remainder by one node.
std::pair<any_array, any_array> divmod(std::span<operand> operands);

struct reduce_options {
  axes axis;
  bool keepdims = false;
  int as = -1;
  double ddof = 0;
  const any_array* out = nullptr;
  const any_array* where = nullptr;
  const scalar* initial = nullptr;
};

any_array reduce(reduce_code op, operand a, const reduce_options& options);

// dst[...] = source: broadcasts and casts; overlap is handled; throws value_error for a read-only
// destination. `function` names the caller in messages.
void assign(const any_array& dst, operand source, const char* function,
            casting rule = casting::unsafe);
// dst = op(dst, source) in place.
void assign_op(op_code op, const any_array& dst, operand source);

// Makes a pending copy of `source` as type t; astype(t) when the types are equal copies too.
any_array cast(operand source, dtype t, order o = order::k);

// For a statement `expression = value` where the expression is an rvalue.
void assign_to_temporary(any_array& expression, operand source);
void assign_op_to_temporary(op_code op, any_array& expression, operand source);

// Creation. `d` is the device; shapes are checked (value_error) before memory is asked for.
// `function` names the caller in messages.
any_array empty(const numwarp::shape& s, dtype t, device d, order o = order::c,
                const char* function = "empty");
any_array full(const numwarp::shape& s, dtype t, const scalar& value, device d, order o = order::c,
               const char* function = "full");
// start + i * step for i in [0, n): NumPy's arange. Floating types compute in float64.
any_array arange(const scalar& start, const scalar& stop, const scalar& step, dtype t, device d);
any_array linspace(const scalar& start, const scalar& stop, std::int64_t n, bool endpoint, dtype t,
                   device d, const char* function = "linspace");
any_array eye(std::int64_t rows, std::int64_t columns, std::int64_t k, dtype t, device d,
              const char* function = "eye");
// A copy on `d` of n contiguous elements in the host's memory.
any_array from_host(const void* data, const numwarp::shape& s, dtype t, device d,
                    const char* function = "array");
// An array over memory of somebody else on `d`; `release` is called when the last handle is gone.
// Exposed from birth unless `stable`.
any_array wrap(void* data, const numwarp::shape& s, const dims& strides, dtype t, device d,
               bool writeable, bool stable, callback<> release);

// The value of the only element, converted to `t` and written to `out` (bytes of one element).
// Waits for the device. Throws value_error for an array of any other size.
void item(const any_array& a, dtype t, void* out);
void item_at(const any_array& a, std::span<const std::int64_t> index, dtype t, void* out);

// All elements in C order into the host's memory; waits.
void to_host(const any_array& a, void* out);
// Readers are launched at their call between begin and end.
void* begin_write(const any_array& a);
void end_write(const any_array& a) noexcept;
// a itself, of type t; type_error otherwise.
const any_array& expect_type(const any_array& a, dtype t);
std::int64_t rows_of(const any_array& a);
// a.size() on behalf of `function`, which a null array's error names.
std::int64_t size_for(const any_array& a, const char* function);
any_array swapaxes(const any_array& a, int first, int second);
// One axis in order o; a view where a is contiguous in that order, else a copy.
any_array ravel(const any_array& a, order o);
any_array flatten(const any_array& a, order o);
any_array diagonal(const any_array& a, std::int64_t offset, int axis1, int axis2);
// `as` is the tag of the dtype to sum in, or -1.
any_array trace(const any_array& a, std::int64_t offset, int axis1, int axis2, int as,
                const any_array* out = nullptr);
any_array moveaxis(const any_array& a, const axes& from, const axes& to);
// a[..., s, ...]: a slice of one axis, which is not negative.
any_array along(const any_array& a, int axis, const slice& s);
// a with n axes of length one behind the last.
any_array append_axes(const any_array& a, int n);

// Steals what an existing name had and launches the new value, as `y = ...` must.
void rebind(any_array& name, any_array&& value);

}  // namespace numwarp::detail
