#include "cuda/codegen.hpp"

#include <algorithm>
#include <cstring>

#include "cuda/elementwise_layout.hpp"
#include "cuda/elementwise_steps.hpp"

namespace numwarp::cuda_backend {

using plan::compiled_body;
using plan::step;
using plan::step_kind;

std::string type_text(dtype t) {
  constexpr const char* table[] = {
#define NW_DTYPE(tag, type, name, kind, npy) #type,
#include <numwarp/core/dtypes.def>
#undef NW_DTYPE
  };
  return table[int(t)];
}

namespace {

int slots_of(dtype t) { return itemsize(t) > 8 ? 2 : 1; }

int all_slots(const plan::program& program) {
  int n = 0;
  for (const step& s : program.steps) n += s.kind == step_kind::constant ? slots_of(s.type) : 0;
  return n;
}

std::vector<int> wanted_steps(std::span<const stored_value> stores) {
  std::vector<int> wanted;
  for (const stored_value& s : stores) wanted.push_back(s.step);
  return wanted;
}

// Where the compiler shall say that an error is.
std::string line_text(int line, const std::string& file) {
  std::string text = "#line " + std::to_string(line) + " \"";
  for (const char c : file) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"\n";
}

class writer {
 public:
  writer(const plan::program& program, std::span<const stored_value> stores)
      : program_(program),
        stores_(stores),
        use_(uses_of(program, wanted_steps(stores))),
        names_(program.steps.size(), -1),
        embed_(all_slots(program) > max_constants) {}

  functor_text run() {
    std::string body;
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      if (!use_.live[i]) continue;
      names_[i] = next_++;
      body += "    const " + type_text(program_.steps[i].type) + ' ' + name(int(i)) + " = " +
              value(int(i)) + ";\n";
    }
    for (std::size_t k = 0; k < stores_.size(); ++k) {
      body += "    x.template out<" + std::to_string(k) + ">(cast<" + type_text(stores_[k].type) +
              ">(" + name(stores_[k].step) + "));\n";
      note_size(itemsize(stores_[k].type));
    }
    out_.text = functions_ + "struct fused {\n  using inputs = types<" + join(input_types_) +
                ">;\n" + "  using outputs = types<" + join(output_types()) + ">;\n" +
                "  template <class Lane> static NW_DEVICE void run(const Lane& x) {\n" + body +
                "  }\n};\n";
    // Bodies may say nw::float16.
    if (!bodies_.empty())
      out_.prelude = "#include <numwarp/core/body.hpp>\nnamespace nw = numwarp;\n";
    return std::move(out_);
  }

 private:
  void note_size(int bytes) {
    out_.widest = std::max(out_.widest, bytes);
    out_.narrowest = std::min(out_.narrowest, bytes);
  }
  std::string name(int at) const { return 'v' + std::to_string(names_[std::size_t(at)]); }

  std::string value(int i) {
    const step& s = program_.steps[std::size_t(i)];
    switch (s.kind) {
      case step_kind::load:
        return load(s);
      case step_kind::constant:
        return constant(i, s);
      case step_kind::index:
        out_.uses_index = true;
        return "x.index()";
      case step_kind::cast:
        return "cast<" + type_text(s.type) + ">(" + name(s.args[0]) + ')';
      case step_kind::call:
        return call(s);
      case step_kind::op:
        break;
    }
    std::string text =
        std::string("call<op::") + core::op_name(s.op) + ", " + type_text(s.compute) + ">(x";
    for (int k = 0; k < core::op_arity(s.op); ++k) text += ", " + name(s.args[k]);
    return text + ')';
  }

  std::string call(const step& s) {
    const compiled_body& b = s.called();
    const auto at = std::find(bodies_.begin(), bodies_.end(), b.id);
    const std::string scope = b.text.name + ('_' + std::to_string(at - bodies_.begin()));
    if (at == bodies_.end()) {
      bodies_.push_back(b.id);
      functions_ += "struct " + scope + " : function_scope {\n" +
                    line_text(b.text.line, b.text.file) + "static auto body(" + b.text.parameters +
                    ") " + b.text.body + '\n' + line_text(1, "fused.cu") + "};\n";
    }
    std::string arguments;
    for (int k = 0; k < b.n; ++k) {
      const std::string x = name(s.args[k]);
      arguments += (k > 0 ? ", " : "") +
                   (b.plain[k] ? x : "number<" + type_text(b.types[k]) + ">(" + x + ')');
    }
    return "result_of(" + scope + "::body(" + arguments + "))";
  }

  std::string load(const step& s) {
    auto at = std::find(out_.inputs.begin(), out_.inputs.end(), s.args[0]);
    const int k = int(at - out_.inputs.begin());
    if (at == out_.inputs.end()) {
      out_.inputs.push_back(s.args[0]);
      input_types_.push_back(type_text(s.type));
      out_.widest_input = std::max(out_.widest_input, itemsize(s.type));
      note_size(itemsize(s.type));
    }
    return "x.template in<" + std::to_string(k) + ">()";
  }

  std::string constant(int i, const step& s) {
    const std::string type = type_text(s.type);
    if (embed_) {
      std::uint64_t words[2];
      std::memcpy(words, s.value.bytes, sizeof words);
      return "bits_value<" + type + ">(" + std::to_string(words[0]) + "ul, " +
             std::to_string(words[1]) + "ul)";
    }
    const int slot = out_.constant_slots;
    out_.constant_slots += slots_of(s.type);
    out_.constant_steps.push_back(i);
    return "x.template constant<" + type + ", " + std::to_string(slot) + ">()";
  }

  std::vector<std::string> output_types() const {
    std::vector<std::string> list;
    for (const stored_value& s : stores_) list.push_back(type_text(s.type));
    return list;
  }
  static std::string join(const std::vector<std::string>& list) {
    std::string text;
    for (const auto& t : list) text += (text.empty() ? "" : ", ") + t;
    return text;
  }

  const plan::program& program_;
  std::span<const stored_value> stores_;
  step_use use_;
  std::vector<int> names_;
  bool embed_;
  int next_ = 0;
  functor_text out_;
  std::vector<std::string> input_types_;
  std::vector<std::uint64_t> bodies_;  // ids of those in functions_
  std::string functions_;
};

// `kernel`: the header with the kernel's template.
std::string wrap(const std::string& kernel, const functor_text& f, const std::string& instance) {
  return "#include \"" + kernel + ".cuh\"\n#include \"functors.cuh\"\n" + f.prelude +
         "namespace numwarp::kernels {\n" + f.text + "template __global__ void " + instance +
         ";\n}  // namespace numwarp::kernels\n";
}

}  // namespace

functor_text write_functor(const plan::program& program, std::span<const stored_value> stores) {
  return writer(program, stores).run();
}

int fused_width(const functor_text& f, int operand_count) {
  int width = core::vector_width(f.narrowest, f.widest);
  while (width > 1 && operand_count * width * std::max(1, f.widest / 4) > 64) width /= 2;
  return width;
}

int fused_reduction_width(const functor_text& f) {
  int width = std::min(8, 16 / f.widest_input);
  while (width > 1 && int(f.inputs.size()) * width * std::max(1, f.widest_input / 4) > 32)
    width /= 2;
  return width;
}

std::string elementwise_source(const functor_text& f, int outputs, int width) {
  const std::string p = "elementwise_parameters<" + std::to_string(int(f.inputs.size()) + outputs) +
                        ", " + std::to_string(f.constant_slots) + ">";
  return wrap("elementwise", f,
              "elementwise_rows<fused, " + std::to_string(width) + ", " + p +
                  ">(const __grid_constant__ " + p + ")");
}

std::string reducer_text(reduce_code op, dtype compute) {
  return std::string("reduce::") + reduce_name(op) + '<' + type_text(compute) + '>';
}

std::string reduction_source(const functor_text& f, const std::string& reducer, bool columns,
                             int width) {
  const std::string p = "reduction_parameters<" + std::to_string(f.inputs.size()) + ", " +
                        std::to_string(f.constant_slots) + ">";
  return wrap("reduce", f,
              (columns ? "reduce_columns<" : "reduce_rows<") + reducer + ", fused, " +
                  std::to_string(width) + ", " + p + ">(const __grid_constant__ " + p + ")");
}

std::string merge_source(const functor_text& f, const std::string& reducer, dtype element) {
  return wrap("reduce", f,
              "reduce_merge<" + reducer + ", " + type_text(element) +
                  ">(const __grid_constant__ reduction_header)");
}

std::string update_source(core::op_code op, dtype array, dtype compute) {
  return wrap("indexed_update", {},
              std::string("update_runs<op::") + core::op_name(op) + ", " + type_text(array) + ", " +
                  type_text(compute) + ">(const __grid_constant__ update_parameters)");
}

namespace {

template <class T> void append(std::string& key, const T& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

std::string program_key(const plan::program& program, std::span<const stored_value> stores) {
  const bool embed = all_slots(program) > max_constants;
  std::string key;
  key.reserve(program.steps.size() * 10 + stores.size() * 3 + 4);
  for (const step& s : program.steps) {
    const char head[] = {char(s.kind), char(s.op), char(s.type), char(s.compute)};
    key.append(head, sizeof head);
    append(key, s.args);
    if (embed && s.kind == step_kind::constant) append(key, s.value.bytes);
    if (s.kind == step_kind::call) append(key, s.called().id);
  }
  for (const stored_value& s : stores) {
    append(key, std::int16_t(s.step));
    key += char(s.type);
  }
  return key;
}

std::string without_places(const std::string& source) {
  std::string text;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = std::min(source.find('\n', at), source.size() - 1) + 1;
    if (source.compare(at, 6, "#line ") != 0) text.append(source, at, end - at);
    at = end;
  }
  return text;
}

}  // namespace numwarp::cuda_backend
