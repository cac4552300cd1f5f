#include "runtime/output.hpp"

#include <numwarp/core/promotion.hpp>
#include <numwarp/error.hpp>

#include "plan/layout.hpp"
#include "runtime/storage.hpp"

namespace numwarp::detail {

bool assignable(const numwarp::shape& from, const numwarp::shape& to) {
  const int extra = from.size() - to.size();
  bool good = true;
  for (int i = 0; i < extra; ++i) good &= from[i] == 1;
  for (int i = std::max(extra, 0); i < from.size(); ++i) {
    good &= from[i] == 1 || from[i] == to[i - extra];
  }
  return good;
}

void check_writeable(const any_array& dst, const char* name) {
  const layout& l = access::lay(dst, name);
  if (!l.writeable) {
    throw value_error(std::string(name) + ": assignment destination is read-only");
  }
}

void check_mask(const any_array& where, const char* name) {
  if (where.type() == dtype::bool_) return;
  throw type_error(std::string(name) + ": where must be a bool array, got " +
                   std::string(numwarp::name(where.type())));
}

void check_output(const any_array& out, const numwarp::shape& shape, dtype result,
                  const char* name) {
  check_writeable(out, name);
  if (!(out.shape() == shape)) {
    throw value_error(std::string(name) + ": non-broadcastable output operand with shape " +
                      plan::compact(out.shape()) + " doesn't match the broadcast shape " +
                      plan::compact(shape));
  }
  require_same_kind(result, out.type(), name);
}

void check_assignable(const any_array& dst, const numwarp::shape& source, const char* name) {
  check_writeable(dst, name);
  if (!assignable(source, dst.shape())) {
    throw value_error(std::string(name) + ": could not broadcast input array from shape " +
                      plan::compact(source) + " into shape " + plan::compact(dst.shape()));
  }
}

void require_same_kind(dtype from, dtype to, const char* name) {
  if (can_cast_same_kind(from, to)) return;
  throw type_error(std::string(name) + ": Cannot cast ufunc '" + name + "' output from dtype('" +
                   std::string(numwarp::name(from)) + "') to dtype('" +
                   std::string(numwarp::name(to)) + "') with casting rule 'same_kind'");
}

static bool can_cast(dtype from, dtype to, casting rule) {
  switch (rule) {
    case casting::no:
    case casting::equiv:
      return from == to;
    case casting::safe:
      return can_cast_safely(from, to);
    case casting::same_kind:
      return can_cast_same_kind(from, to);
    default:
      return true;
  }
}

void check_cast(dtype from, dtype to, casting rule, const char* name) {
  if (can_cast(from, to, rule)) return;
  constexpr const char* rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  throw type_error(std::string(name) + ": Cannot cast array data from dtype('" +
                   std::string(numwarp::name(from)) + "') to dtype('" +
                   std::string(numwarp::name(to)) + "') according to the rule '" +
                   rules[int(rule)] + "'");
}

}  // namespace numwarp::detail
