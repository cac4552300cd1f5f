// Parameter lists of elementwise and reduction kernels, and the types that arguments give them.
#include "plan/formula.hpp"

#include <gtest/gtest.h>

#include <numwarp/error.hpp>

#include "support/errors.hpp"

namespace numwarp::plan {
namespace {

using testing::text_of;

std::string written(const std::vector<parameter>& list) {
  std::string text;
  for (const parameter& p : list) {
    text += (p.raw ? "raw " : "") +
            (p.placeholder ? std::string(1, p.placeholder) : std::string(numwarp::name(p.type))) +
            ' ' + p.name + ';';
  }
  return text;
}

TEST(formula_parameters, are_types_and_names_between_commas) {
  EXPECT_EQ(written(parse_parameters("T x, raw Q y_2 ,float32 z", "f")),
            "T x;raw Q y_2;float32 z;");
  EXPECT_EQ(written(parse_parameters("  bool b,\n raw  complex128 c", "f")),
            "bool b;raw complex128 c;");
  EXPECT_EQ(written(parse_parameters(" ", "f")), "");
  for (int t = 0; t < dtype_count; ++t) {
    const auto p = parse_parameters(std::string(numwarp::name(dtype(t))) + " x", "f");
    EXPECT_EQ(p[0].type, dtype(t));
  }
}

TEST(formula_parameters, are_refused_where_they_cannot_be_read) {
  const auto error = [](const char* list) {
    return text_of<value_error>([&] { parse_parameters(list, "f"); });
  };
  const std::string expected = "f: expected a parameter such as \"T x\" or \"raw float32 x\", got ";
  EXPECT_EQ(error("x"), expected + "\"x\"");
  EXPECT_EQ(error("T x,"), expected + "\"\"");
  EXPECT_EQ(error("raw x"), expected + "\"raw x\"");
  EXPECT_EQ(error("T 2x"), expected + "\"T 2x\"");
  EXPECT_EQ(error("T *x"), expected + "\"T *x\"");
  EXPECT_EQ(error("const T x"), expected + "\"const T x\"");
  EXPECT_EQ(error("double x"),
            "f: no element type \"double\"; a type is a capital letter or a name such as float32");
  EXPECT_EQ(error("t x").find("f: no element type \"t\""), 0u);
}

TEST(formula_text, words_are_found_whole) {
  EXPECT_TRUE(mentions("z = x[i + 1]", "i"));
  EXPECT_TRUE(mentions("i", "i"));
  EXPECT_FALSE(mentions("int index = sin(x_i) + i2", "i"));
  EXPECT_FALSE(mentions("", "i"));
}

formula make(const char* in, const char* out, const char* name = "f") {
  formula f;
  f.name = name;
  f.in = parse_parameters(in, name);
  f.out = parse_parameters(out, name);
  f.body = "z = 0";
  return f;
}

TEST(formula_check, refuses_what_cannot_be_a_kernel) {
  const auto error = [](formula f) { return text_of<value_error>([&] { intern(std::move(f)); }); };
  EXPECT_EQ(error(make("T x", "T x")), "f: the name 'x' is taken");
  EXPECT_EQ(error(make("T i", "T z")), "f: the name 'i' is taken");
  EXPECT_EQ(error(make("T x", "")), "f: at least one output is needed");
  EXPECT_EQ(error(make("T x", "T z", "my kernel")),
            "elementwise_kernel: the name \"my kernel\" is no identifier of C++");
  formula two = make("T x", "T y, T z");
  two.reduces = true;
  EXPECT_EQ(error(two), "f: a reduction has one output, which is not raw");
  formula a = make("T a", "T z");
  a.reduces = true;
  EXPECT_EQ(error(a), "f: the name 'a' is taken");
}

TEST(formula_text, that_includes_files_is_known) {
  formula f = make("T x", "T z");
  f.preamble = "#include <cuda_fp16.h>\n#include <numwarp/core/random.hpp>";
  f.options = {"-DINCLUDE=1", "--fmad=true"};
  EXPECT_FALSE(f.reads_files());
  f.options.push_back("-I/some/where");
  EXPECT_TRUE(f.reads_files());
  f.options.clear();
  f.preamble += "\n#include \"mine.hpp\"";
  EXPECT_TRUE(f.reads_files());
}

TEST(formula_check, equal_formulas_are_one) {
  const formula& first = intern(make("T x", "T z"));
  EXPECT_EQ(&first, &intern(make("T x", "T z")));
  EXPECT_NE(&first, &intern(make("T x", "float32 z")));
  EXPECT_NE(&first, &intern(make("raw T x", "T z")));
  formula other = make("T x", "T z");
  other.body = "z = 1";
  EXPECT_NE(first.id, intern(std::move(other)).id);
}

constexpr detail::type_argument array(dtype t) { return {t, true, 0}; }
constexpr detail::type_argument number(char kind) { return {dtype::float64, false, kind}; }

TEST(formula_types, come_from_arrays_first) {
  const formula f = make("T x, U y, int32 k", "T z");
  using list = std::vector<dtype>;
  const auto types = [&](std::vector<detail::type_argument> given) {
    return resolve_types(f, given);
  };
  EXPECT_EQ(types({array(dtype::float32), array(dtype::int8), array(dtype::int32)}),
            (list{dtype::float32, dtype::int8, dtype::int32, dtype::float32}));
  EXPECT_EQ(types({number('i'), number('f'), number('i'), array(dtype::float16)}),
            (list{dtype::float16, dtype::float64, dtype::int32, dtype::float16}));
  const formula same = make("T x, T y", "T z");
  const detail::type_argument numbers[] = {number('i'), number('f')};
  EXPECT_EQ(resolve_types(same, numbers), list(3, dtype::float64));
  const detail::type_argument mixed[] = {number('f'), array(dtype::int32)};
  EXPECT_EQ(resolve_types(same, mixed), list(3, dtype::int32));
}

TEST(formula_types, that_disagree_are_refused) {
  const formula f = make("T x, T y, float32 w", "U z");
  const auto error = [&](std::vector<detail::type_argument> given) {
    return text_of<type_error>([&] { resolve_types(f, given); });
  };
  EXPECT_EQ(error({array(dtype::float32), array(dtype::float64), number('f')}),
            "f: the argument for 'y' is float64, where T is float32");
  EXPECT_EQ(error({array(dtype::float32), array(dtype::float32), array(dtype::float64)}),
            "f: the argument for 'w' is float64, where it must be float32");
  EXPECT_EQ(error({array(dtype::float32), number('f'), number('f')}),
            "f: no argument tells what U of 'z' is");
}

TEST(formula_types, of_what_is_reduced) {
  formula f = make("T x, U y", "T z");
  const dtype types[] = {dtype::int32, dtype::float32, dtype::int32};
  f.reduced = parse_type("U", "f");
  EXPECT_EQ(reduced_type(f, types), dtype::float32);
  f.reduced = parse_type("float64", "f");
  EXPECT_EQ(reduced_type(f, types), dtype::float64);
  f.reduced = parse_type("V", "f");
  EXPECT_EQ(text_of<type_error>([&] { reduced_type(f, types); }),
            "f: no argument tells what V of the reduced values is");
}

}  // namespace
}  // namespace numwarp::plan
