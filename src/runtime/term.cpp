#include "runtime/term.hpp"

namespace numwarp::detail {

term term::index(statement& st) {
  plan::step s;
  s.kind = plan::step_kind::index;
  s.type = s.compute = dtype::int64;
  return {st, st.program().add(s)};
}

plan::small_vector<term, 6> coordinates(term number, const dims& shape) {
  plan::small_vector<term, 6> places;
  for (int i = 0; i < shape.size(); ++i) places.push_back(number);
  for (int i = shape.size() - 1; i > 0; --i) {
    const scalar extent(shape[i]);
    const term outer = number.quotient(extent);
    places[std::size_t(i)] = number - outer * extent;
    number = outer;
  }
  if (!places.empty()) places[0] = number;
  return places;
}

}  // namespace numwarp::detail
