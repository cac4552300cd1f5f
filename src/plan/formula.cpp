#include "plan/formula.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numwarp/error.hpp>
#include <optional>

namespace numwarp::plan {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
bool is_identifier(std::string_view s) {
  return !s.empty() && is_letter(s[0]) && std::all_of(s.begin(), s.end(), is_word);
}

constexpr std::string_view spaces = " \t\r\n";

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> list;
  for (std::size_t at = 0;;) {
    at = text.find_first_not_of(spaces, at);
    if (at == text.npos) return list;
    const std::size_t end = std::min(text.find_first_of(spaces, at), text.size());
    list.push_back(text.substr(at, end - at));
    at = end;
  }
}

parameter parse_one(std::string_view text, const std::string& function) {
  auto words = words_in(text);
  const bool raw = !words.empty() && words[0] == "raw";
  if (raw) words.erase(words.begin());
  if (words.size() != 2 || !is_identifier(words[1])) {
    throw value_error(function +
                      ": expected a parameter such as \"T x\" or \"raw float32 x\", got \"" +
                      std::string(text) + '"');
  }
  parameter p = parse_type(words[0], function);
  p.name = words[1];
  p.raw = raw;
  return p;
}

void check_names(const formula& f) {
  std::vector<std::string> names{"i", "n"};
  if (f.reduces) names = {"a", "b", "n"};
  for (const auto* list : {&f.in, &f.out}) {
    for (const parameter& p : *list) {
      if (std::find(names.begin(), names.end(), p.name) != names.end()) {
        throw value_error(f.name + ": the name '" + p.name + "' is taken");
      }
      names.push_back(p.name);
    }
  }
}

void check(const formula& f) {
  if (!is_identifier(f.name)) {
    throw value_error("elementwise_kernel: the name \"" + f.name + "\" is no identifier of C++");
  }
  if (f.out.empty()) throw value_error(f.name + ": at least one output is needed");
  if (f.reduces && (f.out.size() != 1 || f.out[0].raw)) {
    throw value_error(f.name + ": a reduction has one output, which is not raw");
  }
  check_names(f);
}

std::string content(const formula& f) {
  std::string text;
  const auto add = [&](const std::string& s) { text += std::to_string(s.size()) + ':' + s; };
  const auto add_parameter = [&](const parameter& p) {
    text += p.raw ? 'r' : 'e';
    text += p.placeholder ? p.placeholder : char('a' + int(p.type));
    add(p.name);
  };
  for (const auto& s : {f.name, f.body, f.preamble, f.reduce, f.post_map, f.identity}) add(s);
  for (const auto& s : f.options) add(s);
  text += f.reduces ? 'R' : 'E';
  add_parameter(f.reduced);
  for (const parameter& p : f.in) add_parameter(p);
  text += '>';
  for (const parameter& p : f.out) add_parameter(p);
  return text;
}

std::string quoted(const parameter& p) { return "'" + p.name + "'"; }

// Types of placeholders as far as they are known.
class type_binding {
 public:
  explicit type_binding(const formula& f) : f_(f) {}

  void take_array(const parameter& p, dtype t) {
    const auto known = of(p);
    if (known && *known != t) {
      const std::string wanted =
          p.placeholder ? std::string(1, p.placeholder) + " is " : "it must be ";
      throw type_error(f_.name + ": the argument for " + quoted(p) + " is " +
                       std::string(numwarp::name(t)) + ", where " + wanted +
                       std::string(numwarp::name(*known)));
    }
    if (p.placeholder) at(p) = t;
  }
  // Weak scalars raise each other's kind.
  void take_scalar(const parameter& p, char kind) {
    if (!p.placeholder) return;
    auto& t = at(p);
    t = t ? promote_weak(*t, kind) : detail::python_type(kind);
  }
  std::optional<dtype> of(const parameter& p) const {
    return p.placeholder ? types_[std::size_t(p.placeholder - 'A')] : std::optional(p.type);
  }
  dtype known(const parameter& p) const {
    if (const auto t = of(p)) return *t;
    throw type_error(f_.name + ": no argument tells what " + std::string(1, p.placeholder) +
                     " of " + quoted(p) + " is");
  }

 private:
  std::optional<dtype>& at(const parameter& p) { return types_[std::size_t(p.placeholder - 'A')]; }

  const formula& f_;
  std::optional<dtype> types_[26];
};

}  // namespace

parameter parse_type(std::string_view text, const std::string& function) {
  parameter p;
  if (text.size() == 1 && text[0] >= 'A' && text[0] <= 'Z') {
    p.placeholder = text[0];
    return p;
  }
  for (int t = 0; t < dtype_count; ++t) {
    p.type = dtype(t);
    if (numwarp::name(p.type) == text) return p;
  }
  throw value_error(function + ": no element type \"" + std::string(text) +
                    "\"; a type is a capital letter or a name such as float32");
}

std::vector<parameter> parse_parameters(std::string_view list, const std::string& function) {
  std::vector<parameter> out;
  if (words_in(list).empty()) return out;
  for (std::size_t at = 0;;) {
    const std::size_t comma = list.find(',', at);
    out.push_back(parse_one(list.substr(at, comma - at), function));
    if (comma == list.npos) return out;
    at = comma + 1;
  }
}

bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
      return true;
  }
  return false;
}

// Headers of the toolkit and of the library stand in <>, and need no option.
bool formula::reads_files() const {
  const auto names_a_path = [](const std::string& o) {
    return o.starts_with("-I") || o.starts_with("-i") || o.starts_with("--include") ||
           o.starts_with("--pre-include");
  };
  return preamble.find("include \"") != preamble.npos ||
         std::any_of(options.begin(), options.end(), names_a_path);
}

const formula& intern(formula f) {
  check(f);
  static std::mutex mutex;
  static auto* const kept = new std::map<std::string, std::unique_ptr<formula>>;
  const std::lock_guard lock(mutex);
  auto& slot = (*kept)[content(f)];
  if (!slot) {
    f.id = kept->size();
    slot = std::make_unique<formula>(std::move(f));
  }
  return *slot;
}

std::vector<dtype> resolve_types(const formula& f, std::span<const detail::type_argument> given) {
  std::vector<const parameter*> all;
  for (const parameter& p : f.in) all.push_back(&p);
  for (const parameter& p : f.out) all.push_back(&p);
  type_binding binding(f);
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k].strong) binding.take_array(*all[k], given[k].type);
  }
  type_binding with_scalars = binding;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (!given[k].strong && !binding.of(*all[k])) with_scalars.take_scalar(*all[k], given[k].kind);
  }
  std::vector<dtype> types;
  for (const parameter* p : all) types.push_back(with_scalars.known(*p));
  return types;
}

dtype reduced_type(const formula& f, std::span<const dtype> types) {
  if (!f.reduced.placeholder) return f.reduced.type;
  for (std::size_t k = 0; k < types.size(); ++k) {
    const parameter& p = k < f.in.size() ? f.in[k] : f.out[k - f.in.size()];
    if (p.placeholder == f.reduced.placeholder) return types[k];
  }
  throw type_error(f.name + ": no argument tells what " + std::string(1, f.reduced.placeholder) +
                   " of the reduced values is");
}

int words_of(const bound_parameter& p) {
  switch (p.kind) {
    case bound_parameter::value:
      return itemsize(p.type) > 8 ? 2 : 1;
    case bound_parameter::raw:
      return 1 + 2 * p.rank;
    case bound_parameter::element:
      break;
  }
  return 0;
}

}  // namespace numwarp::plan
