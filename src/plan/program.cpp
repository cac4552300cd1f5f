#include "plan/program.hpp"

#include <algorithm>

namespace numwarp::plan {

int program::add(const step& s) {
  const auto found = std::find(steps.begin(), steps.end(), s);
  if (found != steps.end()) return int(found - steps.begin());
  steps.push_back(s);
  return int(steps.size()) - 1;
}

int program::load(int input, dtype t) {
  step s;
  s.kind = step_kind::load;
  s.type = s.compute = t;
  s.args[0] = std::int16_t(input);
  return add(s);
}

int program::constant(dtype t, const constant_bits& v) {
  step s;
  s.kind = step_kind::constant;
  s.type = s.compute = t;
  s.value = v;
  return add(s);
}

int program::cast(int from, dtype t) {
  if (steps[std::size_t(from)].type == t) return from;
  step s;
  s.kind = step_kind::cast;
  s.type = t;
  s.compute = steps[std::size_t(from)].type;
  s.args[0] = std::int16_t(from);
  return add(s);
}

int program::op(op_code code, dtype compute, dtype result, const int* args, int n) {
  step s;
  s.kind = step_kind::op;
  s.op = code;
  s.type = result;
  s.compute = compute;
  for (int k = 0; k < n; ++k) s.args[k] = std::int16_t(args[k]);
  return add(s);
}

small_vector<int, 8> program::append(const program& other, std::span<const int> input_map) {
  small_vector<int, 8> at;
  at.reserve(other.steps.size());
  for (step s : other.steps) {
    if (s.kind == step_kind::load) {
      s.args[0] = std::int16_t(input_map[std::size_t(s.args[0])]);
    } else if (s.kind != step_kind::index) {
      for (auto& a : s.args) a = a < 0 ? a : std::int16_t(at[std::size_t(a)]);
    }
    at.push_back(add(s));
  }
  return at;
}

int program::op_count() const {
  return int(std::count_if(steps.begin(), steps.end(),
                           [](const step& s) { return s.kind == step_kind::op; }));
}

bool program::uses_index() const {
  return std::any_of(steps.begin(), steps.end(),
                     [](const step& s) { return s.kind == step_kind::index; });
}

bool program::cheap() const {
  return std::all_of(steps.begin(), steps.end(), [](const step& s) {
    return s.kind != step_kind::op || s.op == op_code::add || s.op == op_code::subtract ||
           s.op == op_code::multiply;
  });
}

namespace {

const char hex[] = "0123456789abcdef";

std::string step_text(const step& s) {
  std::string text(name(s.type));
  switch (s.kind) {
    case step_kind::load:
      return "load " + text + ' ' + std::to_string(s.args[0]);
    case step_kind::index:
      return "index";
    case step_kind::constant:
      text = "const " + text + ' ';
      for (int i = 0; i < itemsize(s.type); ++i) {
        text += hex[s.value.bytes[i] >> 4];
        text += hex[s.value.bytes[i] & 15];
      }
      return text;
    case step_kind::cast:
      return "cast " + text + " v" + std::to_string(s.args[0]);
    case step_kind::op:
      break;
  }
  text = std::string(core::op_name(s.op)) + ' ' + std::string(name(s.compute));
  for (int a : s.args) {
    if (a >= 0) text += " v" + std::to_string(a);
  }
  return text;
}

}  // namespace

std::string to_string(const program& p) {
  std::string text;
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    text += 'v' + std::to_string(i) + '=' + step_text(p.steps[i]) + ';';
  }
  return text;
}

}  // namespace numwarp::plan
