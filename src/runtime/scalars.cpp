// Scalars: which types they fit, and their bytes.
#include <cmath>
#include <cstring>
#include <numwarp/core/cast.hpp>
#include <numwarp/error.hpp>

#include "runtime/statement.hpp"

namespace numwarp::detail {

namespace {

bool is_integer_scalar(const scalar& s) { return s.kind == 'i' || s.kind == 'u'; }

std::string text(const scalar& s) {
  if (s.kind == 'i') return std::to_string(s.i);
  return std::to_string(std::uint64_t(s.i));
}

template <class T> T convert(const scalar& s) {
  switch (s.kind) {
    case 'b':
      return core::cast<T>(s.i != 0);
    case 'i':
      return core::cast<T>(core::i64(s.i));
    case 'u':
      return core::cast<T>(core::u64(s.i));
    case 'c':
      return core::cast<T>(core::complex<double>{s.re, s.im});
    default:
      return core::cast<T>(s.re);
  }
}

}  // namespace

bool fits(const scalar& s, dtype t) {
  if (!is_integer_scalar(s) || s.strong) return true;
  const bool negative = s.kind == 'i' && s.i < 0;
  const int bits = 8 * numwarp::itemsize(t);
  if (kind(t) == 'u') return !negative && (bits == 64 || (std::uint64_t(s.i) >> bits) == 0);
  if (kind(t) != 'i') return true;
  if (negative) return bits == 64 || s.i >= -(std::int64_t(1) << (bits - 1));
  return std::uint64_t(s.i) <= (std::uint64_t(1) << (bits - 1)) - 1;
}

plan::constant_bits to_bits(const scalar& s, dtype t, const char* name) {
  if (!fits(s, t)) {
    throw overflow_error(std::string(name) + ": integer " + text(s) + " out of bounds for " +
                         std::string(numwarp::name(t)));
  }
  plan::constant_bits bits;
  const auto put = [&](const auto& v) { std::memcpy(bits.bytes, &v, sizeof v); };
  switch (t) {
#define NW_DTYPE(tag, type, name, kind, npy) \
  case dtype::tag:                           \
    put(convert<type>(s));                   \
    break;
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  }
  return bits;
}

plan::constant_bits operand_bits(op_code op, int k, dtype compute, const scalar& s) {
  const auto bits = to_bits(s, core::arg_dtype(op, k, compute), core::op_name(op));
  if (op == op_code::power && k == 1 && kind(compute) == 'i' && s.i < 0) {
    throw value_error("power: Integers to negative integer powers are not allowed, got " + text(s));
  }
  return bits;
}

}  // namespace numwarp::detail
