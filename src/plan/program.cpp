#include "plan/program.hpp"

#include <algorithm>
#include <cstring>

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

int program::call(const compiled_body& body, const int* args) {
  step s;
  s.kind = step_kind::call;
  s.type = s.compute = body.result;
  for (int k = 0; k < body.n; ++k) s.args[k] = std::int16_t(args[k]);
  const compiled_body* const address = &body;
  std::memcpy(s.value.bytes, &address, sizeof address);
  return add(s);
}

const compiled_body& step::called() const {
  const compiled_body* address;
  std::memcpy(&address, value.bytes, sizeof address);
  return *address;
}

namespace {

// load(s) is the step that stands for a load of the other program.
template <class Load>
small_vector<int, 8> append_steps(program& p, const program& other, const Load& load) {
  small_vector<int, 8> at;
  at.reserve(other.steps.size());
  for (step s : other.steps) {
    if (s.kind == step_kind::load) {
      at.push_back(load(s));
      continue;
    }
    for (auto& a : s.args) a = a < 0 ? a : std::int16_t(at[std::size_t(a)]);
    at.push_back(p.add(s));
  }
  return at;
}

}  // namespace

small_vector<int, 8> program::append(const program& other, std::span<const int> input_map) {
  return append_steps(
      *this, other, [&](const step& s) { return load(input_map[std::size_t(s.args[0])], s.type); });
}

small_vector<int, 8> program::append_on(const program& other, std::span<const int> values) {
  return append_steps(*this, other, [&](const step& s) { return values[std::size_t(s.args[0])]; });
}

int program::op_count() const {
  return int(std::count_if(steps.begin(), steps.end(), [](const step& s) { return s.computed(); }));
}

bool program::uses_index() const {
  return std::any_of(steps.begin(), steps.end(),
                     [](const step& s) { return s.kind == step_kind::index; });
}

bool program::cheap() const {
  return std::all_of(steps.begin(), steps.end(), [](const step& s) {
    if (s.kind == step_kind::call) return false;
    return s.kind != step_kind::op || s.op == op_code::add || s.op == op_code::subtract ||
           s.op == op_code::multiply;
  });
}

namespace {

const char hex[] = "0123456789abcdef";

// "call name(auto x, auto y){ return x; } float32 float32 float64!": ! marks plain numbers.
std::string call_text(const compiled_body& b) {
  std::string text = std::string("call ") + b.text.name + '(' + b.text.parameters + ')' +
                     b.text.body + ' ' + std::string(name(b.result));
  for (int k = 0; k < b.n; ++k)
    text += ' ' + std::string(name(b.types[k])) + (b.plain[k] ? "!" : "");
  return text;
}

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
    case step_kind::call:
      text = call_text(s.called());
      break;
    case step_kind::op:
      text = std::string(core::op_name(s.op)) + ' ' + std::string(name(s.compute));
  }
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
