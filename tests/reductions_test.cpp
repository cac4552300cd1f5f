// Reductions over shapes, axes and views of every type against NumPy's answers
// (golden/reductions.npz).
#include <optional>

#include "support/recipes.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::reduce_code;

namespace {

struct op_line {
  std::string name;
  reduce_code code;
  double ddof;
};

struct input_line {
  std::string kinds, base, recipe;
};

struct case_line {
  std::string number, input, axis;
  bool keepdims;
  std::string shape;
};

struct error_line {
  std::string types, error_class, message;
};

// reductions.txt.
struct tables {
  std::vector<op_line> ops;
  std::map<std::string, input_line> inputs;
  std::vector<case_line> cases;
  std::map<std::string, std::vector<error_line>> errors;  // by "<op>|<case>"

  tables() {
    for (const auto& f : golden_lines("reductions.txt")) {
      if (f[0] == "op") ops.push_back({f[1], code_of(f[2]), f[3] == "-" ? 0 : std::stod(f[3])});
      if (f[0] == "input") inputs[f[1]] = {f[2], f[3], f[4]};
      if (f[0] == "case") cases.push_back({f[1], f[2], f[3], f[4] == "1", f[5]});
      if (f[0] == "error") errors[f[1] + "|" + f[2]].push_back({f[3], f[4], f[5]});
    }
  }
  static reduce_code code_of(const std::string& function) {
    for (int c = 0; c <= int(reduce_code::std); ++c) {
      if (function == nw::reduce_name(reduce_code(c))) return reduce_code(c);
    }
    throw std::runtime_error("no reduction " + function);
  }
  const error_line* error_of(const std::string& op, const case_line& c,
                             const std::string& type) const {
    const auto found = errors.find(op + "|" + c.number);
    if (found == errors.end()) return nullptr;
    for (const error_line& e : found->second) {
      if (e.types == "*" || ("," + e.types + ",").find("," + type + ",") != std::string::npos)
        return &e;
    }
    return nullptr;
  }
};

nw::axes axes_of(const std::string& text) {
  if (text == "none") return {};
  if (text[0] != '(') return nw::axes(std::stoi(text));
  return recipe_detail::axes_of(text.substr(1, text.size() - 2));
}

bool is_arg(reduce_code c) { return c == reduce_code::argmin || c == reduce_code::argmax; }

// See golden/README.md: sums of the plain inputs are exact; the others round differently, and
// NumPy's float16 products and variances round after every step.
tolerance tolerance_of(reduce_code c, nw::dtype t) {
  tolerance out;
  const bool half = t == nw::dtype::float16, real = nw::kind(t) == 'f';
  if (c == reduce_code::min || c == reduce_code::max) out.zero_signs = false;
  if (c == reduce_code::prod) out.zero_signs = real;  // of complex ones: by order
  if (!real && nw::kind(t) != 'c' && c != reduce_code::var && c != reduce_code::std) return out;
  if (c == reduce_code::sum || c == reduce_code::mean) out.ulp = half ? 1 : 16;
  if (c == reduce_code::prod || c == reduce_code::var || c == reduce_code::std)
    out.ulp = half ? 16 : 32;
  return out;
}

// The shape and the next elements of `results` are what the case must give.
golden_array take(const golden_array& results, std::size_t& position, const std::string& shape) {
  golden_array want;
  want.type = results.type;
  want.shape = golden_numbers(shape);
  std::int64_t n = nw::itemsize(want.type);
  for (const auto extent : want.shape) n *= extent;
  want.bytes = results.bytes.substr(position, std::size_t(n));
  position += std::size_t(n);
  return want;
}

// f(op, case, input, wanted result or null, error or null) for every case of the type.
template <class F> void for_each_case(const tables& t, nw::dtype type, F f) {
  const std::string type_name(nw::name(type));
  std::map<std::string, any_array> views;
  for (const auto& [input, line] : t.inputs) {
    if (line.kinds.find(nw::kind(type)) == std::string::npos) continue;
    views[input] = apply_recipe(
        to_array(golden("reductions.npz", "base/" + type_name + "/" + line.base)), line.recipe);
  }
  for (const op_line& op : t.ops) {
    const golden_array& results = golden("reductions.npz", "out/" + op.name + "/" + type_name);
    std::size_t position = 0;
    for (const case_line& c : t.cases) {
      if (views.count(c.input) == 0 || (is_arg(op.code) && c.axis[0] == '(')) continue;
      SCOPED_TRACE(op.name + " of " + type_name + ", case " + c.number + ": " + c.input +
                   ", axis " + c.axis);
      const error_line* error = t.error_of(op.name, c, type_name);
      std::optional<golden_array> want;
      if (!error) want = take(results, position, c.shape);
      f(op, c, views.at(c.input), want ? &*want : nullptr, error);
    }
    EXPECT_EQ(position, results.bytes.size()) << op.name << ' ' << type_name;
  }
}

class reductions : public ::testing::TestWithParam<int> {
 protected:
  static const tables& lines() {
    static const tables t;
    return t;
  }
  nw::dtype type() const { return nw::dtype(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(all, reductions, ::testing::Range(0, int(nw::dtype_count)),
                         [](const auto& p) { return std::string(nw::name(nw::dtype(p.param))); });

TEST_P(reductions, are_those_of_numpy) {
  for_each_case(lines(), type(),
                [](const op_line& op, const case_line& c, const any_array& a,
                   const golden_array* want, const error_line* error) {
                  const nw::detail::reduce_options options{
                      .axis = axes_of(c.axis), .keepdims = c.keepdims, .ddof = op.ddof};
                  if (error) {
                    EXPECT_TRUE(throws(
                        [&] { nw::detail::reduce(op.code, named(a), options); }, error->error_class,
                        std::string(nw::reduce_name(op.code)) + ": " + error->message));
                  } else {
                    auto t = tolerance_of(op.code, a.type());
                    // Which complex NaN is found first is left open where blocks run in any order.
                    t.any_nan = !nw::default_device().is_cpu();
                    EXPECT_TRUE(equal(nw::detail::reduce(op.code, named(a), options), *want, t));
                  }
                });
}

// keepdims=, out= and a pending operand change nothing.
TEST_P(reductions, give_the_same_bits_in_every_form) {
  for_each_case(lines(), type(),
                [](const op_line& op, const case_line& c, const any_array& a,
                   const golden_array* want, const error_line*) {
                  if (!want) return;
                  nw::detail::reduce_options options{.axis = axes_of(c.axis), .ddof = op.ddof};
                  const any_array plain = nw::detail::reduce(op.code, named(a), options);
                  options.keepdims = true;
                  const any_array kept = nw::detail::reduce(op.code, named(a), options);
                  EXPECT_TRUE(equal(kept.reshape(plain.shape()), plain));
                  options.keepdims = false;
                  const any_array out = nw::detail::full(
                      plain.shape(), plain.type(), nw::detail::scalar(true), nw::default_device());
                  options.out = &out;
                  nw::detail::reduce(op.code, named(a), options);
                  EXPECT_TRUE(equal(out, plain));
                  options.out = nullptr;
                  const any_array yes = nw::full<bool>(nw::shape(), true).untyped();
                  any_array pending = call(nw::core::op_code::where, {yes, a, a});
                  const any_array copy = call(nw::core::op_code::where, {yes, a, a}).compute();
                  // A GPU's fused kernel may take other numbers of elements at a time.
                  const tolerance t{.ulp = nw::default_device().is_cpu() ? 0.0 : 4.0};
                  EXPECT_TRUE(equal(nw::detail::reduce(op.code, temporary(pending), options),
                                    nw::detail::reduce(op.code, named(copy), options), t));
                });
}

TEST_P(reductions, of_out_of_another_shape_are_refused) {
  const any_array a =
      nw::detail::full({2, 3}, type(), nw::detail::scalar(true), nw::default_device());
  const auto result = nw::detail::reduce(reduce_code::max, named(a), {.axis = 1});
  for (const nw::shape& s : {nw::shape(3), nw::shape(2, 1), nw::shape()}) {
    const any_array out = nw::detail::empty(s, result.type(), nw::default_device());
    EXPECT_TRUE(
        throws([&] { nw::detail::reduce(reduce_code::max, named(a), {.axis = 1, .out = &out}); },
               "ValueError", "max: "));
  }
  const any_array read_only = result.copy().readonly();
  EXPECT_TRUE(throws(
      [&] { nw::detail::reduce(reduce_code::max, named(a), {.axis = 1, .out = &read_only}); },
      "ValueError", "read-only"));
}

}  // namespace
