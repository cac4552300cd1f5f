#include "runtime/term.hpp"

#include <algorithm>

#include "plan/layout.hpp"

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

namespace {

plan::small_vector<term, 6> read_coordinates(statement& st, const dims& shape, std::int64_t longest,
                                             dtype t) {
  const any_array numbers = arange(scalar(0), scalar(longest), scalar(1), t, cpu);
  std::vector<any_array> lines;
  std::vector<operand> operands;
  for (int k = 0; k < shape.size(); ++k) {
    const subscript first[] = {slice(0, shape[k])};
    numwarp::shape along(dims(shape.size(), 1));
    along[k] = shape[k];
    lines.push_back(numbers.subscript(first).reshape(along));
  }
  for (any_array& line : lines) operands.push_back({&line, false, {}});
  plan::small_vector<term, 6> places;
  for (const int step : st.load_named(operands)) places.push_back({st, step});
  return places;
}

}  // namespace

plan::small_vector<term, 6> coordinates(statement& st, const dims& shape, dtype t) {
  const std::int64_t longest = shape.empty() ? 1 : *std::max_element(shape.begin(), shape.end());
  if (st.where().is_cpu() && shape.size() > 1 && shape.size() <= 8 &&
      longest <= plan::size(shape) / 16)
    return read_coordinates(st, shape, longest, t);
  plan::small_vector<term, 6> places;
  for (const term& place : coordinates(term::index(st).as(dtype::float64), shape))
    places.push_back(place.as(t));
  return places;
}

}  // namespace numwarp::detail
