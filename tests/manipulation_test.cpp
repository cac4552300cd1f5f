// Joining, splitting, moving, repeating, editing and padding against NumPy
// (golden/manipulation.txt): elements, types, orders in memory, what is a view, and the errors.
#include <algorithm>
#include <functional>
#include <support/devices.hpp>

#include "support/recipes.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;

namespace {

using list = std::vector<any_array>;
using recipe_detail::split;

// ---- what a line holds ----

struct operand_of_line {
  any_array base, array;
};

operand_of_line operand(int k, const std::string& text) {
  const std::size_t type_end = text.find(' '), shape_end = text.find(' ', type_end + 1);
  const nw::dtype type = golden_type(text.substr(0, type_end));
  const nw::shape shape = golden_numbers(text.substr(type_end + 1, shape_end - type_end - 1));
  std::string recipe = text.substr(shape_end + 1);
  nw::ndarray<double> base;
  if (recipe[0] == '=') {
    std::vector<double> values;
    for (const auto& v : split(recipe.substr(1), ',')) values.push_back(std::stod(v));
    base = nw::array(values, shape);
    recipe = "-";
  } else {
    std::int64_t n = 1;
    for (const auto extent : shape) n *= extent;
    base = (nw::arange<double>(n) + 100.0 * k).reshape(shape);
  }
  const any_array made = base.untyped().astype(type).compute();
  return {made, apply_recipe(made, recipe)};
}

// name=value name=value
class arguments {
 public:
  explicit arguments(const std::string& text) {
    if (text == "-") return;
    for (const auto& part : split(text, ' ')) {
      const auto at = part.find('=');
      values_[part.substr(0, at)] = part.substr(at + 1);
    }
  }
  bool has(const std::string& name) const { return values_.contains(name); }
  std::string text(const std::string& name, const std::string& otherwise) const {
    return has(name) ? values_.at(name) : otherwise;
  }
  std::int64_t number(const std::string& name, std::int64_t otherwise) const {
    return has(name) ? std::stoll(values_.at(name)) : otherwise;
  }
  int axis(int otherwise = 0) const { return int(number("axis", otherwise)); }
  nw::axis_or_none axis_or_none(const std::string& otherwise) const {
    const std::string a = text("axis", otherwise);
    return a == "none" ? nw::axis_or_none(nw::none) : nw::axis_or_none(std::stoi(a));
  }
  static std::vector<std::int64_t> numbers(std::string text) {
    if (text.back() == ',') text.pop_back();
    return golden_numbers(text);
  }
  nw::integers integers(const std::string& name) const {
    const std::string& t = values_.at(name);
    return t == "-" || t.find(',') != t.npos ? nw::integers(numbers(t))
                                             : nw::integers(std::stoll(t));
  }
  nw::axes axes(const std::string& name) const {
    if (text(name, "none") == "none") return {};
    const auto n = numbers(values_.at(name));
    return nw::axes(std::span<const std::int64_t>(n));
  }
  nw::detail::places places() const {
    const std::string& t = values_.at("at");
    if (t.find(':') == t.npos) return integers("at");
    const auto parts = split(t, ':');
    return nw::slice(recipe_detail::bound(parts[0]), recipe_detail::bound(parts[1]),
                     parts.size() > 2 ? recipe_detail::bound(parts[2]) : nw::none);
  }
  template <class V>
  nw::for_ends<V> ends(const std::string& name, nw::for_ends<V> otherwise) const {
    if (!has(name)) return otherwise;
    const auto one = [](const std::string& t) {
      if constexpr (std::is_same_v<V, nw::detail::scalar>) {
        if (t.find('.') != t.npos) return V(std::stod(t));
      }
      return V(std::int64_t(std::stoll(t)));
    };
    const auto pair = [&](const std::string& t) {
      const auto p = split(t, ',');
      return std::pair(one(p[0]), one(p.back()));
    };
    const auto pairs = split(values_.at(name), '/');
    if (pairs.size() == 1) return {pair(pairs[0]).first, pair(pairs[0]).second};
    if (pairs.size() == 2) return {pair(pairs[0]), pair(pairs[1])};
    return {pair(pairs[0]), pair(pairs[1]), pair(pairs[2])};
  }
  nw::casting casting() const {
    const std::string names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    return nw::casting(std::find(names, names + 5, text("casting", "same_kind")) - names);
  }

 private:
  std::map<std::string, std::string> values_;
};

// "[[0,1],[2]]" as lists of operands.
nw::detail::array_tree tree(const std::string& text, std::size_t& at, const list& x) {
  if (text[at] != '[') return x[std::size_t(text[at++] - '0')];
  std::vector<nw::detail::array_tree> items;
  for (++at; text[at] != ']';) {
    if (text[at] == ',') ++at;
    if (text[at] != ']') items.push_back(tree(text, at, x));
  }
  ++at;
  return nw::detail::array_tree(items);
}

// ---- the functions ----

nw::detail::join_options join_options(const arguments& a) {
  nw::detail::join_options o;
  o.axis = a.axis_or_none("0").value();
  if (a.has("dtype")) o.as = int(golden_type(a.text("dtype", "")));
  o.rule = a.casting();
  return o;
}

list joined_into(const list& x, const arguments& a) {
  const list inputs(x.begin(), x.end() - 1);
  nw::concatenate(inputs, {.axis = a.axis_or_none("0"), .out = x.back(), .casting = a.casting()});
  return {x.back()};
}

list copied_to(const list& x, const arguments& a) {
  const any_array* const where = x.size() > 2 ? &x[2] : nullptr;
  nw::detail::copyto(x[0], named(x[1]), a.casting(), where);
  return {x[0]};
}

any_array padded(const list& x, const arguments& a) {
  nw::pad_options o;
  o.stat_length = a.ends<nw::slice_bound>("stat_length", nw::none);
  o.constant_values = a.ends<nw::detail::scalar>("constant_values", 0);
  o.end_values = a.ends<nw::detail::scalar>("end_values", 0);
  const std::string reflect = a.text("reflect_type", "even");
  o.reflect_type = reflect;
  return nw::pad(x[0], a.ends<std::int64_t>("width", 0), a.text("mode", "constant"), o);
}

any_array reshaped(const list& x, const arguments& a) {
  return nw::reshape(x[0], nw::shape(a.integers("shape").list()),
                     {.order = a.text("order", "C") == "F" ? nw::order::f : nw::order::c,
                      .copy = a.text("copy", "") == "true"});
}

using function = std::function<list(const list&, const arguments&)>;

#define ONE(...)                                  \
  [](const list& x, const arguments& a) -> list { \
    (void)a;                                      \
    return {__VA_ARGS__};                         \
  }
#define MANY(...)                                 \
  [](const list& x, const arguments& a) -> list { \
    (void)a;                                      \
    return __VA_ARGS__;                           \
  }

const std::map<std::string, function> functions = {
    {"concatenate", ONE(nw::detail::concatenate(x, join_options(a)))},
    {"concatenate_out", joined_into},
    {"stack", ONE(nw::detail::stack(x, join_options(a)))},
    {"vstack", ONE(nw::detail::vstack(x, join_options(a)))},
    {"hstack", ONE(nw::detail::hstack(x, join_options(a)))},
    {"dstack", ONE(nw::dstack(x))},
    {"column_stack", ONE(nw::column_stack(x))},
    {"block",
     [](const list& x, const arguments& a) -> list {
       std::size_t at = 0;
       return {nw::detail::block(tree(a.text("of", ""), at, x), -1)};
     }},
    {"append", ONE(nw::append(x[0], x[1], a.axis_or_none("none")))},
    {"split", MANY(nw::split(x[0], a.integers("at"), a.axis()))},
    {"array_split", MANY(nw::array_split(x[0], a.integers("at"), a.axis()))},
    {"hsplit", MANY(nw::hsplit(x[0], a.integers("at")))},
    {"vsplit", MANY(nw::vsplit(x[0], a.integers("at")))},
    {"dsplit", MANY(nw::dsplit(x[0], a.integers("at")))},
    {"unstack", MANY(nw::unstack(x[0], a.axis()))},
    {"roll", ONE(nw::roll(x[0], a.integers("shift"), a.axes("axis")))},
    {"rot90",
     ONE(a.has("axes") ? nw::rot90(x[0], 1, a.axes("axes")) : nw::rot90(x[0], a.number("k", 1)))},
    {"tile", ONE(nw::tile(x[0], a.integers("reps")))},
    {"repeat", ONE(nw::repeat(x[0], a.integers("counts"), a.axis_or_none("none")))},
    {"resize", ONE(nw::resize(x[0], nw::shape(a.integers("shape").list())))},
    {"delete", ONE(nw::delete_(x[0], a.places(), a.axis_or_none("none")))},
    {"delete_mask", ONE(nw::delete_(x[0], x[1], a.axis_or_none("none")))},
    {"insert", ONE(nw::insert(x[0], a.places(), x[1], a.axis_or_none("none")))},
    {"insert_mask", ONE(nw::insert(x[0], x[2], x[1], a.axis_or_none("none")))},
    {"trim_zeros", ONE(nw::trim_zeros(x[0], a.text("trim", "fb"), a.axes("axis")))},
    {"pad", ONE(padded(x, a))},
    {"fliplr", ONE(nw::fliplr(x[0]))},
    {"flipud", ONE(nw::flipud(x[0]))},
    {"atleast_1d", ONE(nw::atleast_1d(x[0]))},
    {"atleast_2d", ONE(nw::atleast_2d(x[0]))},
    {"atleast_3d", ONE(nw::atleast_3d(x[0]))},
    {"matrix_transpose", ONE(nw::matrix_transpose(x[0]))},
    {"rollaxis", ONE(nw::rollaxis(x[0], a.axis(), int(a.number("start", 0))))},
    {"asfortranarray", ONE(nw::asfortranarray(x[0]))},
    {"reshape", ONE(reshaped(x, a))},
    {"copyto", copied_to},
};

// ---- comparison ----

std::vector<std::complex<double>> elements(const any_array& a) {
  return nw::ndarray<nw::complex128>(a.astype(nw::dtype::complex128)).to_vector();
}

std::string order_text(const any_array& a) {
  const nw::array_flags f = a.flags();
  const std::string text = std::string(f.c_contiguous ? "C" : "") + (f.f_contiguous ? "F" : "");
  return text.empty() ? "-" : text;
}

// Whether the result's elements are those of an operand: writes to that show in it.
bool shares_elements(const any_array& result, const std::vector<operand_of_line>& operands) {
  const auto after_writing = [&](bool value) {
    for (const auto& o : operands) nw::detail::assign(o.base, number(value), "test");
    return to_golden(result).bytes;
  };
  return after_writing(false) != after_writing(true);
}

void expect_result(const any_array& got, const std::string& text) {
  const auto want = split(text, ' ');
  EXPECT_EQ(nw::name(got.type()), want[0]);
  ASSERT_EQ(nw::to_string(got.shape()), nw::to_string(nw::shape(golden_numbers(want[1]))));
  EXPECT_EQ(order_text(got), want[2]);
  const auto values = elements(got);
  if (want[4] == "-") return;
  const auto wanted = split(want[4], ',');
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double w = std::stod(wanted[i]), v = values[i].real();
    ASSERT_TRUE(std::abs(v - w) <= 1e-12 * std::abs(w) || (std::isnan(v) && std::isnan(w)))
        << v << ", not " << w << " at " << i;
    ASSERT_EQ(values[i].imag(), 0);
  }
}

struct line_of_file {
  std::vector<operand_of_line> operands;
  list arrays;
  std::function<list()> run;

  explicit line_of_file(const golden_fields& f) {
    for (const auto& text : split_at(f[3])) operands.push_back(operand(int(operands.size()), text));
    for (const auto& o : operands) arrays.push_back(o.array);
    run = [this, f] { return functions.at(f[1])(arrays, arguments(f[2])); };
  }
  line_of_file(const line_of_file&) = delete;

  // At " & ".
  static std::vector<std::string> split_at(const std::string& text) {
    std::vector<std::string> out;
    for (std::size_t at = 0;;) {
      const std::size_t end = text.find(" & ", at);
      out.push_back(text.substr(at, end - at));
      if (end == text.npos) return out;
      at = end + 3;
    }
  }
};

TEST(manipulation, gives_what_numpy_gives) {
  numwarp_test::for_each_device([] {
    int calls = 0;
    for (const auto& f : golden_lines("manipulation.txt")) {
      if (f[0] != "call") continue;
      SCOPED_TRACE(f[1] + " " + f[2] + " of " + f[3]);
      line_of_file line(f);
      const list got = line.run();
      const auto want = f.size() > 4 ? line_of_file::split_at(f[4]) : std::vector<std::string>();
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t k = 0; k < got.size(); ++k) expect_result(got[k], want[k]);
      for (std::size_t k = 0; k < got.size(); ++k) {
        const std::string memory = split(want[k], ' ')[3];
        if (memory == "empty") continue;
        EXPECT_EQ(shares_elements(got[k], line.operands), memory == "view");
      }
      ++calls;
    }
    EXPECT_GT(calls, 2000);
  });
}

// Where NumPy's text has numbers of its own making, or a space too many.
std::string our_text(const std::string& called, std::string text) {
  if (text.find("source: ") == 0) text.erase(0, 8);
  if (const auto at = text.find("  and"); at != text.npos) text.erase(at, 1);
  if (called == "insert" && text.find("index ") == 0) return "is out of bounds for axis";
  if (called == "insert" && text.find("could not broadcast") == 0) return "could not broadcast";
  if (called == "block" && text.find("all the input") == 0) return "Mismatched array shapes";
  if (called == "reshape" && text.find("cannot reshape") == 0) return "cannot reshape array";
  if (text.find("Cannot cast array data") == 0)
    return "according to the rule '" + split(text, '\'').end()[-2];
  if (text.back() == '.') text.pop_back();
  return text;
}

TEST(manipulation, errors_are_those_of_numpy) {
  int errors = 0;
  for (const auto& f : golden_lines("manipulation.txt")) {
    if (f[0] != "error") continue;
    SCOPED_TRACE(f[1] + " " + f[2] + " of " + f[3]);
    std::string error_class = f[4], text = our_text(f[1], f[5]);
    if (text == "tuple index out of range") error_class = "AxisError", text = "out of bounds";
    if (error_class == "ZeroDivisionError") error_class = "ValueError", text = "number sections";
    if (f[1] == "tile" || f[1] == "repeat") {
      if (text.find("negative dim") == 0) text = "negative";
    }
    line_of_file line(f);
    const list before = {line.arrays[0].copy()};
    EXPECT_TRUE(throws(line.run, error_class, text));
    EXPECT_TRUE(equal(line.arrays[0], before[0]));
    ++errors;
  }
  EXPECT_GT(errors, 150);
}

}  // namespace
