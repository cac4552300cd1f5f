#include "cuda/codegen_formula.hpp"

#include <algorithm>

namespace numwarp::cuda_backend {

using plan::bound_parameter;

namespace {

// Text of the user, whose lines are counted from one in the compiler's messages.
std::string user_text(const std::string& file, const std::string& text) {
  return "\n#line 1 \"" + file + "\"\n" + text + "\n#line 1 \"kernel\"\n";
}

std::string join(const std::vector<std::string>& list) {
  std::string text;
  for (const auto& t : list) text += (text.empty() ? "" : ", ") + t;
  return text;
}

class formula_writer {
 public:
  formula_writer(const plan::formula& f, std::span<const bound_parameter> parameters, dtype reduced)
      : f_(f), parameters_(parameters), reduced_(type_text(reduced)), reduced_dtype_(reduced) {}

  functor_text run() {
    for (std::size_t k = 0; k < parameters_.size(); ++k) pass(k);
    if (out_.inputs.empty() && out_types_.empty()) unused_input();
    if (f_.reduces) {
      write_reduction();
    } else {
      write_elementwise();
    }
    return std::move(out_);
  }

 private:
  const plan::parameter& declared(std::size_t k) const {
    return k < f_.in.size() ? f_.in[k] : f_.out[k - f_.in.size()];
  }
  bool is_input(std::size_t k) const { return k < f_.in.size(); }

  void note_size(dtype t) {
    out_.widest = std::max(out_.widest, itemsize(t));
    out_.narrowest = std::min(out_.narrowest, itemsize(t));
  }
  std::string load(dtype t) {
    const int k = int(out_.inputs.size());
    out_.inputs.push_back(k);
    in_types_.push_back(type_text(t));
    out_.widest_input = std::max(out_.widest_input, itemsize(t));
    note_size(t);
    return "lane.template in<" + std::to_string(k) + ">()";
  }
  // A kernel has an operand at least; this one is a constant and is never looked at.
  void unused_input() { load(dtype::uint8); }

  // How the formula's function takes parameter k, and what the functor gives it.
  void pass(std::size_t k) {
    const bound_parameter& b = parameters_[k];
    const std::string& name = declared(k).name;
    const std::string type = type_text(b.type);
    if (b.kind == bound_parameter::raw) {
      const std::string array =
          "numwarp::strided_array<" + std::string(is_input(k) ? "const " : "") + type + ", " +
          std::to_string(b.rank) + ", " + (b.contiguous ? "true" : "false") + ">";
      takes_.push_back("const " + array + "& " + name);
      gives_.push_back("*reinterpret_cast<const " + array + "*>(lane.constants + " +
                       std::to_string(out_.constant_slots) + ")");
    } else if (b.kind == bound_parameter::value) {
      takes_.push_back("const " + type + " " + name);
      gives_.push_back("lane.template constant<" + type + ", " +
                       std::to_string(out_.constant_slots) + ">()");
    } else if (is_input(k)) {
      takes_.push_back("const " + type + " " + name);
      gives_.push_back(load(b.type));
    } else if (!f_.reduces) {
      pass_output(b, name, type);
    }
    out_.constant_slots += plan::words_of(b);
  }

  void pass_output(const bound_parameter& b, const std::string& name, const std::string& type) {
    const std::string at = std::to_string(out_types_.size());
    takes_.push_back(type + "& " + name);
    gives_.push_back("out" + at);
    before_ += "    " + type + " out" + at + (b.kept ? " = " + load(b.type) : "{}") + ";\n";
    after_ += "    lane.template out<" + at + ">(out" + at + ");\n";
    out_types_.push_back(type);
    note_size(b.type);
  }

  // Names of types, and what complex bodies may call: their functions are found by their arguments.
  std::string preamble() const {
    std::string text = "#include <numwarp/core/strided_array.hpp>\n";
    const auto is_complex = [](const bound_parameter& b) { return kind(b.type) == 'c'; };
    if (std::any_of(parameters_.begin(), parameters_.end(), is_complex)) {
      text += "#include <numwarp/core/complex_math.hpp>\nnamespace numwarp::core {\n";
      for (const char* name :
           {"absolute", "conjugate", "real", "imag", "exp", "log", "sqrt", "sin", "cos", "tan",
            "sinh", "cosh", "tanh", "log1p", "expm1", "isnan", "isinf", "isfinite"}) {
        text += std::string("using math::") + name + ";\n";
      }
      text += "}\n";
    }
    std::string known;
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const char letter = declared(k).placeholder;
      if (!letter || known.find(letter) != known.npos) continue;
      known += letter;
      text += std::string("using ") + letter + " = " + type_text(parameters_[k].type) + ";\n";
    }
    return text + user_text(f_.name + ": preamble", f_.preamble);
  }

  static std::string function(const std::string& result, const std::string& name,
                              const std::vector<std::string>& takes, const std::string& body) {
    return "static __device__ __forceinline__ " + result + " numwarp_" + name + "(" + join(takes) +
           ") {" + body + "}\n";
  }
  // A function of one expression.
  std::string value_function(const std::string& name, const std::vector<std::string>& takes,
                             const std::string& expression) const {
    return function(reduced_, name, takes,
                    "\n  return static_cast<" + reduced_ + ">(" +
                        user_text(f_.name + ": " + name, expression) + "  );\n");
  }

  std::string functor(const std::string& body) const {
    return "struct fused {\n  using inputs = types<" + join(in_types_) + ">;\n" +
           "  using outputs = types<" + join(out_types_) + ">;\n" +
           "  template <class Lane> static NW_DEVICE void run(const Lane& lane) {\n" + body +
           "  }\n};\n";
  }

  void write_elementwise() {
    out_.uses_index = f_.uses_index();
    takes_.insert(takes_.end(), {"const long i", "const long n"});
    gives_.push_back(out_.uses_index ? "lane.index()" : "0l");
    gives_.push_back("lane.template constant<long, " + std::to_string(out_.constant_slots++) +
                     ">()");
    out_.prelude = preamble() + function("void", "map", takes_, user_text(f_.name, f_.body + ';'));
    out_.text = functor(before_ + "    ::numwarp_map(" + join(gives_) + ");\n" + after_);
  }

  void write_reduction() {
    out_types_ = {reduced_};
    note_size(reduced_dtype_);
    const std::string both = "const " + reduced_ + " a, const " + reduced_ + " b";
    const std::string result = type_text(parameters_.back().type);
    const std::string &r = reduced_, &y = f_.out[0].name;
    out_.prelude =
        preamble() + value_function("map", takes_, f_.body) +
        value_function("reduce", {both}, f_.reduce) +
        (f_.identity.empty() ? "" : value_function("identity", {}, f_.identity)) +
        function("void", "post_map", {"const " + r + " a", result + "& " + y, "const long n"},
                 user_text(f_.name + ": post_map", f_.post_map + ';'));
    out_.text = functor("    lane.template out<0>(::numwarp_map(" + join(gives_) + "));\n") +
                reducer(result);
  }

  // As those of core/reduce_ops.hpp. Without an identity it starts with nothing.
  std::string reducer(const std::string& result) const {
    const std::string& r = reduced_;
    const bool plain = !f_.identity.empty();
    const std::string acc = plain ? r : "numwarp_state";
    const std::string state = "struct numwarp_state {\n  " + r + " value;\n  bool any;\n};\n";
    const std::string value = plain ? "a" : "a.value";
    return (plain ? "" : state) + "struct formula_reducer {\n  using acc = " + acc + ";\n" +
           "  static NW_DEVICE acc start() { return " +
           (plain ? "::numwarp_identity()" : "{{}, false}") + "; }\n" +
           "  static NW_DEVICE acc add(acc a, " + r + " x, i64) { return merge(a, " +
           (plain ? "x" : "{x, true}") + "); }\n" +
           "  static NW_DEVICE acc merge(acc a, acc b) {\n" +
           (plain ? "    return ::numwarp_reduce(a, b);\n"
                  : "    if (!a.any) return b;\n    if (!b.any) return a;\n"
                    "    return {::numwarp_reduce(a.value, b.value), true};\n") +
           "  }\n  static NW_DEVICE " + result + " finish(acc a, i64 n, double) {\n    " + result +
           " out{};\n    ::numwarp_post_map(" + value + ", out, n);\n" +
           "    return out;\n  }\n};\n";
  }

  const plan::formula& f_;
  std::span<const bound_parameter> parameters_;
  const std::string reduced_;
  const dtype reduced_dtype_;
  functor_text out_;
  std::vector<std::string> takes_, gives_, in_types_, out_types_;
  std::string before_, after_;
};

}  // namespace

functor_text write_formula(const plan::formula& f, std::span<const bound_parameter> parameters,
                           dtype reduced) {
  return formula_writer(f, parameters, reduced).run();
}

std::string formula_key(const plan::formula_call& call) {
  std::string key = "formula " + std::to_string(call.of->id) + ' ';
  for (const bound_parameter& b : call.parameters) {
    const char head[] = {char(b.type), char(b.kind), char(b.kept), char(b.contiguous),
                         char(b.rank)};
    key.append(head, sizeof head);
  }
  return key;
}

std::int64_t accumulator_bytes(dtype reduced) { return 2 * itemsize(reduced); }

}  // namespace numwarp::cuda_backend
