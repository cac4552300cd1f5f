// Matrices, grids, diagonals, index arithmetic and views by strides against NumPy
// (golden/tricks.txt).
#include "support/arrays.hpp"
#include "support/devices.hpp"
#include "support/recipes.hpp"

namespace nw = numwarp;
using namespace numwarp::testing;
using nw::any_array;
using nw::detail::scalar;

namespace {

using results = std::vector<any_array>;
using recipe_detail::split;

scalar number_of(const std::string& text) {
  if (text.find_first_of(".en") != std::string::npos) return scalar(std::stod(text));
  return scalar(std::stoll(text));
}

// i % 11 - 4 of a type.
any_array numbers(const std::string& type, const std::string& shape) {
  const nw::shape s(golden_numbers(shape));
  std::vector<std::int64_t> v;
  std::int64_t n = 1;
  for (const std::int64_t d : s) n *= d;
  for (std::int64_t i = 0; i < n; ++i) v.push_back(i % 11 - 4);
  return nw::array(v, s).untyped().astype(golden_type(type)).compute();
}

// "int64 3;4@..."
results index_arrays(const std::string& types, const std::string& text) {
  const auto type = split(types, ',');
  results out;
  for (const std::string& one : split(text, ';')) {
    const auto parts = split(one, '@');
    const std::string& t = type[std::min(out.size(), type.size() - 1)];
    out.push_back(nw::array(golden_numbers(parts[1]), nw::shape(golden_numbers(parts[0])))
                      .untyped()
                      .astype(golden_type(t))
                      .compute());
  }
  return out;
}

nw::detail::grid_axis axis_of(const std::string& text) {
  const auto parts = split(text, ':');
  const scalar start = number_of(parts[0]), stop = number_of(parts[1]);
  if (parts[2].back() != 'j')
    return nw::detail::make_axis(start, stop, number_of(parts[2]), "grid");
  return nw::detail::make_axis(start.re, stop.re, nw::points(std::stoll(parts[2])), "grid");
}

// One case: its fields from the arguments on, and the number of them that are used.
struct arguments {
  const golden_fields& f;
  std::size_t first = 2;
  const std::string& text(std::size_t k) const { return f[first + k]; }
  bool given(std::size_t k) const { return text(k) != "-"; }
  std::int64_t integer(std::size_t k) const { return std::stoll(text(k)); }
  int axis(std::size_t k) const { return int(integer(k)); }
  bool flag(std::size_t k) const { return text(k) == "1"; }
  nw::dtype type(std::size_t k) const { return golden_type(text(k)); }
  nw::shape shape(std::size_t k) const { return nw::shape(golden_numbers(text(k))); }
  nw::order order(std::size_t k) const { return text(k) == "F" ? nw::order::f : nw::order::c; }
  any_array input() const { return apply_recipe(numbers(f[2], f[3]), f[4]); }
};

// Ranges between arrays: their ends, complex ones times 1 + 0.5j.
results wide_space(const std::string& name, const arguments& a) {
  results ends = index_arrays(a.text(1), a.text(2));
  std::vector<nw::detail::type_argument> types{{nw::dtype::bool_, true, 0}};
  for (any_array& end : ends) {
    if (nw::kind(end.type()) == 'c')
      end = nw::multiply(end, std::complex<double>(1, 0.5)).compute();
    types.push_back({end.type(), true, 0});
  }
  const auto promoted = [&](std::size_t n) {
    auto list = std::vector(types.begin(), types.begin() + 1 + std::ptrdiff_t(n));
    list.push_back({nw::dtype::float64, false, 'f'});
    return nw::detail::promote_arguments(nw::core::op_code::where, list.data(), int(list.size()));
  };
  // geomspace computes at least in float64, or in the type that is asked for.
  const nw::dtype out = a.given(0) ? a.type(0) : nw::dtype::float64;
  if (name == "geomspace_of") types.push_back({out, true, 0});
  const nw::dtype compute = promoted(name == "geomspace_of" ? 3 : 2);
  nw::detail::space s{a.integer(3), a.flag(4), a.axis(5), compute, compute, ""};
  s.result = a.given(0) ? out : promoted(types.size() - 1);
  s.function = name == "linspace_of"   ? "linspace"
               : name == "logspace_of" ? "logspace"
                                       : "geomspace";
  if (name == "linspace_of") return {linspace(ends[0], ends[1], s)};
  if (name == "geomspace_of") return {geomspace(ends[0], ends[1], s)};
  if (ends.size() == 2)
    ends.push_back(nw::detail::full({}, s.compute, scalar(10.0), nw::default_device()));
  return {logspace(ends[0], ends[1], ends[2], s)};
}

results grids(const arguments& a, bool sparse) {
  std::vector<nw::detail::grid_axis> axes;
  bool whole = true;
  for (const std::string& part : split(a.text(0), ';')) {
    axes.push_back(axis_of(part));
    whole &= part.find_first_of(".j") == std::string::npos;
  }
  const nw::dtype t = whole ? nw::dtype::int64 : nw::dtype::float64;
  if (!sparse) return {nw::detail::grid(axes, t, nw::default_device(), "mgrid")};
  results out;
  for (int k = 0; k < int(axes.size()); ++k)
    out.push_back(nw::detail::grid_along(axes, k, t, nw::default_device(), "ogrid"));
  return out;
}

results indices(const arguments& a) {
  if (!a.flag(2)) return {nw::detail::indices(a.shape(1), a.type(0), nw::default_device())};
  results out;
  for (int k = 0; k < a.shape(1).size(); ++k)
    out.push_back(nw::detail::sparse_index(a.shape(1), k, a.type(0), nw::default_device()));
  return out;
}

results meshgrid(const arguments& a) {
  results list;
  for (const std::string& s : split(a.text(0), ';')) list.push_back(numbers("int64", s));
  nw::detail::meshgrid(list, {.copy = a.flag(3),
                              .sparse = a.flag(2),
                              .indexing = a.text(1) == "xy" ? nw::indexing::xy : nw::indexing::ij});
  return list;
}

nw::index_mode mode_of(const std::string& text) {
  return text == "wrap"   ? nw::index_mode::wrap
         : text == "clip" ? nw::index_mode::clip
                          : nw::index_mode::raise;
}

results ravel_multi_index(const arguments& a) {
  std::vector<nw::index_mode> modes;
  for (const std::string& m : split(a.text(3), ',')) modes.push_back(mode_of(m));
  return {nw::detail::ravel_multi_index(index_arrays(a.text(0), a.text(1)), a.shape(2), modes,
                                        a.order(4))};
}

results cross(const arguments& a) {
  results list = index_arrays(a.text(0), a.text(1));
  for (int k = 0; k < int(list.size()); ++k)
    list[std::size_t(k)] = nw::detail::cross_index(list[std::size_t(k)], k, int(list.size()));
  return list;
}

results counted(const std::string& shapes) {
  results out;
  if (shapes == "none") return out;
  for (const std::string& s : split(shapes, ';')) {
    const nw::shape extents(golden_numbers(s));
    std::int64_t n = 1;
    for (const std::int64_t d : extents) n *= d;
    out.push_back(nw::arange(n).reshape(extents).untyped());
  }
  return out;
}

results select(const arguments& a) {
  results conditions = counted(a.text(1)), choices = counted(a.text(2));
  for (std::size_t k = 0; k < conditions.size(); ++k)
    conditions[k] = (nw::ndarray<nw::int64>(conditions[k]) % std::int64_t(k + 2) == 0).untyped();
  for (std::size_t k = 0; k < choices.size(); ++k)
    choices[k] =
        (nw::ndarray<nw::int64>(choices[k]) + std::int64_t(10 * k)).untyped().astype(a.type(0));
  const scalar otherwise = number_of(a.text(3));
  return {nw::detail::select_from(conditions, choices, number(otherwise),
                                  nw::promote_weak(a.type(0), otherwise.kind))};
}

results triangle(const arguments& a, bool lower) {
  const std::int64_t n = a.integer(0);
  auto pair = nw::detail::triangle_indices(n, a.given(2) ? a.integer(2) : n, a.integer(1), lower,
                                           nw::default_device(), "triangle");
  return {pair[0], pair[1]};
}

results fill(const arguments& a) {
  const any_array base = numbers(a.text(0), a.text(1)), values = numbers(a.text(3), a.text(4));
  nw::detail::fill_diagonal(apply_recipe(base, a.text(2)), named(values), a.flag(5));
  return {base};
}

results windows(const arguments& a) {
  const auto list =
      a.given(4) ? nw::axes(std::span<const std::int64_t>(golden_numbers(a.text(4)))) : nw::axes();
  return {nw::detail::sliding_window_view(a.input(), a.shape(3), list, false)};
}

results matrices(const arguments& a) {
  const std::string& name = a.f[0];
  const any_array in = a.input();
  if (name == "diag") return {nw::detail::diag(in, a.integer(3))};
  if (name == "diagflat") return {nw::detail::diagflat(in, a.integer(3))};
  if (name == "tril") return {nw::detail::tril(named(in), a.integer(3))};
  if (name == "triu") return {nw::detail::triu(named(in), a.integer(3))};
  if (name == "vander")
    return {nw::detail::vander(in, a.given(3) ? a.integer(3) : in.size(), a.flag(4))};
  if (name == "diagonal") return {nw::detail::diagonal(in, a.integer(3), a.axis(4), a.axis(5))};
  if (name == "as_strided") return {nw::detail::as_strided(in, a.shape(3), a.shape(4), true)};
  const int as = a.given(6) ? int(a.type(6)) : -1;
  return {nw::detail::trace(in, a.integer(3), a.axis(4), a.axis(5), as, nullptr)};
}

results run(const arguments& a) {
  const std::string& name = a.f[0];
  const nw::device d = nw::default_device();
  if (name == "tri") {
    const std::int64_t n = a.integer(1);
    return {nw::detail::tri(n, a.given(2) ? a.integer(2) : n, a.integer(3), a.type(0), d)};
  }
  if (name == "fill_diagonal") return fill(a);
  if (name == "mgrid" || name == "ogrid") return grids(a, name == "ogrid");
  if (name == "indices") return indices(a);
  if (name == "meshgrid") return meshgrid(a);
  if (name == "ravel_multi_index") return ravel_multi_index(a);
  if (name == "unravel_index")
    return nw::detail::unravel_index(index_arrays(a.text(0), a.text(1))[0], a.shape(2), a.order(3));
  if (name == "tril_indices" || name == "triu_indices") return triangle(a, name == "tril_indices");
  if (name == "ix_") return cross(a);
  if (name == "select") return select(a);
  if (name == "sliding_window_view") return windows(a);
  if (name == "logspace")
    return {nw::detail::logspace(number_of(a.text(1)), number_of(a.text(2)), a.integer(3),
                                 a.flag(4), number_of(a.text(5)), a.type(0), d)};
  if (name == "geomspace")
    return {nw::detail::geomspace(number_of(a.text(1)), number_of(a.text(2)), a.integer(3),
                                  a.flag(4), a.type(0), d)};
  if (name.find("space_of") != std::string::npos) return wide_space(name, a);
  return matrices(a);
}

// NumPy's text without what is only about Python, and without its full stop.
std::string words(const golden_array& error) {
  std::string text = error.error_message();
  for (const char* end : {".  Mismatch", ": the provided"}) text = text.substr(0, text.find(end));
  if (text.find("destination: ") == 0) text = text.substr(13);
  if (text.find("shape mismatch: objects cannot be broadcast") == 0)
    return "operands could not be broadcast together with shapes";
  if (text.find("dimensions are too large") == 0) return "maximum supported dimension exceeded";
  return text.substr(0, text.find_last_not_of(" .") + 1);
}

// Strides along axes of length one say nothing.
void expect_strides(const any_array& got, const std::string& want) {
  if (got.size() == 0) return;
  const auto strides = golden_numbers(want);
  for (int i = 0; i < got.ndim(); ++i) {
    if (got.shape()[i] == 1) continue;
    EXPECT_EQ(got.strides()[i], strides[std::size_t(i)]) << "axis " << i;
  }
}

bool is_logarithmic(const std::string& name) {
  return name.rfind("logspace", 0) == 0 || name.rfind("geomspace", 0) == 0;
}

void expect_results(const golden_fields& f, const results& got) {
  const auto& arrays = golden("tricks.npz");
  const auto strides = split(f.back(), ';');
  for (std::size_t k = 0; k < got.size(); ++k) {
    const auto want = arrays.find(f[1] + "/" + std::to_string(k) + "/out");
    ASSERT_NE(want, arrays.end()) << "result " << k;
    // Powers to a few units in the last place; the zeros of complex products are of either sign.
    const tolerance t =
        is_logarithmic(f[0]) ? tolerance{8, false, true} : tolerance{0, f[0] != "vander", false};
    EXPECT_TRUE(equal(got[k], want->second, t)) << "result " << k;
    if (f.back() != "-") expect_strides(got[k], strides[k]);
  }
  EXPECT_EQ(arrays.count(f[1] + "/" + std::to_string(got.size()) + "/out"), 0u);
}

TEST(tricks, are_those_of_numpy) {
  numwarp_test::for_each_device([] {
    int made = 0, refused = 0;
    for (const auto& f : golden_lines("tricks.txt")) {
      std::string row;
      for (const auto& field : f) row += field + '|';
      SCOPED_TRACE(row);
      const auto& arrays = golden("tricks.npz");
      const auto error = arrays.find(f[1] + "/error");
      if (error != arrays.end()) {
        EXPECT_TRUE(throws([&] { run({f}); }, error->second.error_class(), words(error->second)));
        ++refused;
      } else {
        EXPECT_NO_THROW(expect_results(f, run({f})));
        ++made;
      }
    }
    EXPECT_GT(made, 1800);
    EXPECT_GT(refused, 100);
  });
}

}  // namespace
