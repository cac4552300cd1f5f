#include "golden_file.hpp"

#include <gtest/gtest.h>

#include <set>

namespace {

using numwarp::dtype;
using numwarp::dtype_count;
using numwarp::testing::golden;
using numwarp::testing::golden_array;
using numwarp::testing::golden_fields;
using numwarp::testing::golden_lines;
using numwarp::testing::golden_numbers;
using numwarp::testing::golden_operand;
using numwarp::testing::golden_type;

const char* const npz_files[] = {"ufuncs.npz", "casts.npz", "promote.npz", "reductions.npz",
                                 "creation.npz"};

std::vector<std::string> type_names() {
  std::vector<std::string> names;
  names.reserve(dtype_count);
  for (int i = 0; i < dtype_count; ++i) names.emplace_back(numwarp::name(dtype(i)));
  return names;
}

std::vector<std::pair<std::string, int>> ops() {
  return {
#define NW_UNARY(name, rule, ...) {#name, 1},
#define NW_BINARY(name, rule, ...) {#name, 2},
#define NW_TERNARY(name, rule, ...) {#name, 3},
#include <numwarp/core/ops.def>
  };
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

TEST(Golden, BytesAreWhatTheShapesSay) {
  for (const char* const file : npz_files) {
    EXPECT_GT(golden(file).size(), 100u) << file;
    for (const auto& [name, array] : golden(file)) {
      EXPECT_EQ(element_count(array.shape) * numwarp::itemsize(array.type),
                std::int64_t(array.bytes.size()))
          << name;
      EXPECT_FALSE(array.fortran_order) << name;
    }
  }
}

TEST(Golden, ValuesAndErrors) {
  EXPECT_EQ(golden("casts.npz", "inputs/bool").values<bool>(), (std::vector<bool>{false, true}));
  EXPECT_EQ(golden("promote.npz", "inputs/float64/value").values<double>().at(4), 2.5);
  EXPECT_THROW(golden("promote.npz", "inputs/float64/value").values<float>(), std::runtime_error);
  const golden_array& error = golden("promote.npz", "subtract/bool/bool/error");
  EXPECT_EQ(error.error_class(), "TypeError");
  EXPECT_EQ(error.error_message().substr(0, 22), "numpy boolean subtract");
}

// A new row of the table needs new golden data.
TEST(Golden, EveryOpAndTypeIsThere) {
  for (const auto& [op, arity] : ops()) {
    for (const std::string& type : type_names()) {
      if (op == "fma" && type != "float32" && type != "float64") continue;
      const std::string row = op + "/" + type;
      if (golden("ufuncs.npz").contains(row + "/none")) continue;
      const golden_array& out = golden("ufuncs.npz", row + "/out");
      for (int i = 0; i < arity; ++i)
        EXPECT_EQ(golden_operand(op, type, arity, i).size(), out.size()) << row;
    }
  }
}

TEST(Golden, EveryPairOfTypesIsThere) {
  for (const std::string& a : type_names()) {
    for (const std::string& b : type_names()) {
      EXPECT_TRUE(golden("casts.npz").contains(a + "/" + b + "/out")) << a << ' ' << b;
      const std::string add = "add/" + a + "/" + b;
      EXPECT_TRUE(golden("promote.npz").contains(add + "/out") ||
                  golden("promote.npz").contains(add + "/error"))
          << add;
    }
  }
}

// The elements of out/<op>/<type> are those of its cases, without rest.
TEST(Golden, ReductionCasesAddUp) {
  const std::vector<golden_fields> lines = golden_lines("reductions.txt");
  std::map<std::string, std::string> kinds;
  std::set<std::string> errors;
  for (const golden_fields& f : lines) {
    if (f[0] == "input") kinds[f[1]] = f[2];
    if (f[0] == "error") {
      EXPECT_EQ(f[3], "*");
      errors.insert(f[1] + " " + f[2]);
    }
  }
  for (const golden_fields& op : lines) {
    if (op[0] != "op") continue;
    const bool single_axis = op[1] == "argmin" || op[1] == "argmax";
    for (const std::string& type : type_names()) {
      std::int64_t count = 0;
      for (const golden_fields& f : lines) {
        if (f[0] != "case" ||
            kinds.at(f[2]).find(numwarp::kind(golden_type(type))) == std::string::npos)
          continue;
        if ((single_axis && f[3][0] == '(') || errors.contains(op[1] + " " + f[1])) continue;
        count += element_count(golden_numbers(f[5]));
      }
      EXPECT_EQ(golden("reductions.npz", "out/" + op[1] + "/" + type).size(), count)
          << op[1] << ' ' << type;
    }
  }
}

TEST(Golden, LinesHaveTheirFields) {
  for (const golden_fields& f : golden_lines("views.txt"))
    EXPECT_EQ(f.size(), f[0] == "view" ? 7u : 5u) << f[2];
  for (const golden_fields& f : golden_lines("creation.txt")) {
    const auto& arrays = golden("creation.npz");
    EXPECT_TRUE(arrays.contains(f[1] + "/out") || arrays.contains(f[1] + "/error")) << f[1];
  }
  EXPECT_GT(golden_lines("broadcast.txt").size(), 100u);
  EXPECT_GT(golden_lines("promote.txt").size(), 225u);
}

}  // namespace
